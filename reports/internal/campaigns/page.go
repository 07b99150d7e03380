package campaigns

import (
	_ "embed" // for the page and its style
	"fmt"
	"html/template"
	"strconv"
	"strings"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/reports/internal/layout"
	"github.com/lockstorm/lockstorm/reports/internal/plot"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/scenarios/campaign/stats"
)

//go:embed campaign.html
var campaignText string

//go:embed campaign.css
var campaignStyle string

var campaignTemplate = layout.PageTemplate(campaignText)

// Stored is a campaign whose rows were kept, and what was counted of them.
type Stored struct {
	Survey  *campaign.Survey
	Version string // of Lockstorm, by which it was made
	Command string // that makes the same rows
	Hash    string // of the scenario, as its manifest has it
	Missing int    // blocks that are not made yet

	Ways      []Way
	NotSought string // why ways to break it were not looked for, or not all
	Figures   []*plot.Picture
	Link      func(file string) string // where a file of the report is, seen from the page; "" where it is not
}

// FigureFiles returns the files of all figures, in all forms, and the data of all cells.
func (c *Stored) FigureFiles(k *plot.Look) (all []plot.File) {
	for _, f := range c.Figures {
		all = append(all, f.Files(k)...)
	}
	cells := plot.Picture{Table: CellTable(c.Survey)}
	all = append(all, plot.File{Name: "cells.csv", Make: cells.CSV})
	for i := range all {
		all[i].Name = "figures/" + all[i].Name
	}
	return all
}

// A Way is one way to break a property, with the least scenario that was found to do it.
type Way struct {
	Signature
	Name string // of its files
	Cell string // in which it was found, if there are several
	Seed uint64 // of the least scenario
	YAML string
	Page string // the report of its run, seen from the page; "" where there is none
	Path string // the scenario's file, seen from the page
}

// NewWay describes a signature.
func NewWay(g *campaign.Signature, cell campaign.Cell, brief []byte) Way {
	return Way{Signature: signature(g), Name: g.Name(), Cell: layout.Plain(cell.String()), Seed: g.Least.Seed, YAML: string(brief)}
}

// campaignPage is what the page holds. Texts of others are escaped by the template; only pictures and style, which are
// ours, go in as they are.
type campaignPage struct {
	Policy, Head, ID, Title, Summary, Partial, About string
	Style                                            template.CSS
	Runs                                             string
	Many, Expects                                    bool
	Claims                                           []pageClaim
	Figures                                          []pageChart
	Ways                                             []pageWay
	WaysSay, NotSought, CellsSay                     string
	CellHeads                                        []pageCell
	Cells                                            [][]pageCell
	Long                                             bool
	Claim                                            *scenarios.Claim
	Command, Schedule, Drawn, Version, Hash          string
	Made                                             []struct{ Name, Value string }
}

type pageClaim struct{ Name, Expect, Class, Share, Claim, Asks string }

type pageChart struct {
	Name, Title, Caption string
	SVG                  template.HTML
	Files                []struct{ Name, Link string }
}

type pageWay struct {
	Name, Property, Faults, Runs, Size, Head, Says, Lines, Page, File, Command, YAML string
	FirstSeed                                                                        uint64
}

type pageCell struct {
	Text   string
	Number bool
}

// HTML returns a campaign as one page that needs nothing else: no server, no network and no script.
func HTML(c *Stored) []byte {
	s := c.Survey.Job.Scenario
	p := &campaignPage{
		ID: layout.Plain(s.ID), Title: layout.Plain(s.Title), About: layout.PlainLong(s.About), Runs: layout.Grouped(c.Survey.Runs), Many: len(c.Survey.Cells) > 1,
		Style: template.CSS(layout.PageStyle + campaignStyle + plot.Style), NotSought: c.NotSought, Command: layout.PlainLong(c.Command),
		Schedule: layout.PlainLines(s.Faults.String()), Drawn: describeFaults(s), Version: layout.Plain(c.Version), Hash: c.Hash,
	}
	if s.Claim.By != "" {
		p.Claim = &scenarios.Claim{By: layout.Plain(s.Claim.By), Says: layout.PlainLong(s.Claim.Says)}
	}
	p.head(c)
	p.claims(c)
	p.charts(c)
	p.ways(c)
	p.cells(c)
	p.made(c)
	p.Policy = layout.Policy(string(p.Style), " img-src data:;")
	return layout.Execute(campaignTemplate, p)
}

// head describes what the campaign is. The cells of a matrix have locks of their own, so what the scenario says of its lock, and
// expects of it, is not said of them.
func (p *campaignPage) head(c *Stored) {
	p.Head, p.Expects = "A campaign of", true
	if c.Survey.Job.Kind == campaign.MatrixJob {
		p.Head, p.Expects, p.About, p.Claim = "Locks and faults: a matrix of", false, "", nil
		p.Title = "Each kind of lock against each class of faults. All runs are drawn as this scenario draws them."
	}
}

