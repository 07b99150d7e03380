package explore

import (
	"maps"
	"slices"

	"github.com/lockstorm/lockstorm/sim"
)

// A trunk is the root and all schedules of one deviation. Each process makes it: it is what units share.
type trunk struct {
	count  Count
	states *states
	units  []unit
}

// A unit is a schedule of one deviation, with all schedules that begin with it. It is explored by itself: what it finds depends
// on the trunk alone, whoever explores it, beside what, and in which order.
type unit struct {
	first schedule
	own   outcome // of its run in the trunk: what points to choose from it has
}

// newTrunk runs the root and the schedules of one deviation.
func (r *runner) newTrunk() *trunk {
	t := &trunk{states: newStates(nil)}
	first := new(schedule)
	root := r.visit(first, t.states)
	t.count.add(&root)
	var all []schedule
	if r.Levels() > 0 {
		all = r.below(first, &root)
	}
	for i := range all {
		o := r.visit(&all[i], t.states)
		t.count.add(&o)
		t.units = append(t.units, unit{all[i], o.kept()})
	}
	t.count.States = t.states.fresh
	return t
}

// kept returns what children needs of an outcome, to be used after the next run.
func (o *outcome) kept() outcome {
	all := len(o.trace)
	for all > 0 && o.trace[all-1].At > o.end {
		all--
	}
	trace := slices.Clone(o.trace[:all])
	for i := range trace {
		if trace[i].Kind != sim.Marked {
			trace[i].Body = nil
		}
	}
	return outcome{trace: trace, end: o.end, foreseen: maps.Clone(o.foreseen)}
}

// below returns the schedules of one deviation more.
func (r *runner) below(s *schedule, o *outcome) (all []schedule) {
	r.children(s, o, func(c schedule) bool {
		all = append(all, c)
		return true
	})
	return all
}

// unit explores the schedules of two to so many deviations that begin with that of a unit: breadth first, so that the first that
// breaks a property is the shortest. It returns what it has found, and whether that is all: it stops after more than most schedules; 0 is no
// limit.
func (r *runner) unit(t *trunk, u *unit, levels, most int) (c Count, done bool) {
	known := newStates(t.states)
	r.levels = levels
	level := r.below(&u.first, &u.own)
	within := func() bool { return most <= 0 || c.Schedules <= most }
	for deviations := 2; deviations <= levels && len(level) > 0; deviations++ {
		if level, done = r.level(level, known, &c, deviations == levels, within); !done {
			return c, false
		}
	}
	c.States = known.fresh
	return c, true
}

// level runs schedules, and returns those of one deviation more, unless these are the last. It asks after each whether to go on, and
// reports whether all were run.
func (r *runner) level(all []schedule, known *states, c *Count, last bool, on func() bool) (next []schedule, done bool) {
	for i := range all {
		s := new(schedule) // what is made from it keeps it, and not all of the level
		*s = all[i]
		o := r.visit(s, known)
		if c.add(&o); !on() {
			return nil, false
		}
		if !last {
			next = append(next, r.below(s, &o)...)
		}
	}
	return next, true
}

// visit runs a schedule as far as no other goes on from its state, and makes its states known.
func (r *runner) visit(s *schedule, known *states) outcome {
	messages := s.messages
	if r.unbounded {
		messages = 0 // however many there were, there may be as many more
	}
	mask := upTo(messages, s.strikes)
	if s.foreseen && known.has(s.first, mask) {
		return outcome{merged: true}
	}
	r.known = func(state uint64) bool { return known.has(state, mask) }
	o := r.run(s)
	known.add(r.states, bit(messages, s.strikes))
	return o
}
