package explore

import "github.com/lockstorm/lockstorm/sim"

// estimateMost is where an estimate stops to count.
const estimateMost = 1 << 50

// Estimate estimates how many schedules there are within the bounds, as Knuth estimates the size of a tree: each probe goes down by
// a drawn child, and multiplies how many there were on the way. It leaves merging out of account, which makes them fewer.
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
