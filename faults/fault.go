package faults

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/lockstorm/lockstorm/clock"
)

// A Schedule is a list of Faults. Each heals itself, so any subset of a Schedule is a Schedule.
type Schedule []Fault

// A Fault is one thing that goes wrong, for an interval. Its Kind says which of the last fields count. A role may
// replace the name of a host in them.
//
// One struct has the fields of all kinds. So a schedule is plain data: a program writes it as a literal, and copies and
// changes it without knowing the kinds. The file of each kind defines the meaning of the fields.
type Fault struct {
	At   clock.Instant // when it hits
	When Mark          // what it waits for instead of At, if anything
	For  time.Duration // how long it lasts; 0 means for the rest of the run
	On   string        // the host whose wall clock counts For; empty means true time
	Kind *Kind

	Host   string        // the target; in partitions, the host that Isolate isolates
	Clean  bool          // Restart: an orderly shutdown, not a power failure
	By     time.Duration // Jump, Strobe: how far; Slew: how much in all; Slow, SlowNode: the added delay
	Every  time.Duration // Strobe: how long until the clock is stepped again
	Rate   clock.Rate    // Drift: by how much; Slew: how fast
	From   string        // Cut, Hold, Slow, Lossy: the sending end of the link
	To     string        // Cut, Hold, Slow, Lossy: the receiving end
	Reply  string        // Refuse: the first word of the error that the node answers with
	Loss   int           // Lossy: how many of a million messages are lost
	Shape  Shape         // Partition: which hosts are separated
	Groups [][]string    // Partition of the shape Grouped: hosts that reach each other, and no host of another group
	OneWay bool          // Partition of the shape Grouped: later groups still reach earlier ones
}

// Clone returns a copy with its own lists of hosts.
func (f Fault) Clone() Fault {
	f.Groups = slices.Clone(f.Groups)
	for i := range f.Groups {
		f.Groups[i] = slices.Clone(f.Groups[i])
	}
	return f
}

// A Mark is the moment when a proc on a host passes a named point.
type Mark struct {
	Host  string        // Any for any client; empty for a fault that hits at an instant
	Name  string        // the mark, such as "acquired"
	Nth   int           // which passing, from 1; 0 means the first
	After time.Duration // how long after the passing
}

// String returns the schedule's text, one fault per line.
func (s Schedule) String() string {
	var b strings.Builder
	for _, f := range s {
		b.WriteString(f.String())
		b.WriteByte('\n')
	}
	return b.String()
}

// Lines returns the text of each fault.
func (s Schedule) Lines() []string {
	lines := make([]string, len(s))
	for i, f := range s {
		lines[i] = f.String()
	}
	return lines
}

// String returns the fault's line.
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

// String returns the moment in words, such as "c1 acquired 2nd +10ms".
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
