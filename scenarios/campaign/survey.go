package campaign

import (
	"maps"
	"slices"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/checker/blackbox"
)

// A Survey counts the rows of a job, cell by cell, so that no one has to keep a million of them.
type Survey struct {
	Job *Job
	// Measures has the measures of each cell.
	Measures func(cell int) []Measure
	Runs     int // how many rows it was shown
	Cells    []Counts

	measures [][]Measure
	views    []Set // for each cell, the blackbox.Views that its runs have
}

// Counts is what a survey found in one cell.
type Counts struct {
	Cell     Cell
	Runs     int
	Measured []Measured // of each measure of the cell
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
	s.Cells = make([]Counts, len(s.Job.Cells))
	s.views = make([]Set, len(s.Cells))
	for i := range s.Cells {
		s.Cells[i] = Counts{Cell: s.Job.Cells[i]}
		s.measures = append(s.measures, s.Measures(i))
		for _, m := range s.measures[i] {
			s.Cells[i].Measured = append(s.Cells[i].Measured, Measured{Name: m.Name, Values: Values{}})
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
	for k := range c.Measured {
		if m := &s.measures[r.Cell][k]; m.promise < len(checker.Properties) || s.views[r.Cell].Has(m.promise-len(checker.Properties)) {
			c.Measured[k].add(m, r)
		}
	}
}
