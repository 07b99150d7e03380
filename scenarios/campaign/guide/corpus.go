package guide

import (
	"cmp"
	"slices"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
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
	if r.Row.Broke()&c.watched == 0 { // else the search would stay where it has been
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
		at, _ := slices.BinarySearchFunc(runs, r.margins[m], func(o *Run, value int64) int {
			return cmp.Or(cmp.Compare(o.margins[m], value), -1)
		})
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

// A margin is a way to be close to breaking a promise. Its value is how far a run was from that: the smallest in the run, below
// 0 where what it measures went wrong.
type margin int

// The margins.
const (
	afterBelief   margin = iota // from when a client went on no longer to the next acquire of another
	afterValidity               // from the end of a validity to the next acquire of another client
	keysBelief                  // from when a client went on no longer to when a majority of nodes had not its key any more
	keysValidity                // the same, from the end of its validity
	validityLeft                // how much validity an acquire was left with
	lateWrite                   // from a write to when its client went on no longer
	nextHolder                  // from a write to the next acquire of another client
	tokenStep                   // by how much a fencing token is larger than that of the acquire before
	tokenAge                    // how young a fencing token was when its acquire returned
	waiting                     // how much shorter than its bound the longest wait was that no other holder explains
	probing                     // the same of the probe's
	releasedKey                 // from the end of a key to when its owner was done, and every node had answered it
	orphanKey                   // the same, where some node had not
	margins                     // how many there are
)

// far is the value of a margin that a run does not have.
const far = 1 << 62

// marginsOf returns the margins that belong to a property.
func marginsOf(property string) []margin {
	switch property {
	case "belief":
		return []margin{afterBelief, keysBelief, validityLeft}
	case "validity":
		return []margin{afterValidity, keysValidity}
	case "quorum", "continuity":
		return []margin{keysValidity}
	case "storage":
		return []margin{lateWrite, nextHolder, afterBelief}
	case "fenced":
		return []margin{lateWrite, nextHolder}
	case "tokens":
		return []margin{tokenStep, tokenAge}
	case "deadlock-free":
		return []margin{probing}
	case "fault-tolerant":
		return []margin{waiting}
	case "leak-free":
		return []margin{releasedKey, orphanKey}
	}
	return nil
}

func (l *gatherer) margin(m margin, value int64) { l.run.margins[m] = min(l.run.margins[m], value) }

func (l *gatherer) time(m margin, d time.Duration) { l.margin(m, int64(d)) }

// waits looks for how long clients waited while nobody else had the lock.
func (l *gatherer) waits() {
	e := l.e
	if e.Bound == 0 || e.Clients == 0 {
		return
	}
	asked := make([]clock.Instant, e.Clients)
	for i := range asked {
		asked[i] = never
	}
	for i := range e.History {
		op := &e.History[i]
		c := op.Process % e.Clients
		switch {
		case op.F != checker.Acquire && op.F != checker.Release:
		case op.Type == checker.Invoke:
			asked[c] = op.Time
		case asked[c] != never:
			l.time(waiting, e.Bound-l.free(op.F, c, asked[c], op.Time))
			asked[c] = never
		}
	}
}

// free returns the longest part of a call in which no other client had the lock, or the whole of a release.
func (l *gatherer) free(call checker.Func, client int, start, to clock.Instant) (longest time.Duration) {
	for i := range l.e.Holds {
		h := &l.e.Holds[i]
		if call == checker.Release || h.Client == client {
			continue
		}
		if until := max(h.Gone, h.Valid); until > start && h.From < to {
			longest, start = max(longest, h.From.Sub(start)), until
		}
	}
	return max(longest, to.Sub(start))
}
