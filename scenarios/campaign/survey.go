package campaign

import (
	"fmt"
	"maps"
	"math/bits"
	"slices"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/scenarios"
)

// A Survey counts the rows of a job, cell by cell, so that a million of them need not be kept.
type Survey struct {
	Job     *Job
	Figures []string // whose values are counted; names of checker's figures
	Runs    int      // how many rows it was shown
	Cells   []Counts

	places           []int // of Figures among checker's
	first, end, idle int   // of the figures that every survey counts
}

// Counts is what a survey found in one cell.
type Counts struct {
	Cell       Cell
	Runs       int
	Verdicts   [scenarios.Fail + 1]int
	Broken     int         // runs that broke any property
	Properties []Frequency // of all of checker.Properties
	Figures    []Values    // of those that are counted
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
	all := map[string]int{}
	var names []string
	for i, f := range new(checker.Judge).Figures(&checker.Evidence{}) {
		all[f.Name] = i
		names = append(names, f.Name)
	}
	for _, name := range s.Figures {
		i, known := all[name]
		if !known {
			return fmt.Errorf("there is no figure %q%s", name, scenarios.Suggest(name, names))
		}
		s.places = append(s.places, i)
	}
	s.first, s.end, s.idle = all["first-violation"], all["end"], all["unavailable"]
	s.Cells = make([]Counts, len(s.Job.Cells))
	for i := range s.Cells {
		s.Cells[i] = newCounts(s.Job.Cells[i], len(s.Figures))
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
	for k, i := range s.places {
		if v := r.Figures[i]; v >= 0 {
			c.Figures[k].Add(v)
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
	for i, p := range o.Properties {
		f := &c.Properties[i]
		if f.Violated == 0 {
			f.FirstSeed = p.FirstSeed
		}
		f.Count = f.Count.Plus(p.Count)
	}
	for i := range o.Figures {
		c.Figures[i].merge(o.Figures[i])
	}
	c.Idle.merge(o.Idle)
	c.Broke.merge(o.Broke)
	c.Ended.merge(o.Ended)
	c.Cut.merge(o.Cut)
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