// describeFaults describes what may go wrong where no schedule says it.
func describeFaults(s *scenarios.Scenario) string {
	if len(s.Search.Faults) == 0 {
		return "No faults are planned."
	}
	return fmt.Sprintf("Each seed draws its own: up to %d faults of %s, within %s.", s.Search.Most, layout.List(s.Search.Faults), s.Search.Within)
}

func (p *campaignPage) claims(c *Stored) {
	whole := c.Survey.Whole()
	var broken []string
	for i, f := range whole.Properties {
		asks, _ := checker.Lookup(f.Name)
		want := c.Survey.Job.Scenario.Expected(f.Name)
		k := pageClaim{Name: f.Name, Expect: want.String(), Class: f.Verdict().String(), Asks: asks.Asks, Share: "0"}
		k.Claim = f.Claim(layout.Grouped)
		switch in := brokenIn(c.Survey, i); {
		case f.Violated == 0:
		case p.Many: // a share of all would be a mean over places that somebody chose
			k.Share = fmt.Sprintf("%s of %s cells", layout.Grouped(in), layout.Grouped(len(c.Survey.Cells)))
			k.Claim = fmt.Sprintf("%s: %s of %s runs", k.Share, layout.Grouped(f.Violated), layout.Grouped(whole.Runs))
		default:
			k.Share = stats.PerCent(f.Violated, whole.Runs-f.Unknown, 1) + " %"
		}
		if f.Violated > 0 {
			broken = append(broken, f.Name)
		}
		p.Claims = append(p.Claims, k)
	}
	found := "nothing broke"
	if len(broken) > 0 {
		found = layout.List(broken) + " broke"
	}
	cells := len(c.Survey.Cells)
	p.Summary = fmt.Sprintf("%s runs, %s %s: %s.", layout.Grouped(whole.Runs), layout.Grouped(cells), layout.Either(cells, "cell", "cells"), found)
	if c.Missing > 0 {
		p.Partial = fmt.Sprintf("It is not whole: %s of %s blocks are not made yet, and their runs are not counted here.",
			layout.Grouped(c.Missing), layout.Grouped(c.Survey.Job.Blocks()))
	}
}

// brokenIn returns in how many cells the i-th property broke.
func brokenIn(s *campaign.Survey, i int) (n int) {
	for k := range s.Cells {
		if s.Cells[k].Properties[i].Violated > 0 {
			n++
		}
	}
	return n
}

// chartForms are the forms in which each figure is written.
var chartForms = []string{"svg", "png", "pdf", "csv"}

func (p *campaignPage) charts(c *Stored) {
	for _, f := range c.Figures {
		k := pageChart{Name: f.Name, Title: f.Title, Caption: f.Caption, SVG: template.HTML(f.SVG(plot.Column, "f-"+f.Name, false))}
		for _, form := range chartForms {
			if link := c.Link("figures/" + f.Name + "." + form); link != "" {
				k.Files = append(k.Files, struct{ Name, Link string }{strings.ToUpper(form), link})
			}
		}
		p.Figures = append(p.Figures, k)
	}
}

func (p *campaignPage) ways(c *Stored) {
	n := len(c.Ways)
	p.WaysSay = fmt.Sprintf("%s, distinguished by the property and the kinds of faults it takes; the first run of each was shrunk to the "+
		"least that still breaks the property.", layout.Count(n, "way", "ways"))
	if c.NotSought != "" {
		p.WaysSay += " " + layout.Capital(c.NotSought) + "."
	}
	for _, w := range c.Ways {
		kinds := "no fault"
		if len(w.Kinds) > 0 {
			kinds = layout.List(w.Kinds)
		}
		faults := len(w.Schedule)
		k := pageWay{
			Name: w.Name, Property: w.Property, Faults: kinds, Runs: layout.Grouped(w.Runs), FirstSeed: w.FirstSeed,
			Size: fmt.Sprintf("%s, %s", layout.Count(faults, "fault", "faults"), layout.Count(w.Clients, "client", "clients")),
			Head: fmt.Sprintf("%s under %s", w.Property, kinds), Lines: layout.PlainLines(strings.Join(w.Schedule, "\n")),
			Page: w.Page, File: w.Path, Command: layout.PlainLong(w.Command), YAML: plainYAML(w.YAML),
		}
		k.Says = fmt.Sprintf("First with seed %d; shrunk from %s to %d in %d runs.", w.FirstSeed, layout.Count(w.From, "fault", "faults"), faults, w.Tries)
		if w.Cell != "" {
			k.Says = "At " + w.Cell + ". " + k.Says
		}
		if !w.Shrunk {
			k.Says += " There may be more to take away."
		}
		p.Ways = append(p.Ways, k)
	}
}

