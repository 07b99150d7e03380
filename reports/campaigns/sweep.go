package campaigns

import (
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"github.com/lockstorm/lockstorm/reports/layout"
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
}

// A SweepAxis is a setting and the values it has in the grid.
type SweepAxis struct {
	Key    string   `json:"key"`
	Values []string `json:"values"`
}

// A SweepCell is what was found at one place of the grid.
type SweepCell struct {
	Settings   []string `json:"settings"` // as KEY=VALUE, one for each axis
	Runs       int      `json:"runs"`
	Properties []Banded `json:"properties"`
}

// Banded is how often a property broke, with the interval of Wilson at 95 % for its share. Where runs were cut short, the
// interval goes from that as if it held in all of them to that as if it broke.
type Banded struct {
	Name      string  `json:"name"`
	Violated  int     `json:"violated"`
	Unknown   int     `json:"unknown"`
	Low       float64 `json:"low"`
	High      float64 `json:"high"`
	FirstSeed *uint64 `json:"first_seed"` // with which it broke; null if it did not
}

// Claimed is what all runs of a grid together let one claim of a property.
type Claimed struct {
	Name     string `json:"name"`
	Runs     int    `json:"runs"`
	Violated int    `json:"violated"`
	Unknown  int    `json:"unknown"`
	Cells    int    `json:"cells"` // in which it broke
	First    string `json:"first,omitempty"`
	Claim    string `json:"claim"` // with the bound of Clopper and Pearson
}

// NewSweep gives what a sweep found as JSON data.
func NewSweep(w *campaign.Sweep, spots []campaign.Spot) Sweep {
	s := Sweep{
		SchemaVersion: layout.SchemaVersion, Scenario: w.Scenario.ID, Seed: w.First, Runs: w.Runs, Tight: float64(w.Tight) / 1e6,
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
		cell := SweepCell{Settings: []string{}, Runs: spot.Runs, Properties: []Banded{}}
		for _, a := range spot.Cell {
			cell.Settings = append(cell.Settings, a.String())
		}
		for _, f := range spot.Properties {
			cell.Properties = append(cell.Properties, banded(f, spot.Runs))
		}
		s.Cells = append(s.Cells, cell)
	}
	s.claim()
	return s
}

// banded puts the interval beside a count.
func banded(f campaign.Frequency, runs int) Banded {
	in := stats.Unsure(stats.Wilson, f.Violated, f.Unknown, runs)
	b := Banded{
		Name: f.Name, Violated: f.Violated, Unknown: f.Unknown,
		Low: stats.Round(in.Low), High: stats.Round(in.High),
	}
	if f.Violated > 0 {
		b.FirstSeed = &f.FirstSeed
	}
	return b
}

// claim puts all cells together.
func (s *Sweep) claim() {
	for i, p := range s.Cells[0].Properties {
		c := Claimed{Name: p.Name}
		for _, cell := range s.Cells {
			b := cell.Properties[i]
			c.Runs, c.Violated, c.Unknown = c.Runs+cell.Runs, c.Violated+b.Violated, c.Unknown+b.Unknown
			if b.Violated > 0 {
				if c.Cells++; c.Cells == 1 {
					c.First = fmt.Sprintf("%s, seed %d", strings.Join(cell.Settings, " "), *b.FirstSeed)
				}
			}
		}
		c.Claim = c.says(len(s.Cells))
		s.Properties = append(s.Properties, c)
	}
}

// says puts it into words. A bound on a share that is nowhere else than in some cells would say little.
func (c *Claimed) says(cells int) string {
	switch {
	case c.Runs == 0:
		return "no run yet"
	case c.Violated > 0 && cells == 1:
		return stats.Claim(c.Violated, c.Unknown, c.Runs)
	case c.Violated > 0:
		return fmt.Sprintf("breaks in %d of %d cells", c.Cells, cells)
	}
	return stats.Claim(0, c.Unknown, c.Runs)
}

// FirstBroken gives the cell of the first property that broke, the first in which it did, and its first seed there.
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

// SweepText tells a sweep: what can be claimed of each property over the whole grid, and a picture of each that breaks.
// Along one axis it is a table with bars, along two a map, and along more a list.
func SweepText(s Sweep) string {
	var b strings.Builder
	b.WriteString(layout.Wrap(s.head()))
	b.WriteString("\n" + s.claims())
	for i, c := range s.Properties {
		if c.Violated > 0 {
			fmt.Fprintf(&b, "\n%s, share of runs in which it breaks%s:\n", c.Name, s.asMap(i))
			b.WriteString(s.picture(i))
		}
	}
	if len(s.Cells) > 1 {
		b.WriteString("\n" + layout.Wrap(s.foot()))
	}
	if s.Missing > 0 {
		b.WriteString("\n" + layout.Wrap(s.part()))
	}
	if s.Command != "" {
		b.WriteString("See the first: " + s.Command + "\n")
	}
	return b.String()
}

