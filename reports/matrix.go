package reports

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/scenarios/campaign/stats"
)

// A Matrix is locks against classes of faults as JSON: what lockstorm matrix --format json prints.
type Matrix struct {
	SchemaVersion   int          `json:"schema_version"`
	Lockstorm       string       `json:"lockstorm"`
	Seed            uint64       `json:"seed"` // the first of each cell
	Runs            int          `json:"runs"` // of each cell
	Properties      []string     `json:"properties"`
	Faults          []string     `json:"faults"`            // the columns
	Locks           []MatrixLock `json:"locks"`             // the rows
	Cells           []MatrixCell `json:"cells"`             // row by row
	Counterexamples []Shape      `json:"counterexamples"`   // what they come to
	Missing         int          `json:"missing,omitempty"` // how many runs are not made yet, or by others
	Sought          bool         `json:"sought"`            // whether counterexamples were
}

// A MatrixLock is a lock of the matrix.
type MatrixLock struct {
	Name     string   `json:"name"`
	About    string   `json:"about"`
	Settings []string `json:"settings"` // what makes it of redlock/any
}

// A MatrixCell is what became of one lock under one class of faults.
type MatrixCell struct {
	Lock           string           `json:"lock"`
	Faults         string           `json:"faults"`
	Runs           int              `json:"runs"`
	Properties     []MatrixProperty `json:"properties"`
	Counterexample *Counterexample  `json:"counterexample"` // null where nothing broke, or if it was not sought
}

// A MatrixProperty is the verdict on one property in one cell: violated if it broke in any run.
type MatrixProperty struct {
	Banded
	Verdict string `json:"verdict"`
}

// A Counterexample is the least that was found to break a cell.
type Counterexample struct {
	ID       string `json:"id"`   // of its shape, in this matrix
	Name     string `json:"name"` // its own, wherever it is found
	File     string `json:"file,omitempty"`
	Seed     uint64 `json:"seed"`
	Whole    bool   `json:"whole"`    // no single step makes it simpler
	Scenario string `json:"scenario"` // as a file
	Command  string `json:"command,omitempty"`
}

// A Shape is what counterexamples of several cells have in common: what it takes to break a property.
type Shape struct {
	ID       string `json:"id"`
	Name     string `json:"name"` // of the first of them
	Property string `json:"property"`
	Schedule string `json:"schedule"` // empty where it takes no fault
	Clients  int    `json:"clients"`
	Nodes    int    `json:"nodes"`
	Command  string `json:"command,omitempty"` // shows the first of them
}

// NewMatrix gives a matrix as JSON data. A place for a counterexample's file and command is left empty: see Kept.
func NewMatrix(m *campaign.Matrix, plots []campaign.Plot) Matrix {
	x := Matrix{
		SchemaVersion: SchemaVersion, Seed: m.First, Runs: m.Runs, Properties: m.Properties,
		Locks: []MatrixLock{}, Cells: []MatrixCell{}, Counterexamples: []Shape{}, Sought: m.Shrink > 0,
	}
	for _, w := range campaign.Weathers() {
		x.Faults = append(x.Faults, w.Name)
	}
	for i, p := range plots {
		if i%len(x.Faults) == 0 {
			x.Locks = append(x.Locks, MatrixLock{p.Variant.Name, p.Variant.About, append([]string{}, p.Variant.Set...)})
		}
		c := MatrixCell{Lock: p.Variant.Name, Faults: p.Weather.Name, Runs: p.Runs}
		for _, f := range p.Found {
			c.Properties = append(c.Properties, MatrixProperty{banded(f, p.Runs), frequencyVerdict(f, p.Runs)})
		}
		x.Missing += m.Runs - p.Runs
		if p.Least != nil {
			c.Counterexample = &Counterexample{
				ID: x.shape(p.Least), Name: p.Least.Name(), Seed: p.Least.Seed, Whole: p.Least.Whole, Scenario: string(p.Least.Scenario.YAML()),
			}
		}
		x.Cells = append(x.Cells, c)
	}
	return x
}

// Kept takes note that the counterexample of a cell was kept in a file, and of the command that shows it.
func (x *Matrix) Kept(cell int, file, command string) {
	c := x.Cells[cell].Counterexample
	c.File, c.Command = file, command
	for i := range x.Counterexamples {
		if s := &x.Counterexamples[i]; s.Name == c.Name {
			s.Command = command
		}
	}
}

