package guide

import (
	"slices"
	"time"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/sim"
)

// A child is a universe that is made of a parent's.
type child struct {
	*sim.Chance
	universes *scenarios.Universes
	corpus    *corpus

	parent *Run
	plan   plan
	fresh  uint64 // the seed for other latencies
	storm  faults.Storm
	cast   faults.Cast
}

// attempts is how often a universe is changed until one passes its check.
const attempts = 20

// make sets a run's universe and seed to those of a child. It returns false if none could be made.
func (c *child) make(r *Run) bool {
	change := c.rebuild
	c.parent = c.corpus.rare(c.Chance)
	storm, _ := c.universes.Storm(&c.parent.Universe)
	if c.Below(5) >= 3 || len(storm.Kinds) == 0 { // without faults nothing can be rebuilt
		if run := c.corpus.close(c.Chance); run != nil {
			c.parent, change = run, c.tune
		}
	}
	c.fresh = r.Row.Seed
	for range attempts {
		c.plan = planOf(c.parent, c.universes.Own())
		c.storm, c.cast = c.universes.Storm(&c.plan.universe)
		if !change() {
			continue
		}
		if c.sides(); c.plan.universe.Check() == nil {
			r.Universe, r.Row.Seed, r.Parent = c.plan.universe, c.plan.seed, c.parent.Number
			return true
		}
	}
	return false
}

// sides puts everybody whom the universe has on a side of each drawn partition, as a storm does. The parent may have had fewer
// clients or nodes.
func (c *child) sides() {
	_, cast := c.universes.Storm(&c.plan.universe)
	for i := c.plan.own; i < len(c.plan.universe.Faults); i++ {
		f := &c.plan.universe.Faults[i]
		if len(f.Groups) == 0 { // it has another shape, or is no partition
			continue
		}
		sides := make([][]string, len(f.Groups))
		for _, name := range slices.Concat(cast.Clients, cast.Nodes) {
			side := slices.IndexFunc(f.Groups, func(g []string) bool { return slices.Contains(g, name) })
			if side < 0 {
				side = int(c.Below(uint64(len(sides))))
			}
			sides[side] = append(sides[side], name)
		}
		f.Groups = sides
	}
}

// rebuild takes out some faults, and puts in others until there are as many as there may be: so more of them are tried in a run.
func (c *child) rebuild() (changed bool) {
	if c.Below(5) > 0 {
		c.plan.seed, changed = c.fresh, true
	}
	if c.Below(3) == 0 {
		changed = c.redraw() || changed
	}
	for range c.Below(uint64(c.plan.drawn()) + 1) {
		changed = c.remove() || changed
	}
	for c.plan.drawn() < c.storm.Most && c.insert() {
		changed = true
	}
	return changed
}

// tune changes one thing, or a few.
func (c *child) tune() (changed bool) {
	for range 1 + c.Below(1+c.Below(4)) {
		changed = c.tuneOne() || changed
	}
	return changed
}

func (c *child) tuneOne() bool {
	switch c.Below(8) {
	case 0, 1:
		c.plan.seed = c.fresh
		return true
	case 2:
		return c.redraw()
	case 3:
		return c.insert()
	case 4:
		return c.replace()
	case 5, 6:
		return c.alter()
	default:
		return c.shift()
	}
}

// redraw draws one of the settings that vary anew. Of a range it takes an end half of the time: there sums are tight.
func (c *child) redraw() bool {
	n := c.universes.Settings()
	if n == 0 {
		return false
	}
	i := int(c.Below(uint64(n)))
	if c.universes.Inner(i) && c.Below(2) == 0 {
		return c.universes.ToEnd(&c.plan.universe, i, c.Chance)
	}
	return c.universes.Redraw(&c.plan.universe, i, c.Chance)
}

// insert puts in another fault; where there can be no more, in place of one.
func (c *child) insert() bool {
	if c.plan.drawn() >= c.storm.Most {
		return c.replace()
	}
	f, ok := c.fault()
	if ok {
		c.plan.add(f)
	}
	return ok
}

// replace puts another fault in the place of one, rather of one that did not strike.
func (c *child) replace() bool {
	if c.plan.drawn() == 0 {
		return false
	}
	i := c.pick()
	for range 3 {
		if c.plan.begins[i] != never {
			i = c.pick()
		}
	}
	f, ok := c.fault()
	if ok {
		c.plan.set(i, f)
	}
	return ok
}

func (c *child) remove() bool {
	if c.plan.drawn() == 0 {
		return false
	}
	c.plan.remove(c.pick())
	return true
}

// pick draws the place of a fault that was drawn; there must be one.
func (c *child) pick() int { return c.plan.own + int(c.Below(uint64(c.plan.drawn()))) }

// A plan is a universe in the making.
type plan struct {
	universe scenarios.Scenario
	seed     uint64
	own      int             // faults that each universe has
	begins   []clock.Instant // when each fault struck in the parent's run
}

func planOf(parent *Run, own int) plan {
	p := plan{universe: parent.Universe, seed: parent.Row.Seed, own: own, begins: slices.Clone(parent.begins)}
	p.universe.Faults = slices.Clone(parent.Universe.Faults)
	return p
}

// drawn is how many faults there are that each universe has not.
func (p *plan) drawn() int { return len(p.universe.Faults) - p.own }

