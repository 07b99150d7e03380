package archive

import "github.com/lockstorm/lockstorm/scenarios/campaign"

// A stoppingRule follows the rule by which the cells of a job end early, as their rows come. Without a rule it does nothing.
type stoppingRule struct {
	job  *campaign.Job
	grid *campaign.Grid // nil without a rule
	next []int          // of each cell, how many of its blocks have been counted
}

func newStoppingRule(j *campaign.Job) stoppingRule {
	if j.Rule.Tight == 0 {
		return stoppingRule{}
	}
	return stoppingRule{job: j, grid: j.Grid(nil), next: make([]int, len(j.Cells))}
}

// over reports whether a block is not needed, for its cell has ended before. A cell of which no rule is known goes on.
func (r *stoppingRule) over(block int) bool {
	if r.grid == nil {
		return false
	}
	cell, _, _ := r.job.Block(block)
	return r.grid.Over(cell)
}

// count adds a block to its cell, but not one after a gap, because it proves nothing. It reports whether the cell has ended with
// the block, and how many rows need not be made then.
func (r *stoppingRule) count(block int, rows []campaign.Row) (skipped int, over bool) {
	if r.grid == nil {
		return 0, false
	}
	cell, _, _ := r.job.Block(block)
	if r.grid.Over(cell) || r.next[cell] != r.job.Level(block) {
		return 0, false
	}
	r.next[cell]++
	if _, err := r.grid.Count(block, rows); err != nil {
		panic("archive: " + err.Error()) // Count returns none
	}
	return r.job.Runs - r.grid.Spots[cell].Runs, r.grid.Over(cell)
}