func frequencyVerdict(f campaign.Frequency, runs int) string {
	switch {
	case f.Violated > 0:
		return "violated"
	case f.Unknown > 0, runs == 0:
		return "unknown"
	}
	return "holds"
}

// shape gives the ID of a counterexample's shape, after it was listed.
func (x *Matrix) shape(l *campaign.Least) string {
	shape := Shape{
		Property: l.Property, Schedule: strings.TrimSpace(l.Scenario.Faults.String()), Clients: l.Scenario.Clients, Nodes: l.Scenario.Nodes,
	}
	for _, known := range x.Counterexamples {
		if shape.ID, shape.Name = known.ID, known.Name; shape == known {
			return known.ID
		}
	}
	shape.ID, shape.Name = letters(len(x.Counterexamples)), l.Name()
	x.Counterexamples = append(x.Counterexamples, shape)
	return shape.ID
}

// letters numbers things with letters, which stand apart from figures: a to z, aa and so on.
func letters(n int) string {
	if n < 26 {
		return string(rune('a' + n))
	}
	return letters(n/26-1) + letters(n%26)
}

// MatrixText tells a matrix: a table for each property, what the locks are, and the least that breaks them.
func MatrixText(x Matrix) string {
	var b strings.Builder
	b.WriteString(wrap(x.head()))
	for i, name := range x.Properties {
		b.WriteString("\n" + hang("", fmt.Sprintf("%s: %s %s", name, asks(name), x.nowhere(i)), textWidth))
		if x.nowhere(i) == "" {
			b.WriteString(rightAligned(x.lines(i, false)))
		}
	}
	b.WriteString("\n" + wrap(x.foot()) + "\n")
	width := 0
	for _, l := range x.Locks {
		width = max(width, len(l.Name))
	}
	for _, l := range x.Locks {
		b.WriteString(hang(fmt.Sprintf("  %-*s  ", width, l.Name), l.About, lineWidth))
	}
	if len(x.Counterexamples) > 0 {
		b.WriteString("\n" + wrap(leastHead))
	}
	for _, c := range x.Counterexamples {
		b.WriteString(hang(fmt.Sprintf("  %2s  ", c.ID), c.told(), lineWidth))
		if c.Command != "" {
			b.WriteString("      See it: " + c.Command + "\n")
		}
	}
	if hint := x.unkept(); hint != "" {
		b.WriteString("\n" + wrap(hint))
	}
	return b.String()
}

const leastHead = "The least that breaks them, as far as it was found: the first run that did, shrunk. A letter in a table leads here:"

// unkept says how to open the counterexamples, where they are in no files.
func (x *Matrix) unkept() string {
	if len(x.Counterexamples) == 0 || x.Counterexamples[0].Command != "" {
		return ""
	}
	return "With --store DIR each cell's own is kept as DIR/found/NAME.yaml, a scenario that lockstorm run shows. The name comes " +
		"of what is in it, and stays what it is as long as that does."
}

// told says what it takes to break a property.
func (s *Shape) told() string {
	what := "no fault at all"
	if s.Schedule != "" {
		what = strings.ReplaceAll(s.Schedule, "\n", "; ")
	}
	return fmt.Sprintf("%s, %d %s and %d %s: %s", s.Name, s.Clients, either(s.Clients, "client", "clients"),
		s.Nodes, either(s.Nodes, "node", "nodes"), what)
}

// head says what was run.
func (x *Matrix) head() string {
	return fmt.Sprintf("Each lock against each class of faults alone, and against all together: in how many per cent of %d %s, "+
		"from seed %d, a property breaks. Each run draws its own faults, number of clients and nodes, and TTL.",
		x.Runs, either(x.Runs, "run", "runs"), x.Seed)
}

// nowhere says so where a property breaks in no cell: there is no table of it then.
func (x *Matrix) nowhere(property int) string {
	unknown := 0
	for _, c := range x.Cells {
		p := c.Properties[property]
		if unknown += p.Unknown; p.Violated > 0 {
			return ""
		}
	}
	if unknown > 0 {
		return fmt.Sprintf("It breaks in no cell, but %d of %d runs were cut short, and nothing is known of these.", unknown, len(x.Cells)*x.Runs-x.Missing)
	}
	return fmt.Sprintf("It breaks in no cell: %s.", stats.Claim(0, len(x.Cells)*x.Runs-x.Missing))
}

