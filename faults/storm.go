package faults

import (
	"slices"
	"time"
)

// A Storm says what may go wrong in a run, and draws schedules of that.
//
// A schedule is drawn in two steps: first which kinds of faults it may have at all, and within how much of the span,
// then the faults. So there are schedules of pauses alone, and of many faults in a short time; with every kind in
// each schedule, what takes two rare faults to break would hide behind what takes one.
//
// A draw of 0 is always the simplest: no fault, the first kind, the first host. So making draws smaller, as rapid does,
// makes the schedule simpler.
type Storm struct {
	Kinds []*Kind         // what may happen; empty for every kind
	Most  int             // how many faults at most; 0 for 6
	Span  time.Duration   // they strike within it, and last no longer; 0 for a minute
	Near  []time.Duration // times at which behaviour changes, such as a TTL: lengths and clock steps are drawn from around them too
	Marks []string        // what clients pass on their way, at which faults may strike; empty for instants alone
	Stays bool            // some last for the rest of the run
	Away  time.Duration   // how long a restart keeps its node off at least
}

// A Source is where draws come from. A sim.Chance is one.
type Source interface {
	// Below draws a number from 0 to n-1. Below(0) and Below(1) are 0.
	Below(n uint64) uint64
}

// A grouper is a Source that wants to know which draws belong together: those of one fault. So it can take them out.
type grouper interface {
	Source
	Group(draws func())
}

// Draw draws a schedule for a run that has this cast. Check finds no fault with it, as long as the horizon is not within
// the Span.
func (s Storm) Draw(c Source, cast Cast) Schedule {
	s = s.withDefaults()
	s.Kinds = slices.DeleteFunc(slices.Clone(s.Kinds), func(k *Kind) bool { return !k.Possible(&cast) })
	if len(s.Kinds) == 0 {
		return nil
	}
	d := drawing{Source: c, storm: s, cast: &cast}
	kinds := d.some(s.Kinds)
	d.storm.Span = d.within(s.Span) // that of this schedule
	var all Schedule
	sums, castable := strains{}, cast.check() == nil
	more := true
	for range s.Most {
		d.group(func() {
			if more = d.Below(uint64(max(s.Most, 2))) > 0; !more { // Below(1) would be 0 for ever
				return
			}
			f, ok := d.fault(kinds[d.Below(uint64(len(kinds)))])
			if ok && castable && f.check(&cast, s.Span, sums) == nil { // clocks bear only so much together
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
