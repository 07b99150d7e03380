package campaign

import (
	"fmt"
	"iter"
	"maps"
	"math/bits"
	"slices"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/checker/blackbox"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign/stats"
)

// A Rule says when a cell ends early: when, for each of its properties, the interval of Wilson at 95 % is no wider than Tight,
// and no run was cut short, because the verdict of such a run is not known. A cell is checked when it has 50 runs, 100, 200, 400
// and so on, in whole numbers: so it ends at the same run on every machine, in whatever blocks the runs are made.
//
// Checking more than once costs a little, because the interval of a cell that ended early was chosen for being narrow. On
// average over all shares it covers the true one 95 times of 100, as Wilson's do; for some shares 91 times, which a test of
// package stats computes. The upper bound for what never broke costs nothing: it equals the bound of the same number of runs
// without early stopping.
type Rule struct {
	Tight      int      `json:"tight_millionths"` // 0 for never
	Properties []string `json:"properties"`       // of scenarios.Judged; empty for all of checker.Properties
}

const (
	firstCheck = 50              // how many runs a cell has when it is checked for the first time
	ruledBlock = firstCheck << 7 // how many rows a block has at most, where a rule may end cells: seconds of work
)

// check refuses a rule that can't be followed in blocks of that size.
func (r *Rule) check(size int) error {
	if r.Tight < 0 || r.Tight > 1_000_000 {
		return fmt.Errorf("an interval can't be %d millionths wide; want 0 to 1000000", r.Tight)
	}
	if blocks := size / firstCheck; r.Tight > 0 && (size%firstCheck != 0 || blocks&(blocks-1) != 0) {
		return fmt.Errorf("where cells end early, a block has %d rows, or twice that, four times and so on; not %d", firstCheck, size)
	}
	return checkProperties(r.Properties)
}

// firstEnd returns how many runs a cell has at the first check that can end it, but no more than most: no interval is narrower
// than that of a property that never broke.
func (r *Rule) firstEnd(most int) int {
	n := firstCheck
	for n < most && !stats.Tight(0, n, r.Tight) {
		n *= 2
	}
	return n
}

// A Grid is a job of which some rows have been counted, cell by cell.
type Grid struct {
	Cells []CellResult // of each cell

	job   *Job
	asked []int  // of scenarios.Judged
	over  []bool // for each cell, whether it has ended
	open  int    // how many have not
}

// struckWhileHeld is the place of the figure of that name.
var struckWhileHeld = figureOf("struck-while-held")

