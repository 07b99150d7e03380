package guide

import (
	"cmp"
	"slices"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/sim"
)

// A corpus is what runs have shown so far, and those runs that others are made of. It grows with the number of features, not
// with that of runs.
type corpus struct {
	watched campaign.Set
	aims    []margin        // those that belong to what is watched
	places  map[feature]int // in known; looked up, never ranged over
	known   []shown
	closest [margins][]*Run // by their margin, the smallest first
	idle    [margins]int    // how often a margin was taken since it last became smaller
}

// A shown feature is one that some run had.
type shown struct {
	run   *Run // the one with the fewest faults
	times int  // runs that showed it
}

const (
	rivals = 4 // features of which the rarest is taken
	near   = 4 // runs that are kept for each margin
)

func newCorpus(watched campaign.Set) corpus {
	return corpus{watched: watched, aims: aims(watched), places: map[feature]int{}}
}

// add adds a run. Runs are added in order.
func (c *corpus) add(r *Run) {
	for _, f := range r.features {
		i, known := c.places[f]
		if !known {
			i = len(c.known)
			c.places[f], c.known = i, append(c.known, shown{run: r})
		}
		c.known[i].times++
		if len(r.Universe.Faults) < len(c.known[i].run.Universe.Faults) {
			c.known[i].run = r
		}
	}
	if r.Row.Violated&c.watched == 0 { // else the search would stay where it has been
		c.compare(r)
	}
}

// compare keeps a run for each margin by which it came close.
func (c *corpus) compare(r *Run) {
	for _, m := range c.aims {
		if r.margins[m] == far {
			continue
		}
		runs := c.closest[m]
		at, _ := slices.BinarySearchFunc(runs, r.margins[m], func(o *Run, value int64) int { return cmp.Or(cmp.Compare(o.margins[m], value), -1) })
		if at == 0 {
			c.idle[m] = 0
		}
		runs = slices.Insert(runs, at, r)
		c.closest[m] = runs[:min(len(runs), near)]
	}
}

// rare draws a run that showed something that few others did.
func (c *corpus) rare(draw *sim.Chance) *Run {
	best := shown{}
	for range rivals {
		if s := c.known[draw.Below(uint64(len(c.known)))]; best.run == nil || s.times < best.times {
			best = s
		}
	}
	return best.run
}

// close draws a run that came close to breaking what is watched; nil if there is none.
func (c *corpus) close(draw *sim.Chance) *Run {
	best, ties := margins, uint64(0)
	for _, m := range c.aims {
		switch {
		case len(c.closest[m]) == 0:
		case best == margins || c.idle[m] < c.idle[best]:
			best, ties = m, 1
		case c.idle[m] == c.idle[best]:
			if ties++; draw.Below(ties) == 0 {
				best = m
			}
		}
	}
	if best == margins {
		return nil
	}
	c.idle[best]++
	return c.closest[best][draw.Below(uint64(len(c.closest[best])))]
}

// aims returns the margins of the properties that are watched.
func aims(watched campaign.Set) (all []margin) {
	for i, p := range checker.Properties {
		for _, m := range marginsOf(p.Name) {
			if watched.Has(i) && !slices.Contains(all, m) {
				all = append(all, m)
			}
		}
	}
	return all
}
