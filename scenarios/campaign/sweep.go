package campaign

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign/stats"
)

// A Sweep measures how often each property breaks at each place of a grid.
type Sweep struct {
	Scenario   *scenarios.Scenario // must have passed Check
	Axes       []Axis
	First      uint64   // the first seed of each cell: all cells have the same seeds
	Runs       int      // how many seeds each cell has at most
	Workers    int      // how many run side by side
	Tight      int      // how wide an interval lets a cell stop, in millionths; 0 for never
	Properties []string // empty for all
}

// A Spot is what a sweep found in one cell.
type Spot struct {
	Cell       Cell
	Runs       int
	Properties []Frequency
}

// A Frequency is how often a property broke.
type Frequency struct {
	Name string
	stats.Count
	FirstSeed uint64 // the first with which it broke, if it did
}

// cellsMost is how many cells a sweep may have.
const cellsMost = 10_000

// cells returns the grid: the last axis turns fastest.
func (w *Sweep) cells() []Cell {
	cells := []Cell{nil}
	for _, a := range w.Axes {
		var next []Cell
		for _, c := range cells {
			for _, v := range a.Values {
				next = append(next, append(slices.Clip(c), scenarios.Assignment{Key: a.Key, Value: v}))
			}
		}
		cells = next
	}
	return cells
}

// Check refuses a sweep that can't be done.
func (w *Sweep) Check() error {
	if err := w.checkAxes(); err != nil {
		return err
	}
	if err := checkProperties(w.Properties); err != nil {
		return err
	}
	j := w.Job()
	for i, c := range j.Cells {
		if _, err := j.In(i); err != nil {
			return fmt.Errorf("at %s: %w", c, err)
		}
	}
	return j.Check()
}

func (w *Sweep) checkAxes() error {
	cells, seen := 1, []string{}
	for _, a := range w.Axes {
		k, _ := scenarios.Lookup(w.Scenario, a.Key)
		if slices.Contains(seen, k.Key) {
			return fmt.Errorf("%s is an axis already", a.Key)
		}
		seen = append(seen, k.Key)
		if cells *= len(a.Values); cells > cellsMost {
			return fmt.Errorf("the grid has more than %d cells; take fewer steps", cellsMost)
		}
	}
	return nil
}

func checkProperties(names []string) error {
	var all []string
	for _, p := range checker.Properties {
		all = append(all, p.Name)
	}
	for _, name := range names {
		if !slices.Contains(all, name) {
			return fmt.Errorf("there is no property %q%s", name, scenarios.Suggest(name, all))
		}
	}
	return nil
}

// Job returns the sweep's runs as a job.
func (w *Sweep) Job() *Job {
	j := &Job{Kind: SweepJob, Scenario: w.Scenario, Cells: w.cells(), First: w.First, Runs: w.Runs, Size: look}
	if w.Tight > 0 {
		j.Size, j.Rule = ruledBlock, Rule{Tight: w.Tight, Properties: w.Properties}
	}
	return j
}

// SweepOf returns the sweep whose job that is. The job must be one of a sweep.
func SweepOf(j *Job) *Sweep {
	w := &Sweep{Scenario: j.Scenario, First: j.First, Runs: j.Runs, Tight: j.Rule.Tight, Properties: j.Rule.Properties}
	for k, first := range j.Cells[0] {
		a := Axis{Key: first.Key}
		for _, c := range j.Cells {
			if !slices.Contains(a.Values, c[k].Value) {
				a.Values = append(a.Values, c[k].Value)
			}
		}
		w.Axes = append(w.Axes, a)
	}
	return w
}

// String names the cell by what is set there.
func (c Cell) String() string {
	words := make([]string, len(c))
	for i, a := range c {
		words[i] = a.String()
	}
	return strings.Join(words, " ")
}

// Run makes the runs. The sweep must have passed Check. Should a run panic, Run panics with a Broken.
func (w *Sweep) Run() []Spot {
	j := w.Job()
	g, e := j.Grid(w.Properties), j.Engine(w.Workers)
	e.Pieces, e.Done = g.Open(e.Pieces), g.Count
	e.run()
	return g.Spots
}
