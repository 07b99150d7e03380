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
//
// A cell stops early when it has told enough: when, for each property that is asked for, the interval of Wilson at 95 % is
// no wider than Tight, and no run was cut short, which may have gone either way. That is looked at when a cell has made 50
// runs, 100, 200, 400 and so on, and it is decided in whole numbers: so a cell stops at the same run on every machine,
// whoever made the runs, and in whatever blocks.
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
	Name              string
	Violated, Unknown int
	FirstSeed         uint64 // the first with which it broke, if it did
}

// CellsMost is how many cells a sweep may have.
const CellsMost = 10_000

// sweepBlock is how many runs a sweep's block has, and how many a cell makes before it is first looked at: so many that
// stopping there spares enough, and so few that all workers have some.
const sweepBlock = 50

// Cells gives the grid: the last axis turns fastest.
func (w *Sweep) Cells() []Cell {
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
	if err := CheckProperties(w.Properties); err != nil {
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
		if cells *= len(a.Values); cells > CellsMost {
			return fmt.Errorf("the grid has more than %d cells; take fewer steps", CellsMost)
		}
	}
	return nil
}

// CheckProperties refuses a name that no property has.
func CheckProperties(names []string) error {
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

// Job gives the sweep's runs as a job. What an axis sets no search draws.
func (w *Sweep) Job() *Job {
	s := *w.Scenario
	for _, a := range w.Axes {
		s.Hold(a.Key)
	}
	return &Job{Kind: "sweep", Scenario: &s, Cells: w.Cells(), First: w.First, Runs: w.Runs, Size: sweepBlock}
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
	g := w.Grid()
	for done := 0; done < g.job.perCell(); {
		next := g.job.perCell()
		if w.Tight > 0 {
			next = min(max(2*done, 1), next) // what lies beyond may not be needed
		}
		g.make(done, next)
		done = next
	}
	return g.Spots
}

// A Grid is a sweep of which some rows have been counted.
type Grid struct {
	Spots []Spot // of each cell

	tight   int
	workers int
	job     *Job
	asked   []int  // of checker.Properties
	over    []bool // for each cell, whether it has told enough
	open    int    // how many have not
}

// Grid gives the sweep with no row counted. The sweep must have passed Check.
func (w *Sweep) Grid() *Grid {
	j := w.Job()
	g := &Grid{
		Spots: make([]Spot, len(j.Cells)), tight: w.Tight, workers: w.Workers, job: j,
		over: make([]bool, len(j.Cells)), open: len(j.Cells),
	}
	for i, p := range checker.Properties {
		if len(w.Properties) == 0 || slices.Contains(w.Properties, p.Name) {
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

// Count adds the rows of a block; it is there to be the Done of a Crew. The rows of each cell must come in order. Those of
// a cell that has told enough are left out, whoever has made them. When no cell is open any more, more is false.
func (g *Grid) Count(_ int, rows []Row) (more bool, err error) {
	for i := range rows {
		if c := rows[i].Cell; !g.over[c] {
			g.add(&g.Spots[c], &rows[i])
			if g.Spots[c].enough(g.tight) {
				g.over[c] = true
				g.open--
			}
		}
	}
	return g.open > 0, nil
}

// add counts one row. As rows come in order, the first seed that breaks a property is the least.
func (g *Grid) add(s *Spot, r *Row) {
	s.Runs++
	for k, p := range g.asked {
		f := &s.Properties[k]
		if r.Unknown.Has(p) {
			f.Unknown++
		}
		if r.Violated.Has(p) {
			if f.Violated++; f.Violated == 1 {
				f.FirstSeed = r.Seed
			}
		}
	}
}

// enough tells whether a cell has just told enough: at 50 runs, 100, 200 and so on.
func (s *Spot) enough(tight int) bool {
	blocks := s.Runs / sweepBlock
	if tight == 0 || s.Runs%sweepBlock != 0 || blocks&(blocks-1) != 0 {
		return false
	}
	for _, p := range s.Properties {
		if p.Unknown > 0 || !stats.Tight(p.Violated, s.Runs, tight) {
			return false
		}
	}
	return true
}

// make makes the blocks of all cells that are open, from so many that they have made to so many. It takes them in
// helpings: a list of all blocks could be longer than memory.
func (g *Grid) make(from, to int) {
	var open []int
	for cell, over := range g.over {
		if !over {
			open = append(open, cell)
		}
	}
	if len(open) == 0 {
		return
	}
	for helping := max(1, blocksMost/len(open)); from < to; from += helping {
		c := Crew{Job: g.job, Blocks: g.blocks(open, from, min(from+helping, to)), Workers: g.workers, Done: g.Count}
		if err := c.Work(); err != nil {
			panic("campaign: " + err.Error()) // Count gives none
		}
	}
}

// blocksMost is how many blocks are listed at a time, unless there are more cells than that.
const blocksMost = 20_000

// blocks lists the blocks of some cells, of each those from one place to another.
func (g *Grid) blocks(cells []int, from, to int) (all []int) {
	for _, cell := range cells {
		for i := from; i < to; i++ {
			all = append(all, cell*g.job.perCell()+i)
		}
	}
	return all
}
