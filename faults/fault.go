package faults

import (
	"fmt"
	"strings"
	"time"

	"github.com/lockstorm/lockstorm/clock"
)

// A Schedule is a list of Faults. Each heals itself, so any subset of a Schedule is a Schedule.
type Schedule []Fault

// A Fault is one thing that goes wrong, for an interval. Which of the last fields count follows from its Kind. Where the
// name of a host stands in them, a role may stand instead.
type Fault struct {
	At   clock.Instant // when it strikes
	When Mark          // what it waits for instead of At, if anything
	For  time.Duration // how long it lasts; 0 means for the rest of the run
	On   string        // the host whose wall clock counts For; empty means true time
	Kind Kind

	Host   string        // whom it strikes; of partitions, the one that Isolate is about
	Clean  bool          // Restart: an orderly shutdown, not a power failure
	By     time.Duration // Jump, Strobe: how far; Slew: how much in all; Slow, SlowNode: how much longer a message takes
	Every  time.Duration // Strobe: how long until the clock is stepped again
	Rate   clock.Rate    // Drift: by how much; Slew: how fast
	From   string        // Cut, Hold, Slow, Lossy: the sending end of the link
	To     string        // Cut, Hold, Slow, Lossy: the receiving end
	Loss   int           // Lossy: how many of a million messages are lost
	Shape  Shape         // Partition: who is parted from whom
	Groups [][]string    // Partition of the shape Grouped: hosts that reach each other, and no host of another group
	OneWay bool          // Partition of the shape Grouped: a group is still reached from those after it
}

// A Mark is the moment when a proc on a host passes a named point.
type Mark struct {
	Host  string        // Any means any client; empty means that the fault strikes At its instant
	Name  string        // the mark, such as "acquired"
	Nth   int           // which passing, from 1; 0 means the first
	After time.Duration // how long after it
}

// A Kind says what goes wrong.
type Kind uint8

// The kinds of faults.
const (
	Pause     Kind = iota // Host does nothing; its clocks run on
	Suspend               // Host does nothing, and its awake clock stands still; the others run on
	Crash                 // the process on Host dies, and is started again at the end; the machine stays on
	Restart               // Host goes off, and is on again at the end
	Jump                  // Host's wall clock is stepped by By, and back at the end, if it has one
	Drift                 // Host's clocks run faster by Rate
	Slew                  // Host's clocks are corrected by By, at Rate; it has no For
	Strobe                // Host's wall clock is stepped forth by By, back after Every, forth again; it ends where it would be
	Partition             // no message passes where Shape says so
	Cut                   // no message passes from From to To
	Hold                  // the next message from From to To is held until the end
	Slow                  // each message from From to To takes By longer
	SlowNode              // each message to Host takes By longer, so each request does
	Lossy                 // Loss of a million messages from From to To are lost
)

var kinds = [...]string{
	"pause", "suspend", "crash", "restart", "jump", "drift", "slew", "strobe",
	"partition", "cut", "hold", "slow", "slow-node", "lossy",
}

// String gives the word that begins what the fault does.
func (k Kind) String() string {
	if int(k) >= len(kinds) {
		return fmt.Sprintf("kind %d", k)
	}
	return kinds[k]
}

// A Shape says who is parted from whom in a Partition.
type Shape uint8

// The shapes of partitions. Only Grouped may be one-way.
const (
	Grouped Shape = iota // the hosts of each of Groups from those of the others
	Isolate              // Host from everybody else
	Split                // a drawn minority of the nodes and a drawn half of the clients from the others
	Ring                 // each client from all nodes but a majority, which begins at the node of its own number
	Bridge               // two halves of nodes and clients from each other; the node in the middle reaches both
)

var shapes = [...]string{"groups", "isolate", "split", "ring", "bridge"}

// String gives the word that follows "partition"; Grouped has none in a schedule, and is called "groups".
func (s Shape) String() string {
	if int(s) >= len(shapes) {
		return fmt.Sprintf("shape %d", s)
	}
	return shapes[s]
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
	case Strobe:
		return word + f.Host + " " + f.By.String() + " every " + f.Every.String()
	case Partition:
		return word + f.parts()
	case Cut, Hold:
		return word + f.From + ">" + f.To
	case Slow:
		return word + f.From + ">" + f.To + " by " + f.By.String()
	case SlowNode:
		return word + f.Host + " by " + f.By.String()
	case Lossy:
		return word + f.From + ">" + f.To + " " + fmt.Sprintf("%dppm", f.Loss)
	}
	return word + f.Host
}

// parts gives who is parted from whom.
func (f Fault) parts() string {
	switch f.Shape {
	case Grouped:
		groups := make([]string, len(f.Groups))
		for i, g := range f.Groups {
			groups[i] = strings.Join(g, " ")
		}
		if f.OneWay {
			return strings.Join(groups, " > ")
		}
		return strings.Join(groups, " | ")
	case Isolate:
		return f.Shape.String() + " " + f.Host
	}
	return f.Shape.String()
}

func signed(d time.Duration) string {
	if d < 0 {
		return d.String()
	}
	return "+" + d.String()
}
