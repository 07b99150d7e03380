package browse

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign/stats"
)

// CampaignPage returns the page of one campaign.
func CampaignPage(c Campaign) *reports.Document {
	d := newPage(c.title())
	if c.Wrong != "" {
		d.Rich(warned(c.Wrong))
	}
	d.Paragraph(strings.TrimSpace(c.runs() + " " + c.rows()))
	d.Paragraph(c.Note)
	tools(d, button("Open the report", reportAddress(c.Place, c.Files)))
	switch {
	case !c.Counted:
	case len(c.Tallies) == 1:
		c.shares(d)
	case len(c.Locks)*len(c.Faults) == len(c.Tallies) && len(c.Tallies) > 0:
		c.grids(d)
	default:
		c.cells(d)
	}
	if len(c.Found) > 0 {
		section(d, "found", "Smallest scenarios that were found")
		d.Paragraph("Each is what shrinking left of a run that violates a property, and is listed with its faults. Its first lines " +
			"say how to run it.")
		table(d, "", "Scenarios that were found", filesOf(c.Place, c.Found))
	}
	if len(c.Files) > 0 {
		section(d, "files", "Files")
		table(d, "", "Files", filesOf(c.Place, c.Files))
	}
	source := "In " + wording.Plain(c.Place)
	if c.Lockstorm != "" {
		source += ", made by build " + c.Lockstorm
	}
	if c.ScenarioHash != "" {
		source += "; SHA-256 of the scenario: " + c.ScenarioHash
	}
	d.Rich(soft(source))
	return d
}

// runs says how many runs there are.
func (c *Campaign) runs() string {
	if seeds := c.seeds(); seeds != "" {
		return seeds + "."
	}
	return ""
}

// rows says which of the rows are there.
func (c *Campaign) rows() string {
	switch {
	case c.Wrong != "" || c.Note != "" && c.Of == 0:
		return ""
	case c.Of == 0:
		return "No rows were kept."
	case c.Blocks == c.Of:
		return "All rows are there."
	}
	return fmt.Sprintf("%s of %s blocks of rows are there.", wording.Grouped(c.Blocks), wording.Grouped(c.Of))
}

func (c *Campaign) title() string {
	if c.Kind == "" {
		return wording.Plain(c.Place)
	}
	return c.Kind + " of " + c.Scenario
}

// nothingBroke is what a table says that would be empty.
const nothingBroke = "No property is violated in any cell."

// shares adds the table of a campaign of one cell. A run of which nothing is known supports no claim.
func (c *Campaign) shares(d *reports.Document) {
	tally := &c.Tallies[0]
	t := &reports.Table{Columns: []reports.Column{{Head: "property"}, {Head: "violated"}, {Head: "unknown", Kind: "number"}}}
	for i, name := range c.counted() {
		if c.lacks(tally, i) {
			continue
		}
		n := tally.Counts[i]
		claim := reports.Cell{Text: n.Claim(wording.Grouped)}
		if n.Violated > 0 {
			claim.Ink = reports.RedInk
		}
		if n.Violated > 0 && slices.Contains(c.breaks, name) {
			claim.Class = wording.ClassOf(checker.Violated, checker.Violated)
		}
		t.Rows = append(t.Rows, []reports.Cell{{Text: wording.Plain(name)}, claim, {Text: wording.Grouped(n.Unknown)}})
	}
	section(d, "counts", "Violations")
	table(d, "", "Violations", t)
	d.Rich(soft("Intervals are those of Clopper and Pearson."))
}

// counted names what is counted: the properties, and the views of a black box.
func (c *Campaign) counted() []string {
	all := slices.Clone(c.Properties)
	for _, name := range c.Views {
		all = append(all, scenarios.BlackBox+"."+name)
	}
	return all
}

