package campaigns

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/scenarios/campaign/stats"
)

// A Sweep is a grid as JSON: what lockstorm sweep --format json prints.
type Sweep struct {
	SchemaVersion int         `json:"schema_version"`
	Lockstorm     string      `json:"lockstorm"`
	Scenario      string      `json:"scenario"`
	Seed          uint64      `json:"seed"`  // the first of each cell
	Runs          int         `json:"runs"`  // of each cell, at most
	Tight         float64     `json:"tight"` // how narrow an interval lets a cell stop early; 0 for never
	Settings      []string    `json:"settings"`
	Axes          []SweepAxis `json:"axes"`
	Properties    []Claimed   `json:"properties"`        // over the whole grid
	Cells         []SweepCell `json:"cells"`             // the last axis turns fastest
	Missing       int         `json:"missing,omitempty"` // how many runs are not made yet, or by others
	Command       string      `json:"command,omitempty"` // makes the first run that broke a property
	note          string      // where the tokens of all cells come from, as a sentence
}

// A SweepAxis is a setting and the values it has in the grid.
type SweepAxis struct {
	Key    string   `json:"key"`
	Values []string `json:"values"`
}

// A SweepCell is what was found at one place of the grid.
type SweepCell struct {
	Settings   []string `json:"settings"`    // as KEY=VALUE, one for each axis
	Tokens     string   `json:"tokens_from"` // where fencing tokens come from; empty where there are none
	Runs       int      `json:"runs"`
	Struck     int      `json:"struck_while_held"` // faults that struck while some client held the lock, in all runs
	Properties []Banded `json:"properties"`
}

// Banded is how often a property broke, with the interval of Wilson at 95 % for its share. Where runs were cut short, the
// interval goes from that as if it held in all of them to that as if it broke.
type Banded struct {
	Name string `json:"name"`
	stats.Count
	Low       float64 `json:"low"`
	High      float64 `json:"high"`
	FirstSeed *uint64 `json:"first_seed"` // with which it broke; null if it did not
}

// Claimed is what all runs of a grid together let one claim of a property.
type Claimed struct {
	Name string `json:"name"`
	Runs int    `json:"runs"`
	stats.Count
	Cells int    `json:"cells"` // in which it broke
	First string `json:"first,omitempty"`
	Claim string `json:"claim"` // with the bound of Clopper and Pearson
}

// NewSweep returns what a sweep found as JSON data.
func NewSweep(w *campaign.Sweep, spots []campaign.CellResult) Sweep {
	s := Sweep{
		SchemaVersion: reports.SchemaVersion, Scenario: w.Scenario.ID, Seed: w.First, Runs: w.Runs, Tight: float64(w.Tight) / 1e6,
		Settings: []string{}, Axes: []SweepAxis{}, Properties: []Claimed{}, Cells: []SweepCell{},
	}
	for _, a := range w.Axes {
		axis := SweepAxis{Key: a.Key, Values: []string{}}
		for _, v := range a.Values {
			axis.Values = append(axis.Values, string(v))
		}
		s.Axes = append(s.Axes, axis)
	}
	for _, spot := range spots {
		here := *w.Scenario
		cell := SweepCell{Settings: []string{}, Runs: spot.Runs, Struck: spot.Struck, Properties: []Banded{}}
		for _, a := range spot.Cell {
			cell.Settings = append(cell.Settings, a.String())
			_ = here.Set(a.String()) // the sweep was checked
		}
		cell.Tokens = here.TokensFrom()
		s.note = here.ProofNote()
		for _, f := range spot.Properties {
			cell.Properties = append(cell.Properties, banded(f))
		}
		s.Cells = append(s.Cells, cell)
	}
	if slices.ContainsFunc(s.Cells, func(c SweepCell) bool { return c.Tokens != s.Cells[0].Tokens }) {
		s.note = s.tokensByCell()
	}
	s.claim()
	return s
}

// tokensByCell says where tokens come from, where that is not the same in all cells.
func (s *Sweep) tokensByCell() string {
	var places []string
	for _, c := range s.Cells {
		if place := cmp.Or(c.Tokens, "nowhere"); !slices.Contains(places, place) {
			places = append(places, place)
		}
	}
	return "Where fencing tokens come from depends on the cell: " + strings.Join(places, "; ") + "."
}

