package faults

import (
	"slices"
	"time"
)

// A Storm says what may go wrong in a run, and draws schedules of such faults.
//
// It draws a schedule in two steps: first the kinds of faults that it may have, and the span they fall in, then the
// faults. So some schedules have only pauses, and some have many faults in a short time. If every schedule had every
// kind, failures that take one fault would hide those that take two rare ones.
//
// A draw of 0 is always the simplest: no fault, the first kind, the first host. So smaller draws, as rapid tries them,
// make a simpler schedule.
type Storm struct {
	Kinds []*Kind         // what may happen; empty for every kind
	Most  int             // the most faults; 0 for 6
	Span  time.Duration   // they hit within it, and last no longer; 0 for a minute
	Near  []time.Duration // times such as a TTL: many lengths and clock steps are near them
	Marks []string        // the marks of clients at which faults may hit; empty for instants alone
	Stays bool            // some last for the rest of the run
	Away  time.Duration   // the minimum time for which a restart keeps its node off
}

// A Source is where draws come from, such as a sim.Chance.
type Source interface {
	// Below draws a number from 0 to n-1. Below(0) and Below(1) are 0.
	Below(n uint64) uint64
}

// A grouper is a Source that wants to know which draws belong to one fault, so that it can remove them together.
type grouper interface {
	Source
	Group(draws func())
}

// Draw draws a schedule for a run with this cast. Check accepts it, as long as the horizon is not within the Span.
func (s Storm) Draw(c Source, cast Cast) Schedule {
	s = s.withDefaults()
	s.Kinds = slices.DeleteFunc(slices.Clone(s.Kinds), func(k *Kind) bool { return !k.Possible(&cast) })
	if len(s.Kinds) == 0 {
		return nil
	}
	d := drawing{Source: c, storm: s, cast: &cast}
	kinds := d.some(s.Kinds)
	d.storm.Span = d.within(s.Span) // the span of this schedule
	var all Schedule
	sums, castable := strains{}, cast.check() == nil
	more := true
	for range s.Most {
		d.group(func() {
			if more = d.Below(uint64(max(s.Most, 2))) > 0; !more { // Below(1) would always be 0
				return
			}
			f, ok := d.fault(kinds[d.Below(uint64(len(kinds)))])
			if ok && castable && f.check(&cast, s.Span, sums) == nil { // clocks bear only a limited sum
				all = append(all, f)
			}
		})
		if !more {
			break
		}
	}
	return all
}

// withDefaults fills the zero fields.
func (s Storm) withDefaults() Storm {
	if len(s.Kinds) == 0 {
		s.Kinds = Kinds
	}
	if s.Most <= 0 {
		s.Most = 6
	}
	if s.Span <= 0 {
		s.Span = time.Minute
	}
	return s
}
