package campaign

import (
	"fmt"
	"iter"
	"slices"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/scenarios/campaign/stats"
)

// A Rule is when a cell ends early: when, for each property that it looks at, the interval of Wilson
// at 95 % is no wider than Tight, and no run was cut short, because its verdict is not known. It looks when a cell has made 50
// runs, 100, 200, 400 and so on, and decides in whole numbers: so a cell ends at the same run on every machine, in whatever blocks
// the runs are made.
//
// To look more than once costs a little, because the interval of a cell that ended early was chosen for being narrow. On
// average over all shares it covers the true one 95 times of 100, as Wilson's do; for some shares 91 times, which a test of
// package stats computes. The upper bound for what never broke costs nothing: it is that of as many runs without looks.
type Rule struct {
	Tight      int      `json:"tight_millionths"` // 0 for never
	Properties []string `json:"properties"`       // empty for all
}

const (
	look       = 50        // how many runs a cell has made when it is first looked at
	ruledBlock = look << 7 // how many rows a block has at most, where a rule may end cells: seconds of work
)

// check refuses a rule that can't be followed in blocks of that size.
func (r *Rule) check(size int) error {
	if r.Tight < 0 || r.Tight > 1_000_000 {
		return fmt.Errorf("an interval can't be %d millionths wide; want 0 to 1000000", r.Tight)
	}
	if blocks := size / look; r.Tight > 0 && (size%look != 0 || blocks&(blocks-1) != 0) {
		return fmt.Errorf("where cells end early, a block has %d rows, or twice that, four times and so on; not %d", look, size)
	}
	return checkProperties(r.Properties)
}

// firstLook is how many runs a cell has made at the first look that can end it, but no more than most: no interval is
// narrower than that of a property that never broke.
func (r *Rule) firstLook(most int) int {
	n := look
	for n < most && !stats.Tight(0, n, r.Tight) {
		n *= 2
	}
	return n
}

// A Grid is a job of which some rows have been counted, cell by cell.
type Grid struct {
	Spots []Spot // of each cell

	job   *Job
	asked []int  // of checker.Properties
	over  []bool // for each cell, whether it has ended
	open  int    // how many have not
}

// Grid returns the job with no row counted, and a place for each of some properties; none stands for all. Where a rule may
// end cells, those of the rule are counted.
func (j *Job) Grid(properties []string) *Grid {
	if j.Rule.Tight > 0 {
		properties = j.Rule.Properties
	}
	g := &Grid{Spots: make([]Spot, len(j.Cells)), job: j, over: make([]bool, len(j.Cells)), open: len(j.Cells)}
	for i, p := range checker.Properties {
		if len(properties) == 0 || slices.Contains(properties, p.Name) {
			g.asked = append(g.asked, i)
		}
	}
	for i := range g.Spots {
		g.Spots[i] = Spot{Cell: j.Cells[i], Properties: make([]Frequency, len(g.asked))}
		for k, p := range g.asked {
			g.Spots[i].Properties[k].Name = checker.Properties[p].Name
		}
	}
	return g
}

// Count adds the rows of a block; it can be the Done of an Engine. The rows of each cell must come in order. Those of
// a cell that has ended are left out. more is false if no cell is open any more.
func (g *Grid) Count(_ int, rows []Row) (more bool, err error) { return g.count(rows), nil }

func (g *Grid) count(rows []Row) (more bool) {
	for i := range rows {
		if c := rows[i].Cell; !g.over[c] {
			g.add(&g.Spots[c], &rows[i])
			if g.enough(&g.Spots[c]) {
				g.over[c] = true
				g.open--
			}
		}
	}
	return g.open > 0
}

// Over reports whether a cell has ended.
func (g *Grid) Over(cell int) bool { return g.over[cell] }

// Open returns those of some blocks whose cells have not ended when it reaches them.
func (g *Grid) Open(blocks iter.Seq[int]) iter.Seq[int] {
	return func(yield func(int) bool) {
		for b := range blocks {
			if cell, _, _ := g.job.Block(b); !g.over[cell] && !yield(b) {
				return
			}
		}
	}
}

func (g *Grid) add(s *Spot, r *Row) {
	s.Runs++
	for k, p := range g.asked {
		s.Properties[k].add(p, r)
	}
}

// enough reports whether a cell ends now: at 50 runs, 100, 200 and so on.
func (g *Grid) enough(s *Spot) bool {
	looks := s.Runs / look
	if g.job.Rule.Tight == 0 || s.Runs%look != 0 || looks&(looks-1) != 0 {
		return false
	}
	for _, p := range s.Properties {
		if p.Unknown > 0 || !stats.Tight(p.Violated, p.Runs, g.job.Rule.Tight) {
			return false
		}
	}
	return true
}