// Expects notes what of it the scenario expects to break.
func (c *Campaign) Expects(s *scenarios.Scenario) {
	for _, name := range c.Properties {
		if s.Expected(name) == checker.Violated {
			c.breaks = append(c.breaks, name)
		}
	}
	for _, name := range c.Views {
		if want, named := s.ExpectedView(name); named && want == checker.Violated {
			c.breaks = append(c.breaks, scenarios.BlackBox+"."+name)
		}
	}
}

// lacks reports whether the i-th of what is counted is a view that the runs of a cell do not have: it is unknown in all of them.
func (c *Campaign) lacks(t *Tally, i int) bool {
	return i >= len(c.Properties) && t.Counts[i].Unknown == t.Runs
}

// cells adds the table of a campaign of several cells.
func (c *Campaign) cells(d *reports.Document) {
	t := &reports.Table{Columns: []reports.Column{{Head: "cell"}, {Head: "runs", Kind: "number"}}}
	var columns []int
	for i, name := range c.counted() {
		if slices.ContainsFunc(c.Tallies, func(t Tally) bool { return t.Counts[i].Violated > 0 }) {
			columns = append(columns, i)
			t.Columns = append(t.Columns, reports.Column{Head: wording.Plain(name), Kind: "number"})
		}
	}
	for i, name := range c.Settings {
		tally := &c.Tallies[i]
		line := []reports.Cell{reports.Rich(code(name)), {Text: wording.Grouped(tally.Runs)}}
		for _, k := range columns {
			share := reports.Cell{}
			if !c.lacks(tally, k) {
				share.Text = fmt.Sprintf("%s (%s)", wording.Grouped(tally.Counts[k].Violated), tally.Counts[k].Exact().Text(1))
			}
			line = append(line, share)
		}
		t.Rows = append(t.Rows, line)
	}
	section(d, "cells", "Violations by cell")
	if len(columns) == 0 {
		d.Paragraph(nothingBroke)
	}
	table(d, "cells", "Cells", t)
	left := ""
	if n := c.Cells - len(t.Rows); n > 0 {
		left = fmt.Sprintf("%d more cells are not shown. ", n)
	}
	d.Rich(soft(left + "Each cell gives the runs that violate a property, and the interval of Clopper and Pearson at 95 % for " +
		"their share."))
}

// grids adds the tables of a matrix, for each property that is violated somewhere: a row for each lock, a column for each class
// of faults.
func (c *Campaign) grids(d *reports.Document) {
	section(d, "grids", "Violations by lock and faults")
	says := "Each cell gives the per cent of its runs that violate the property."
	if !slices.ContainsFunc(c.Tallies, func(t Tally) bool {
		return slices.ContainsFunc(t.Counts, func(n stats.Count) bool { return n.Violated > 0 })
	}) {
		says = nothingBroke
	}
	d.Paragraph(says)
	for k, name := range c.counted() {
		if slices.ContainsFunc(c.Tallies, func(t Tally) bool { return t.Counts[k].Violated > 0 }) {
			topic(d, wording.Plain(name))
			table(d, "grid", wording.Plain(name), c.grid(k))
		}
	}
}

// grid returns what became of the k-th of what is counted.
func (c *Campaign) grid(k int) *reports.Table {
	g := &reports.Table{Columns: reports.Numbers(append([]string{""}, c.Faults...)...)}
	for i, lock := range c.Locks {
		row := []reports.Cell{{Text: lock}}
		for j, faults := range c.Faults {
			t := &c.Tallies[i*len(c.Faults)+j]
			if c.lacks(t, k) {
				row = append(row, reports.Cell{})
				continue
			}
			row = append(row, tile(t.Counts[k], lock+", "+faults))
		}
		g.Rows = append(g.Rows, row)
	}
	return g
}

func tile(n stats.Count, where string) reports.Cell {
	c := reports.Cell{Text: n.PerCent(0), Says: where + ": " + n.Claim(wording.Grouped)}
	if n.Unknown > 0 {
		c.Text, c.Ink = c.Text+"?", reports.YellowInk
	}
	if n.Violated > 0 {
		c.Ink = reports.RedInk
	}
	return c
}