func banded(f campaign.Frequency) Banded {
	in := f.Wilson()
	b := Banded{Name: f.Name, Count: f.Count, Low: stats.Round(in.Low), High: stats.Round(in.High)}
	if f.Violated > 0 {
		b.FirstSeed = &f.FirstSeed
	}
	return b
}

func (s *Sweep) claim() {
	for i, p := range s.Cells[0].Properties {
		c := Claimed{Name: p.Name}
		for _, cell := range s.Cells {
			b := cell.Properties[i]
			c.Count = c.Plus(b.Count)
			if b.Violated > 0 {
				if c.Cells++; c.Cells == 1 {
					c.First = fmt.Sprintf("%s, seed %d", strings.Join(cell.Settings, " "), *b.FirstSeed)
				}
			}
		}
		c.Runs = c.Count.Runs
		c.Claim = c.sentence(len(s.Cells))
		s.Properties = append(s.Properties, c)
	}
}

// sentence puts it into words. A bound on a share that is nowhere else than in some cells would say little.
func (c *Claimed) sentence(cells int) string {
	switch {
	case c.Runs == 0:
		return "no run yet"
	case c.Violated > 0 && cells == 1:
		return c.Count.Claim(strconv.Itoa)
	case c.Violated > 0:
		return fmt.Sprintf("breaks in %d of %d cells", c.Cells, cells)
	}
	return c.Count.Claim(strconv.Itoa)
}

// FirstBroken returns the cell of the first property that broke, the first in which it did, and its first seed there.
func (s *Sweep) FirstBroken() (cell *SweepCell, seed uint64, found bool) {
	for i := range s.Properties {
		for c := range s.Cells {
			if first := s.Cells[c].Properties[i].FirstSeed; first != nil {
				return &s.Cells[c], *first, true
			}
		}
	}
	return nil, 0, false
}

// Document returns what can be claimed of each property over the whole grid, and a table of each that breaks: along one
// axis with bars, along two a map, and along more a list.
func (s *Sweep) Document() *reports.Document {
	d := &reports.Document{Title: "A sweep of " + s.Scenario, Data: s, Rows: s.rows()}
	d.Paragraph(s.head())
	d.Table("", s.claims())
	for i, c := range s.Properties {
		if c.Violated == 0 {
			continue
		}
		if grid := s.grid(i); grid != nil && grid.Fits(reports.Screen{}) {
			d.Table(c.Name+", share of runs in which it breaks, in per cent:", grid)
		} else {
			d.Table(c.Name+", share of runs in which it breaks:", s.list(i))
		}
	}
	if len(s.Cells) > 1 {
		d.Paragraph(s.foot())
	}
	if s.Missing > 0 {
		d.Paragraph(s.part())
	}
	if s.Command != "" {
		d.Command("See the first:", s.Command)
	}
	var names []string
	for _, p := range s.Properties {
		names = append(names, p.Name)
	}
	d.Glosses(0, names...)
	return d
}

func (s *Sweep) head() string {
	return fmt.Sprintf("%s, %s of up to %s from seed %d. %s", s.Scenario, wording.Count(len(s.Cells), "cell", "cells"),
		wording.Count(s.Runs, "run", "runs"), s.Seed, s.note)
}

// foot explains how to read the tables.
func (s *Sweep) foot() string {
	text := "Intervals are Wilson's at 95 %, of each cell on its own. All cells have the same seeds; the bounds over the whole " +
		"grid (Clopper and Pearson) take all runs as independent. Faults that struck while some client held the lock are counted " +
		"over all runs of a cell."
	least := slices.MinFunc(s.Cells, func(a, b SweepCell) int { return a.Runs - b.Runs }).Runs
	if len(s.Axes) == 2 && least > 0 {
		none, half := stats.Wilson(0, least, stats.Confidence), stats.Wilson(least/2, least, stats.Confidence)
		text = fmt.Sprintf("In a cell of %d runs, 0 stands for up to %s, and 50 for %s to %s. ", least, stats.Percent(none.High),
			stats.Percent(half.Low), stats.Percent(half.High)) + text
	}
	if least < s.Runs && s.Missing == 0 {
		text += fmt.Sprintf(" Cells whose intervals were no wider than %s stopped early, the first after %d runs. They were "+
			"looked at more than once: their intervals hold the true share 95 times of 100 on average, but less often for some shares.",
			stats.Percent(s.Tight), least)
	}
	return text
}