func (p *plan) add(f faults.Fault) {
	p.universe.Faults, p.begins = append(p.universe.Faults, f), append(p.begins, never)
}

func (p *plan) set(i int, f faults.Fault) { p.universe.Faults[i], p.begins[i] = f, never }

func (p *plan) remove(i int) {
	p.universe.Faults, p.begins = slices.Delete(p.universe.Faults, i, i+1), slices.Delete(p.begins, i, i+1)
}

// fault draws a fault, and aims it.
func (c *child) fault() (faults.Fault, bool) {
	f, ok := c.draw(c.storm.Kinds)
	if ok {
		c.aim(&f)
	}
	return f, ok
}

// draw draws a fault as the storm does. A schedule that it draws may be empty.
func (c *child) draw(kinds []*faults.Kind) (faults.Fault, bool) {
	if len(kinds) == 0 { // which would stand for all
		return faults.Fault{}, false
	}
	storm := c.storm
	storm.Kinds = kinds
	for range 8 {
		if all := storm.Draw(c.Chance, c.cast); len(all) > 0 {
			return all[c.Below(uint64(len(all)))], true
		}
	}
	return faults.Fault{}, false
}

// aim lets a fault strike where something happened in the parent's run: one time in four at a moment, and else mostly at a
// mark.
func (c *child) aim(f *faults.Fault) {
	switch {
	case len(c.parent.marks) == 0:
		return
	case c.Below(4) == 0:
		if at := c.moment(); c.inSpan(at) {
			f.At, f.When = at, faults.Mark{}
		}
	case c.Below(4) > 0:
		c.mark(f)
	}
	if 0 < f.For && f.For < time.Millisecond {
		f.For += time.Duration(1+c.Below(20)) * time.Millisecond
	}
}

// mark lets a fault strike at a mark that a client passed; half of those that strike a client, at that client.
func (c *child) mark(f *faults.Fault) {
	passed := c.parent.marks[c.Below(uint64(len(c.parent.marks)))]
	after := f.When.After
	f.At, f.When = 0, passed[c.Below(uint64(len(passed)))]
	if c.Below(4) == 0 {
		f.When.After = after
	}
	if c.Below(2) == 0 {
		c.same(f)
	}
}

// same lets a fault that strikes a client strike the one that passes its mark.
func (c *child) same(f *faults.Fault) {
	if len(f.Groups) > 0 { // it may stand in one of them already
		return
	}
	for _, at := range f.Hosts() {
		if slices.Contains(c.cast.Clients, *at) || *at == faults.Holder || *at == faults.AClient {
			*at = f.When.Host
			return
		}
	}
}

func (c *child) inSpan(t clock.Instant) bool { return 0 <= t && time.Duration(t) <= c.storm.Span }

// moment draws a moment about one at which something happened in the parent's run, or anywhere between two of them.
func (c *child) moment() clock.Instant {
	all := c.parent.moments
	if len(all) == 0 {
		return never
	}
	i := int(c.Below(uint64(len(all))))
	at := all[i]
	if c.Below(2) == 0 && i+1 < len(all) {
		return whole(at + clock.Instant(c.Below(uint64(all[i+1]-at))))
	}
	off := clock.Instant(c.Below(1<<c.Below(14))) * clock.Instant(time.Microsecond)
	if c.Below(2) == 0 {
		off = -off
	}
	return whole(at + off)
}

// whole returns an instant in whole microseconds, as a storm draws it.
func whole(t clock.Instant) clock.Instant { return t - t%clock.Instant(time.Microsecond) }

// shift lets a fault begin or end about when something happened. Until the fault strikes, a run with the same seed is that
// of the parent, so what it is aimed at will happen.
func (c *child) shift() bool {
	if c.plan.drawn() == 0 {
		return false
	}
	i, at := c.pick(), c.moment()
	f := &c.plan.universe.Faults[i]
	if began := c.plan.begins[i]; f.For > 0 && began != never && c.Below(2) == 0 {
		return c.last(f, at.Sub(began).Truncate(time.Microsecond))
	}
	if !c.inSpan(at) {
		return false
	}
	f.At, f.When, c.plan.begins[i] = at, faults.Mark{}, at
	return true
}

// last sets how long a fault lasts, if a storm could draw that.
func (c *child) last(f *faults.Fault, d time.Duration) bool {
	least := time.Microsecond
	if f.Kind == faults.Restart {
		least = max(least, c.storm.Away)
	}
	if d < least || d > c.storm.Span {
		return false
	}
	f.For = d
	return true
}

// alter takes one part of a fault from another of its kind: when, for how long, whom, or by how much.
func (c *child) alter() bool {
	if c.plan.drawn() == 0 {
		return false
	}
	i := c.pick()
	f := c.plan.universe.Faults[i].Clone()
	o, ok := c.draw([]*faults.Kind{f.Kind})
	if !ok {
		return false
	}
	switch c.Below(4) {
	case 0:
		f.At, f.When, c.plan.begins[i] = o.At, o.When, never
	case 1:
		f.For, f.On = o.For, o.On
	case 2:
		f.Host, f.From, f.To, f.Groups, f.Shape, f.OneWay = o.Host, o.From, o.To, o.Groups, o.Shape, o.OneWay
	case 3:
		f.By, f.Rate, f.Every, f.Loss, f.Clean = o.By, o.Rate, o.Every, o.Loss, o.Clean
	}
	c.plan.universe.Faults[i] = f
	return true
}
