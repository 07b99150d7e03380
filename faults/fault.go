package faults

import (
	"fmt"
	"strings"
	"time"

	"github.com/lockstorm/lockstorm/clock"
)

// A Schedule is a list of Faults. Each heals itself, so any subset of a Schedule is a Schedule.
type Schedule []Fault

// A Fault is one thing that goes wrong, for an interval. Which of the last fields count follows from its Kind.
type Fault struct {
	At   clock.Instant // when it strikes
	When Mark          // what it waits for instead of At, if anything
	For  time.Duration // how long it lasts; 0 means for the rest of the run
	On   string        // the host whose wall clock counts For; empty means true time
	Kind Kind

	Host   string        // Pause, Restart, Jump, Drift, Slew: whom it strikes
	Clean  bool          // Restart: an orderly shutdown, not a power failure
	By     time.Duration // Jump: how far; Slew: how much in all; Slow: how much longer a message takes
	Rate   clock.Rate    // Drift: by how much; Slew: how fast
	From   string        // Cut, Hold, Slow, Lossy: the sending end of the link
	To     string        // Cut, Hold, Slow, Lossy: the receiving end
	Loss   int           // Lossy: how many of a million messages are lost
	Groups [][]string    // Partition: hosts that reach each other, and no host of another group
}

// A Mark is the moment when a proc on a host passes a named point.
type Mark struct {
	Host  string        // empty means that the fault strikes At its instant
	Name  string        // the mark, such as "acquired"
	Nth   int           // which passing, from 1; 0 means the first
	After time.Duration // how long after it
}

// A Kind says what goes wrong.
type Kind uint8

// The kinds of faults.
const (
	Pause     Kind = iota // Host does nothing; its clocks run on
	Restart               // Host goes off, and is on again at the end
	Jump                  // Host's wall clock is stepped by By, and back at the end, if it has one
	Drift                 // Host's clocks run faster by Rate
	Slew                  // Host's clocks are corrected by By, at Rate; For is of no account
	Partition             // no message passes between two Groups
	Cut                   // no message passes from From to To
	Hold                  // the next message from From to To is held until the end
	Slow                  // each message from From to To takes By longer
	Lossy                 // Loss of a million messages from From to To are lost
)

var kinds = [...]string{"pause", "restart", "jump", "drift", "slew", "partition", "cut", "hold", "slow", "lossy"}

// String gives the word that begins what the fault does.
func (k Kind) String() string {
	if int(k) >= len(kinds) {
		return fmt.Sprintf("kind %d", k)
	}
	return kinds[k]
}

// String gives the schedule's text, a fault a line.
func (s Schedule) String() string {
	var b strings.Builder
	for _, f := range s {
		b.WriteString(f.String())
		b.WriteByte('\n')
	}
	return b.String()
}

// String gives the fault's line.
func (f Fault) String() string {
	if f.When.Host == "" {
		return "at " + f.At.String() + f.lasting() + " " + f.What()
	}
	return "when " + f.When.String() + " " + f.What() + f.lasting()
}

func (f Fault) lasting() string {
	if f.For == 0 {
		return ""
	}
	if f.On != "" {
		return " for " + f.For.String() + " on " + f.On
	}
	return " for " + f.For.String()
}

// String gives the moment in words, such as "c1 acquired 2nd +10ms".
func (m Mark) String() string {
	s := m.Host + " " + m.Name
	if m.Nth > 1 {
		s += " " + ordinal(m.Nth)
	}
	if m.After > 0 {
		s += " +" + m.After.String()
	}
	return s
}

func ordinal(n int) string {
	suffix := "th"
	if n/10%10 != 1 {
		switch n % 10 {
		case 1:
			suffix = "st"
		case 2:
			suffix = "nd"
		case 3:
			suffix = "rd"
		}
	}
	return fmt.Sprintf("%d%s", n, suffix)
}

// What gives what the fault does, without when: "pause c1", "partition c1 n1 | n2 n3".
func (f Fault) What() string {
	word := f.Kind.String() + " "
	switch f.Kind {
	case Restart:
		if f.Clean {
			return word + f.Host + " cleanly"
		}
	case Jump:
		return word + f.Host + " " + signed(f.By)
	case Drift:
		return word + f.Host + " " + f.Rate.String()
	case Slew:
		return word + f.Host + " " + signed(f.By) + " at " + strings.TrimPrefix(f.Rate.String(), "+")
	case Partition:
		return word + f.groups()
	case Cut, Hold:
		return word + f.From + ">" + f.To
	case Slow:
		return word + f.From + ">" + f.To + " by " + f.By.String()
	case Lossy:
		return word + f.From + ">" + f.To + " " + fmt.Sprintf("%dppm", f.Loss)
	}
	return word + f.Host
}

func (f Fault) groups() string {
	groups := make([]string, len(f.Groups))
	for i, g := range f.Groups {
		groups[i] = strings.Join(g, " ")
	}
	return strings.Join(groups, " | ")
}

func signed(d time.Duration) string {
	if d < 0 {
		return d.String()
	}
	return "+" + d.String()
}
