package explore

import (
	"maps"
	"math"
	"slices"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/sim"
)

// A trunk is the root and all schedules of one deviation. It is what units share.
type trunk struct {
	count  Extent
	states *states
	units  []unit
}

// A unit is a schedule of one deviation, with all schedules that begin with it. It is explored alone: its findings
// depend on the trunk only, not on who explores it, with which others, or in which order.
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

// unit explores, breadth first, all schedules of 2 to levels deviations that extend u. The first violation found is therefore a
// shortest one. It returns what it has found, and whether that is all: it stops after more than most schedules; 0 is no limit.
func (r *runner) unit(t *trunk, u *unit, levels, most int) (c Extent, done bool) {
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

// level runs schedules, and returns their children unless this is the last level. After each it asks on whether to
// continue. It reports whether it ran all.
func (r *runner) level(all []schedule, known *states, c *Extent, last bool, on func() bool) (next []schedule, done bool) {
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

// visit runs a schedule up to a state that another run continues from, and makes its states known.
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

// An Extent is what was found in some schedules. It is no sample of runs, as a stats.Count is: an exploration goes
// through all of its universe, so there is no interval, and each property has the first schedule that broke it.
type Extent struct {
	Schedules int // were run, or would have ended immediately in a foreseen state
	Merged    int // how many of them reached a known state, where another run continues
	States    int // different ones; a state that schedules of two units reach counts twice
	Unknown   int // runs that a limit of the scenario cut short
	Broken    []Broken
}

// A Broken is a property that broke, and the first schedule that broke it.
type Broken struct {
	Property  int // of checker.Properties
	Schedules int // that broke it
	First     faults.Schedule
}

// Name returns the property's name.
func (b *Broken) Name() string { return checker.Properties[b.Property].Name }

// add counts an outcome.
func (c *Extent) add(o *outcome) {
	c.Schedules++
	if o.merged {
		c.Merged++
	}
	if o.vague {
		c.Unknown++
	}
	for _, property := range o.broken {
		c.broke(Broken{property, 1, o.faults})
	}
}

// broke counts a property that broke. The first is the one that was shown first.
func (c *Extent) broke(b Broken) {
	for i := range c.Broken {
		if c.Broken[i].Property == b.Property {
			c.Broken[i].Schedules += b.Schedules
			return
		}
	}
	c.Broken = append(c.Broken, b)
}

// merge adds what was found in other schedules, which come later.
func (c *Extent) merge(o *Extent) {
	c.Schedules += o.Schedules
	c.Merged += o.Merged
	c.States += o.States
	c.Unknown += o.Unknown
	for _, b := range o.Broken {
		c.broke(b)
	}
}

// estimateMost is where an estimate stops counting. Even on 32 bits an int holds the sum of some hundred estimates.
const estimateMost = min(1<<50, math.MaxInt>>10)

// Estimate estimates how many schedules there are within the bounds, as Knuth estimates the size of a tree. Each
// probe descends by a random child, and multiplies the numbers of children on its way. It ignores merging, which
// makes them fewer.
func (u *Universe) Estimate(probes int) (schedules int) {
	r := newRunner(u)
	defer r.close()
	c := sim.NewChance(u.seed, "explore/estimate")
	sum := 0
	for range probes {
		sum += r.probe(&c)
	}
	return min(sum/max(probes, 1), estimateMost)
}

// probe goes down once.
func (r *runner) probe(c *sim.Chance) int {
	s, width, sum := new(schedule), 1, 1
	for range r.Levels() {
		o := r.replay(s)
		all := r.below(s, &o)
		if len(all) == 0 || width > estimateMost/len(all) {
			break
		}
		width *= len(all)
		sum = min(sum+width, estimateMost)
		s = &all[c.Below(uint64(len(all)))]
	}
	return sum
}