// plainYAML makes a file harmless, line by line.
func plainYAML(text string) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	for i, line := range lines {
		indent := len(line) - len(strings.TrimLeft(line, " "))
		lines[i] = line[:min(indent, layout.PlainMost)] + layout.Plain(line[indent:])
	}
	return strings.Join(lines, "\n")
}

// cellsMost is how many cells the page lists; all of them are in a file.
const cellsMost = 500

// cells lists the cells, with the properties that ever broke.
func (p *campaignPage) cells(c *Stored) {
	table := CellTable(c.Survey)
	n := len(table) - 1
	p.CellsSay = fmt.Sprintf("%s %s. Beside each property that ever broke stands in how many runs it did, and Wilson's interval at 95 %% in per cent.",
		layout.Grouped(n), layout.Either(n, "cell", "cells"))
	if n > cellsMost {
		p.CellsSay += fmt.Sprintf(" The first %d are listed; all are in figures/cells.csv.", cellsMost)
	}
	p.Long = n > 60
	whole, settings := c.Survey.Whole(), len(table[0])-5-4*len(checker.Properties)
	for _, h := range append(append([]string{}, table[0][:settings]...), "runs", "as expected", "not", "unknown") {
		p.CellHeads = append(p.CellHeads, pageCell{layout.Plain(h), len(p.CellHeads) >= settings})
	}
	for _, f := range whole.Properties {
		if f.Violated > 0 {
			p.CellHeads = append(p.CellHeads, pageCell{f.Name, true})
		}
	}
	for i := range c.Survey.Cells[:min(n, cellsMost)] {
		p.Cells = append(p.Cells, cellLine(&c.Survey.Cells[i], &whole, table[i+1][:settings]))
	}
}

func cellLine(cell, whole *campaign.Counts, settings []string) (line []pageCell) {
	for _, s := range settings {
		line = append(line, pageCell{layout.Plain(s), false})
	}
	for _, k := range []int{cell.Runs, cell.Verdicts[scenarios.Pass], cell.Verdicts[scenarios.Fail], cell.Verdicts[scenarios.Unknown]} {
		line = append(line, pageCell{layout.Grouped(k), true})
	}
	for i, f := range cell.Properties {
		if whole.Properties[i].Violated == 0 {
			continue
		}
		text := ""
		if cell.Runs > 0 {
			b := banded(f)
			text = fmt.Sprintf("%s (%.1f–%.1f)", layout.Grouped(f.Violated), 100*b.Low, 100*b.High)
		}
		line = append(line, pageCell{text, true})
	}
	return line
}

// CellTable returns all that was counted of cells, heads first.
func CellTable(s *campaign.Survey) [][]string {
	var heads []string
	axes, grid := s.Job.Axes()
	for _, a := range axes {
		heads = append(heads, a.Key)
	}
	if !grid {
		heads = []string{"cell"}
	}
	heads = append(heads, "runs", "as_expected", "not_as_expected", "unknown", "any_violated")
	for _, p := range checker.Properties {
		heads = append(heads, p.Name+"_violated", p.Name+"_unknown", p.Name+"_low", p.Name+"_high")
	}
	table := [][]string{heads}
	for i := range s.Cells {
		c := &s.Cells[i]
		var line []string
		for _, a := range c.Cell {
			line = append(line, string(a.Value))
		}
		if !grid {
			line = []string{c.Cell.String()}
		}
		for _, k := range []int{c.Runs, c.Verdicts[scenarios.Pass], c.Verdicts[scenarios.Fail], c.Verdicts[scenarios.Unknown], c.Broken} {
			line = append(line, strconv.Itoa(k))
		}
		for _, f := range c.Properties {
			_, low, high := bandOf(f)
			line = append(line, strconv.Itoa(f.Violated), strconv.Itoa(f.Unknown), number(low/100), number(high/100))
		}
		table = append(table, line)
	}
	return table
}

func (p *campaignPage) made(c *Stored) {
	j := c.Survey.Job
	say := func(name, value string) { p.Made = append(p.Made, struct{ Name, Value string }{name, value}) }
	say("kind", layout.Plain(j.Kind))
	say("scenario", layout.Plain(j.Scenario.ID))
	say("scenario's SHA-256", c.Hash)
	say("version of Lockstorm", layout.Plain(c.Version))
	say("seeds of each cell", fmt.Sprintf("%d to %d", j.First, j.First+uint64(j.Runs)-1))
	say("cells", layout.Grouped(len(j.Cells)))
	say("runs", layout.Grouped(c.Survey.Runs)+" of "+layout.Grouped(j.Rows()))
	axes, _ := j.Axes()
	for _, a := range axes {
		var values []string
		for _, v := range a.Values {
			values = append(values, layout.Plain(string(v)))
		}
		say(layout.Plain(a.Key), layout.Few(values, 40, ", "))
	}
}