// foot says how sure the figures are.
func (x *Matrix) foot() string {
	none := stats.Wilson(0, x.Runs, stats.Confidence)
	half := stats.Wilson(x.Runs/2, x.Runs, stats.Confidence)
	text := fmt.Sprintf("At 95 %%, 0 stands for up to %s, and 50 for %s to %s (Wilson). What breaks rarely may show with more runs.",
		percent(none.High), percent(half.Low), percent(half.High))
	if slices.ContainsFunc(x.Cells, func(c MatrixCell) bool {
		return slices.ContainsFunc(c.Properties, func(p MatrixProperty) bool { return p.Unknown > 0 })
	}) {
		text += " Where a ? stands, runs were cut short."
	}
	if x.Missing > 0 {
		text += fmt.Sprintf(" This is a part: %d of %d runs are not made yet, or by others. Where a ? stands alone there is no run; and "+
			"counterexamples are sought when all are there.", x.Missing, len(x.Cells)*x.Runs)
	}
	return text
}

// lines gives the table of one property, with its head. The interval stands in it if there is place.
func (x *Matrix) lines(property int, interval bool) (lines [][]string) {
	lines = append(lines, append([]string{"lock"}, x.Faults...))
	for i, c := range x.Cells {
		if i%len(x.Faults) == 0 {
			lines = append(lines, []string{c.Lock})
		}
		row := &lines[len(lines)-1]
		*row = append(*row, x.shown(&c, property, interval))
	}
	return lines
}

// shown gives the figure of a cell.
func (x *Matrix) shown(c *MatrixCell, property int, interval bool) string {
	p := c.Properties[property]
	text := wholePerCent(p.Violated, c.Runs)
	if interval && p.Violated > 0 {
		text += fmt.Sprintf(" (%.0f–%.0f)", 100*p.Low, 100*p.High)
	}
	if p.Unknown > 0 {
		text += "?"
	}
	if x.broken(c) == p.Name {
		text += " " + c.Counterexample.ID
	}
	return text
}

// wholePerCent gives k of n in whole per cent. What is neither nothing nor all does not look so.
func wholePerCent(k, n int) string {
	if n == 0 {
		return "?"
	}
	whole := (200*k + n) / (2 * n)
	switch {
	case k > 0 && whole == 0:
		return "<1"
	case k < n && whole == 100:
		return ">99"
	}
	return strconv.Itoa(whole)
}

// broken gives the property that the counterexample of a cell is about.
func (x *Matrix) broken(c *MatrixCell) string {
	for _, e := range x.Counterexamples {
		if c.Counterexample != nil && e.ID == c.Counterexample.ID {
			return e.Property
		}
	}
	return ""
}

// MatrixMarkdown gives a matrix as Markdown.
func MatrixMarkdown(x Matrix) string {
	var b strings.Builder
	b.WriteString(prose(x.head()) + "\n")
	for i, name := range x.Properties {
		b.WriteString("\n" + strings.TrimSpace(fmt.Sprintf("%s: %s %s", code(name), prose(asks(name)), prose(x.nowhere(i)))) + "\n")
		if x.nowhere(i) == "" {
			b.WriteString("\n" + pipes(x.lines(i, true)))
		}
	}
	b.WriteString("\n" + prose(x.foot()) + "\n\n")
	locks := [][]string{{"lock", "what it is", "settings"}}
	for _, l := range x.Locks {
		locks = append(locks, []string{l.Name, l.About, strings.Join(l.Settings, " ")})
	}
	b.WriteString(pipes(locks))
	if len(x.Counterexamples) > 0 {
		b.WriteString("\n" + prose(leastHead) + "\n\n")
	}
	for _, c := range x.Counterexamples {
		fmt.Fprintf(&b, "- %s: %s\n", c.ID, prose(c.told()))
	}
	if hint := x.unkept(); hint != "" {
		b.WriteString("\n" + prose(hint) + "\n")
	}
	return b.String()
}

// asks is the question of a property, by its name.
func asks(name string) string {
	p, _ := checker.Lookup(name)
	return p.Asks
}