// Grid returns the job with no row counted, and a place for each of some of scenarios.Judged; none stands for all of
// checker.Properties. Where a rule may
// end cells, those of the rule are counted.
func (j *Job) Grid(properties []string) *Grid {
	if j.Rule.Tight > 0 {
		properties = j.Rule.Properties
	}
	g := &Grid{Cells: make([]CellResult, len(j.Cells)), job: j, over: make([]bool, len(j.Cells)), open: len(j.Cells)}
	for i, name := range judged {
		if len(properties) == 0 && i < len(checker.Properties) || slices.Contains(properties, name) {
			g.asked = append(g.asked, i)
		}
	}
	for i := range g.Cells {
		g.Cells[i] = CellResult{Cell: j.Cells[i], Properties: make([]Frequency, len(g.asked))}
		for k, p := range g.asked {
			g.Cells[i].Properties[k].Name = judged[p]
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
			g.add(&g.Cells[c], &rows[i])
			if g.enough(&g.Cells[c]) {
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

func (g *Grid) add(s *CellResult, r *Row) {
	s.Runs++
	if r.Figures != nil {
		s.Struck += int(max(r.Figures[struckWhileHeld], 0))
	}
	for k, p := range g.asked {
		s.Properties[k].add(p, r)
	}
}

// enough reports whether a cell ends now: at 50 runs, 100, 200 and so on.
func (g *Grid) enough(s *CellResult) bool {
	checks := s.Runs / firstCheck
	if g.job.Rule.Tight == 0 || s.Runs%firstCheck != 0 || checks&(checks-1) != 0 {
		return false
	}
	for _, p := range s.Properties {
		if p.Unknown > 0 || !stats.Tight(p.Violated, p.Runs, g.job.Rule.Tight) {
			return false
		}
	}
	return true
}

// A Survey counts the rows of a job, cell by cell, so that a million of them need not be kept.
type Survey struct {
	Job     *Job
	Figures []string // whose values are counted
	// Measures, if set, has the measures of each cell.
	Measures func(cell int) []Measure
	Runs     int // how many rows it was shown
	Cells    []Counts

	places           []int // of Figures among those of a row
	measures         [][]Measure
	views            []Set // for each cell, those of blackbox.Views that its runs have
	first, end, idle int   // of the figures that every survey counts
}

// Counts is what a survey found in one cell.
type Counts struct {
	Cell       Cell
	Runs       int
	Verdicts   [scenarios.Fail + 1]int
	Broken     int         // runs that broke any property
	Properties []Frequency // of all of checker.Properties
	Views      []Frequency // of all of blackbox.Views, named as in scenarios.Judged; without runs where the cell's have no such view
	Figures    []Values    // of those that are counted
	Measured   []Measured  // of each measure of the cell
	Idle       Values      // of each run, in parts per billion of its length: when nobody held the lock nor could have had it
	Broke      Values      // when a run first broke a property, of those that did
	Ended      Values      // when a run ended that broke none
	Cut        Values      // when a run was cut short of which it is not known whether it breaks any
}

// Values counts how often each value was seen, to four digits: more digits show in no picture, and would be many values.
type Values map[int64]int

// Add counts a value.
func (v Values) Add(value int64) { v[fourDigits(value)]++ }

// fourDigits rounds a number that is not negative to its first four digits, half up.
func fourDigits(n int64) int64 {
	unit := int64(1)
	for n/unit >= 10_000 {
		unit *= 10
	}
	return n/unit*unit + min((n%unit)/((unit+1)/2), 1)*unit
}

// Sorted returns the values in their order, and how often each was seen.
func (v Values) Sorted() (values []int64, times []int) {
	values = slices.Sorted(maps.Keys(v))
	for _, value := range values {
		times = append(times, v[value])
	}
	return values, times
}

// Runs is how many values were seen.
func (v Values) Runs() (n int) {
	// order: a sum is the same in any order
	for _, times := range v {
		n += times
	}
	return n
}

// Begin makes the survey ready for its first row.
func (s *Survey) Begin() error {
	for _, name := range s.Figures {
		i := figureOf(name)
		if i < 0 {
			var names []string
			for _, f := range figures {
				names = append(names, f.Name)
			}
			return fmt.Errorf("there is no figure %q%s", name, faults.Suggest(name, names))
		}
		s.places = append(s.places, i)
	}
	s.first, s.end, s.idle = figureOf("first-violation"), figureOf("end"), figureOf("unavailable")
	s.Cells = make([]Counts, len(s.Job.Cells))
	s.views = make([]Set, len(s.Cells))
	for i := range s.Cells {
		s.Cells[i] = newCounts(s.Job.Cells[i], len(s.Figures))
		if s.Measures != nil {
			s.measures = append(s.measures, s.Measures(i))
			for _, m := range s.measures[i] {
				s.Cells[i].Measured = append(s.Cells[i].Measured, Measured{Frequency: Frequency{Name: m.Name}, Values: Values{}})
			}
		}
		x, err := s.Job.In(i)
		if err != nil {
			return err
		}
		for _, m := range x.Views() {
			s.views[i] |= bit(true, slices.IndexFunc(blackbox.Views, func(v blackbox.Model) bool { return v.Name == m.Name }))
		}
	}
	return nil
}

func newCounts(cell Cell, figures int) Counts {
	c := Counts{Cell: cell, Idle: Values{}, Broke: Values{}, Ended: Values{}, Cut: Values{}}
	for range figures {
		c.Figures = append(c.Figures, Values{})
	}
	for _, p := range checker.Properties {
		c.Properties = append(c.Properties, Frequency{Name: p.Name})
	}
	for _, name := range judged[len(checker.Properties):] {
		c.Views = append(c.Views, Frequency{Name: name})
	}
	return c
}

// AddAll counts the next rows.
func (s *Survey) AddAll(rows []Row) {
	for i := range rows {
		s.add(&rows[i])
	}
}

func (s *Survey) add(r *Row) {
	c := &s.Cells[r.Cell]
	s.Runs++
	c.Runs++
	c.Verdicts[r.Verdict]++
	for i := range c.Properties {
		c.Properties[i].add(i, r)
	}
	for i := range c.Views {
		if s.views[r.Cell].Has(i) {
			c.Views[i].add(len(checker.Properties)+i, r)
		}
	}
	for k, i := range s.places {
		if v := r.Figures[i]; v >= 0 {
			c.Figures[k].Add(v)
		}
	}
	for k := range c.Measured {
		if m := &s.measures[r.Cell][k]; m.promise < len(checker.Properties) || s.views[r.Cell].Has(m.promise-len(checker.Properties)) {
			c.Measured[k].add(m, r)
		}
	}
	end := r.Figures[s.end]
	if idle := r.Figures[s.idle]; idle >= 0 && idle <= end && end > 0 {
		high, low := bits.Mul64(uint64(idle), 1_000_000_000)
		part, _ := bits.Div64(high, low, uint64(end))
		c.Idle.Add(int64(part))
	}
	switch first := r.Figures[s.first]; {
	case r.Violated != 0 && first >= 0:
		c.Broken++
		c.Broke.Add(first)
	case end >= 0 && r.Unknown != 0:
		c.Cut.Add(end)
	case end >= 0:
		c.Ended.Add(end)
	}
}

// add counts a row for the i-th property. As rows come in order, the first seed that breaks it is the least.
func (f *Frequency) add(i int, r *Row) {
	v := r.Of(i)
	if f.Count.Add(v); v == checker.Violated && f.Violated == 1 {
		f.FirstSeed = r.Seed
	}
}

// merge adds what was found in another cell, as if the runs were of one.
func (c *Counts) merge(o *Counts) {
	c.Runs, c.Broken = c.Runs+o.Runs, c.Broken+o.Broken
	for i, n := range o.Verdicts {
		c.Verdicts[i] += n
	}
	mergeFrequencies(c.Properties, o.Properties)
	mergeFrequencies(c.Views, o.Views)
	for i := range o.Figures {
		c.Figures[i].merge(o.Figures[i])
	}
	c.Idle.merge(o.Idle)
	c.Broke.merge(o.Broke)
	c.Ended.merge(o.Ended)
	c.Cut.merge(o.Cut)
}

// mergeFrequencies adds counts to others of the same names, whose runs come before.
func mergeFrequencies(into, more []Frequency) {
	for i, p := range more {
		f := &into[i]
		if f.Violated == 0 {
			f.FirstSeed = p.FirstSeed
		}
		f.Count = f.Count.Plus(p.Count)
	}
}

func (v Values) merge(o Values) {
	// order: sums are the same in any order
	for value, times := range o {
		v[value] += times
	}
}

// Whole returns all cells as one.
func (s *Survey) Whole() Counts {
	whole := newCounts(nil, len(s.Figures))
	for i := range s.Cells {
		whole.merge(&s.Cells[i])
	}
	return whole
}

// Violated is how many runs broke the i-th of checker.Properties.
func (s *Survey) Violated(i int) (n int) {
	for k := range s.Cells {
		n += s.Cells[k].Properties[i].Violated
	}
	return n
}

// Axes returns the axes of which the job's cells are the grid, the last turning fastest. They are none where there is one
// cell; ok is false where the cells are no grid.
func (j *Job) Axes() (axes []Axis, ok bool) {
	for _, a := range j.Cells[0] {
		axes = append(axes, Axis{Key: a.Key})
	}
	for _, c := range j.Cells {
		if len(c) != len(axes) {
			return nil, false
		}
		for k, a := range c {
			if !slices.Contains(axes[k].Values, a.Value) {
				axes[k].Values = append(axes[k].Values, a.Value)
			}
		}
	}
	cells := 1
	for _, a := range axes {
		if cells *= len(a.Values); cells > len(j.Cells) {
			return nil, false
		}
	}
	return axes, slices.EqualFunc((&Sweep{Axes: axes}).cells(), j.Cells, slices.Equal[Cell])
}