// part says that it is not the whole.
func (s *Sweep) part() string {
	return fmt.Sprintf("This is a part: up to %d of %d runs are not made yet, or by others. Where a ? stands there is no run.",
		s.Missing, len(s.Cells)*s.Runs)
}

func (s *Sweep) claims() *reports.Table {
	t := &reports.Table{Columns: reports.Columns("property", "over the whole grid", "first")}
	t.Columns[0].Kind = "code"
	if len(s.Cells) == 1 {
		t.Columns[2].Kind = "table"
	}
	for _, c := range s.Properties {
		t.Add(c.Name, c.Claim, c.First)
	}
	return t
}

func (s *Sweep) list(property int) *reports.Table {
	t := &reports.Table{}
	for _, a := range s.Axes {
		t.Columns = append(t.Columns, reports.Column{Head: a.Key})
	}
	t.Columns = append(append(t.Columns, reports.Columns("runs", "violated", "share", "interval", "struck while held")...),
		reports.Column{Kind: "text"})
	for i := range s.Cells {
		t.Add(append(s.cells(i, property), s.bar(i, property))...)
	}
	return t
}

func (s *Sweep) cells(i, property int) (line []string) {
	for k := range s.Axes {
		line = append(line, s.at(i, k))
	}
	c := &s.Cells[i]
	p := c.Properties[property]
	violated := fmt.Sprint(p.Violated)
	if p.Unknown > 0 {
		violated += fmt.Sprintf(", %d unknown", p.Unknown)
	}
	return append(line, fmt.Sprint(c.Runs), violated, p.PerCent(1)+" %", stats.Percent(p.Low)+" to "+stats.Percent(p.High),
		fmt.Sprint(c.Struck))
}

func (s *Sweep) at(cell, axis int) string {
	for k := len(s.Axes) - 1; k > axis; k-- {
		cell /= len(s.Axes[k].Values)
	}
	return s.Axes[axis].Values[cell%len(s.Axes[axis].Values)]
}

// bar draws a share, full at twenty. The least that is not nothing shows.
func (s *Sweep) bar(i, property int) string {
	const full = 20
	c := &s.Cells[i]
	if c.Runs == 0 {
		return ""
	}
	return strings.Repeat("#", (c.Properties[property].Violated*full+c.Runs-1)/c.Runs)
}

// grid returns a map of one property, of which the first axis goes down and the second across; nil without two axes.
func (s *Sweep) grid(property int) *reports.Table {
	if len(s.Axes) != 2 {
		return nil
	}
	rows, columns := s.Axes[0], s.Axes[1]
	t := &reports.Table{Columns: reports.Numbers(append([]string{rows.Key + " ↓, " + columns.Key + " →"}, columns.Values...)...)}
	for r, value := range rows.Values {
		line := []string{value}
		for c := range columns.Values {
			cell := &s.Cells[r*len(columns.Values)+c]
			line = append(line, cell.Properties[property].PerCent(1))
		}
		t.Add(line...)
	}
	return t
}

// rows returns a row for each cell and property.
func (s *Sweep) rows() *reports.Table {
	t := &reports.Table{}
	for _, a := range s.Axes {
		t.Columns = append(t.Columns, reports.Column{Head: a.Key})
	}
	t.Columns = append(t.Columns, reports.Columns("runs", "property", "violated", "unknown", "low", "high", "first_seed",
		"struck_while_held")...)
	for i, c := range s.Cells {
		for _, p := range c.Properties {
			var line []string
			for k := range s.Axes {
				line = append(line, s.at(i, k))
			}
			t.Add(append(line, fmt.Sprint(c.Runs), p.Name, fmt.Sprint(p.Violated), fmt.Sprint(p.Unknown),
				fmt.Sprint(p.Low), fmt.Sprint(p.High), wording.SeedOr(p.FirstSeed, ""), fmt.Sprint(c.Struck))...)
		}
	}
	return t
}
