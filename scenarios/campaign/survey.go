package campaign

import (
	"fmt"
	"maps"
	"slices"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/checker/blackbox"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign/stats"
)

// A Frequency is how often a property broke.
type Frequency struct {
	Name string
	stats.Count
	FirstSeed uint64 // the first with which it broke, if it did
	Untested  int    // runs in which nothing could break it
}

// A Survey counts the rows of a job, cell by cell, so that no one has to keep a million of them.
type Survey struct {
	Job     *Job
	Figures []string // whose values are counted
	// Measures, if set, has the measures of each cell.
	Measures func(cell int) []Measure
	Runs     int // how many rows it was shown
	Cells    []Counts

	places     []int // the indices of Figures in a row
	measures   [][]Measure
	views      []Set // for each cell, the blackbox.Views that its runs have
	first, end int   // of the figures that every survey counts
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
	Broke      Values      // when a run first broke a property, of those that did
	Ended      Values      // when a run ended that broke none
	Cut        Values      // when a run was cut short without showing whether it breaks any
}

// Values counts how often each value was seen, to four digits. No picture shows more, and more digits would make many
// values.
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
	s.first, s.end = figureOf("first-violation"), figureOf("end")
	s.Cells = make([]Counts, len(s.Job.Cells))
	s.views = make([]Set, len(s.Cells))
	for i := range s.Cells {
		s.Cells[i] = s.newCounts(s.Job.Cells[i])
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

func (s *Survey) newCounts(cell Cell) Counts {
	c := Counts{Cell: cell, Broke: Values{}, Ended: Values{}, Cut: Values{}}
	for range s.Figures {
		c.Figures = append(c.Figures, Values{})
	}
	for _, p := range s.Job.Scenario.Promises() {
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

// add counts a row for the i-th property. As rows come in order, the first seed that breaks it is the smallest.
func (f *Frequency) add(i int, r *Row) {
	v := r.Of(i)
	if f.Count.Add(v); v == checker.Violated && f.Violated == 1 {
		f.FirstSeed = r.Seed
	}
}

// merge adds the findings of another cell, as if all runs were in one.
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
		f.Untested += p.Untested
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
	whole := s.newCounts(nil)
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