// head says what was run.
func (s *Sweep) head() string {
	return fmt.Sprintf("%s, %d %s of up to %d %s from seed %d.", s.Scenario, len(s.Cells), layout.Either(len(s.Cells), "cell", "cells"),
		s.Runs, layout.Either(s.Runs, "run", "runs"), s.Seed)
}

// foot says how to read it.
func (s *Sweep) foot() string {
	text := "Intervals are Wilson's at 95 %, of each cell on its own. All cells have the same seeds; the bounds over the " +
		"whole grid (Clopper and Pearson) take all runs as independent."
	least := slices.MinFunc(s.Cells, func(a, b SweepCell) int { return a.Runs - b.Runs }).Runs
	if least < s.Runs && s.Missing == 0 {
		text += fmt.Sprintf(" Cells whose intervals were no wider than %s stopped early, the first after %d runs. "+
			"They were looked at more than once: their intervals hold the true share 95 times of 100 on average, but less often for some shares.", percent(s.Tight), least)
	}
	return text
}

// part says that it is not the whole.
func (s *Sweep) part() string {
	return fmt.Sprintf("This is a part: up to %d of %d runs are not made yet, or by others. Where a ? stands there is no run.",
		s.Missing, len(s.Cells)*s.Runs)
}

// claims lists what can be claimed of each property.
func (s *Sweep) claims() string {
	return layout.Table(func(w *tabwriter.Writer) {
		for _, c := range s.Properties {
			first := ""
			if c.First != "" && len(s.Cells) > 1 {
				first = "; first at " + c.First
			}
			fmt.Fprintf(w, "  %s\t%s%s\n", c.Name, c.Claim, first)
		}
	})
}

// asMap says how to read the map, where there is one.
func (s *Sweep) asMap(property int) string {
	if s.isMap(property) {
		return ", in per cent"
	}
	return ""
}

// picture draws one property.
func (s *Sweep) picture(property int) string {
	if s.isMap(property) {
		return s.heat(property)
	}
	return layout.Table(func(w *tabwriter.Writer) {
		fmt.Fprintln(w, "  "+strings.Join(s.columns(), "\t"))
		for i := range s.Cells {
			fmt.Fprintln(w, "  "+strings.Join(append(s.cells(i, property), s.bar(i, property)), "\t"))
		}
	})
}

// columns heads the list of one property.
func (s *Sweep) columns() (heads []string) {
	for _, a := range s.Axes {
		heads = append(heads, a.Key)
	}
	return append(heads, "runs", "violated", "share", "interval", "")
}

// cells gives a line of the list of one property.
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
	return append(line, fmt.Sprint(c.Runs), violated, perCent(p.Violated, c.Runs)+" %", percent(p.Low)+" to "+percent(p.High))
}

// at gives the value that an axis has in a cell.
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

// isMap tells whether there are two axes, and a line has place for the second.
func (s *Sweep) isMap(property int) bool {
	if len(s.Axes) != 2 {
		return false
	}
	line, _, _ := strings.Cut(s.heat(property), "\n")
	return utf8.RuneCountInString(line) <= layout.LineWidth
}

// heat draws a map: the first axis goes down, the second across.
func (s *Sweep) heat(property int) string {
	rows, columns := s.Axes[0], s.Axes[1]
	var lines [][]string
	lines = append(lines, append([]string{rows.Key + " \\ " + columns.Key}, columns.Values...))
	for r, value := range rows.Values {
		line := []string{value}
		for c := range columns.Values {
			cell := &s.Cells[r*len(columns.Values)+c]
			line = append(line, perCent(cell.Properties[property].Violated, cell.Runs))
		}
		lines = append(lines, line)
	}
	return rightAligned(lines)
}

// rightAligned lays out lines of words, the first of each to the left and the others to the right.
func rightAligned(lines [][]string) string { return gapped(lines, "  ") }

// gapped is rightAligned with another gap between columns.
func gapped(lines [][]string, gap string) string {
	widths := make([]int, len(lines[0]))
	for _, line := range lines {
		for i, word := range line {
			widths[i] = max(widths[i], utf8.RuneCountInString(word))
		}
	}
	var b strings.Builder
	for _, line := range lines {
		text := fmt.Sprintf("  %-*s", widths[0], line[0])
		for i, word := range line[1:] {
			text += fmt.Sprintf("%s%*s", gap, widths[i+1], word)
		}
		b.WriteString(strings.TrimRight(text, " ") + "\n")
	}
	return b.String()
}

// perCent gives k of n in per cent with one decimal. What is neither nothing nor all does not look so; of none, ? is known.
func perCent(k, n int) string {
	if n == 0 {
		return "?"
	}
	tenths := (2000*k + n) / (2 * n)
	switch {
	case k > 0 && tenths == 0:
		return "<0.1"
	case k < n && tenths == 1000:
		return ">99.9"
	case tenths%10 == 0:
		return fmt.Sprint(tenths / 10)
	}
	return fmt.Sprintf("%d.%d", tenths/10, tenths%10)
}

// percent gives the end of an interval in per cent, with one decimal.
func percent(share float64) string {
	return strings.TrimSuffix(fmt.Sprintf("%.1f", 100*share), ".0") + " %"
}
