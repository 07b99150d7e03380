package scenarios

import (
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/sim"
)

// A Branch is a run that leaves another: until an instant it is the run of the seed, to the last message. From there on
// delays, losses, choices and tokens are other random numbers, and no further fault of the schedule hits. Faults that
// have hit take their course.
type Branch struct {
	From clock.Instant // must be above 0
	Seed uint64        // of the other random numbers
}

// choose answers the draws of a run with this seed.
func (b *Branch) choose(w *sim.World, seed uint64) func(stream string, n uint64) uint64 {
	before, after := map[string]*sim.Chance{}, map[string]*sim.Chance{}
	return func(stream string, n uint64) uint64 {
		streams, from := before, seed
		if w.Now() >= b.From {
			streams, from = after, b.Seed
		}
		c := streams[stream]
		if c == nil {
			made := sim.NewChance(from, stream)
			c, streams[stream] = &made, &made
		}
		return c.Below(n)
	}
}
