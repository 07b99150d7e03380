package guide

import (
	"slices"

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
