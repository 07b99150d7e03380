package campaigns

import (
	"cmp"
	_ "embed" // for the style
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/checker/blackbox"
	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/internal/plot"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/scenarios/campaign/stats"
)

//go:embed campaign.css
var campaignStyle string

// A Way is one way to break a promise, with the smallest scenario found that does.
type Way struct {
	campaign.Signature
	Cell campaign.Cell // in which it was found
	YAML string        // the scenario's file, in brief
	Page string        // the report of its run, seen from the page; "" where there is none
}

// Document returns a campaign as blocks. Cells of a study may have other locks, so the page of a study leaves out what the
// scenario says of its lock and expects of it.
func (c *Campaign) Document() *reports.Document {
	s := c.Survey.Job.Scenario
	d := &reports.Document{
		Title: "A campaign of " + wording.Plain(s.ID), Style: campaignStyle + plot.Style,
		Foot: fmt.Sprintf("Made by Lockstorm %s. SHA-256 of the scenario: %s.", wording.Plain(c.Version), c.Hash),
	}
	title := wording.Plain(s.Title)
	if c.Study != nil {
		d.Title, title = "A study of "+wording.Plain(s.ID), wording.Plain(c.Study.Title)
	}
	d.Rich(reports.Span{Text: title, Class: "foreign"})
	c.claims(d, c.Study == nil)
	if c.Study != nil {
		c.Study.tables(d)
	}
	c.charts(d)
	c.ways(d)
	c.cells(d)
	section(d, "made", "How it was made")
	if c.Study == nil {
		d.Paragraph(wording.PlainLong(s.About))
		if s.Claim.By != "" {
			d.Rich(reports.Span{Text: wording.Plain(s.Claim.By), Class: "foreign"}, reports.Span{Text: " says: "},
				reports.Span{Text: wording.PlainLong(s.Claim.Says), Class: "foreign"})
		}
	}
	d.Add(reports.Block{Kind: "command", Words: reports.Words("This command repeats the rows:"),
		Command: wording.PlainLong(c.Command), ID: "command"})
	d.Table("", c.made())
	d.Add(reports.Block{Kind: "topic", Words: reports.Words("Schedule of faults")})
	if schedule := wording.PlainLines(s.Faults.String()); schedule != "" {
		d.Lines(schedule)
	} else {
		d.Paragraph(describeFaults(s))
	}
	return d
}

func section(d *reports.Document, id, heading string) {
	d.Add(reports.Block{Kind: "heading", Words: reports.Words(heading), ID: id})
}

// describeFaults describes what may go wrong where no schedule says it.
func describeFaults(s *scenarios.Scenario) string {
	if len(s.Search.Faults) == 0 {
		return "No faults are planned."
	}
	return fmt.Sprintf("Each seed draws up to %d faults of %s, within %s.", s.Search.Most, wording.List(s.Search.Faults),
		s.Search.Within)
}

// asMeant follows the words about a promise that broke and should.
const asMeant = ", as this scenario is meant to show"

// claims says what the runs show of each property: in one line, in a word each, and with its interval.
func (c *Campaign) claims(d *reports.Document, expects bool) {
	whole, cells := c.Survey.Whole(), len(c.Survey.Cells)
	t := &reports.Table{Columns: reports.Columns("promise", "expected", "broke in", "question")}
	t.Columns[3].Kind = "wordy"
	var broken, planned []string
	var chips []reports.Span
	for i, f := range whole.Properties {
		asks, _ := checker.Lookup(f.Name)
		share, claim, want := "0", f.Claim(wording.Grouped), ""
		switch {
		case f.Violated == 0:
		case cells > 1: // a share of all would be a mean over places that a user chose
			share = fmt.Sprintf("%s of %s cells", wording.Grouped(brokenIn(&c.Survey, i)), wording.Grouped(cells))
			claim = fmt.Sprintf("%s: %s of %s runs", share, wording.Grouped(f.Violated), wording.Grouped(whole.Runs))
		default:
			share = stats.PerCent(f.Violated, whole.Runs-f.Unknown, 1) + "%"
		}
		if f.Violated > 0 {
			broken = append(broken, f.Name)
		}
		if expects {
			want = c.Survey.Job.Scenario.Expected(f.Name).String()
		}
		class := f.Verdict().String()
		if expects && f.Violated > 0 && c.Survey.Job.Scenario.Expected(f.Name) == checker.Violated {
			class, claim, planned = "expected", claim+asMeant, append(planned, f.Name)
		}
		chips = append(chips, reports.Span{Text: f.Name + " "}, reports.Span{Text: share, Class: class})
		t.Rows = append(t.Rows, []reports.Cell{{Text: f.Name}, {Text: want}, reports.Rich(reports.Span{Text: claim, Class: class}),
			{Text: asks.Asks}})
	}
	found := "no promise broke"
	if len(broken) > 0 {
		found = wording.List(broken) + " broke"
	}
	if len(planned) > 0 && len(planned) == len(broken) {
		found += asMeant
	}
	d.Verdict(fmt.Sprintf("%s runs, %s: %s.", wording.Grouped(whole.Runs), wording.Count(cells, "cell", "cells"), found))
	if c.Missing > 0 {
		d.Rich(reports.Span{Class: "violated",
			Text: fmt.Sprintf("It is incomplete: %s of %s blocks have not run yet, and are not counted here.",
				wording.Grouped(c.Missing), wording.Grouped(c.Survey.Job.Blocks()))})
	}
	d.Add(reports.Block{Kind: "chips", Words: chips})
	section(d, "claims", "What the runs show")
	d.Add(reports.Block{Kind: "rows", Table: t, Class: "claims"})
	c.views(d, &whole, expects)
	bounds := "Intervals are Clopper and Pearson's, because runs with different seeds are independent."
	if cells > 1 {
		bounds += " They count the runs of all cells as independent, although the cells have the same seeds."
	}
	d.Paragraph(bounds)
}

// views says the same of what a linearizability checker sees.
func (c *Campaign) views(d *reports.Document, whole *campaign.Counts, expects bool) {
	t := &reports.Table{Columns: reports.Columns("view", "expected", "violated in", "model")}
	t.Columns[3].Kind = "wordy"
	for _, f := range seen(whole) {
		m, _ := blackbox.LookupModel(strings.TrimPrefix(f.Name, scenarios.BlackBox+"."))
		want, claim, class := "", f.Claim(wording.Grouped), "" // an unexpected view is no alarm, and no comfort
		if v, named := c.Survey.Job.Scenario.ExpectedView(m.Name); named && expects {
			if want, class = v.String(), wording.ClassOf(f.Verdict(), v); class == "expected" {
				claim += asMeant
			}
		}
		t.Rows = append(t.Rows, []reports.Cell{{Text: f.Name}, {Text: want}, reports.Rich(reports.Span{Text: claim, Class: class}),
			{Text: m.Says}})
	}
	if len(t.Rows) > 0 {
		d.Paragraph("A linearizability checker has only the clients' calls, not the true time. It checks them against each of " +
			"these models:")
		d.Add(reports.Block{Kind: "rows", Table: t, Class: "claims"})
	}
}

// seen returns the views that runs have.
func seen(c *campaign.Counts) (all []campaign.Frequency) {
	for _, f := range c.Views {
		if f.Runs > 0 {
			all = append(all, f)
		}
	}
	return all
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

func (c *Campaign) charts(d *reports.Document) {
	section(d, "figures", "Figures")
	for _, f := range c.figures {
		files := []reports.Span{{Text: "figures/" + f.Name, Look: "code"}}
		between := " as "
		for _, form := range chartForms {
			files = append(files, reports.Span{Text: between},
				reports.Span{Text: strings.ToUpper(form), Link: "figures/" + f.Name + "." + form})
			between = ", "
		}
		d.Add(reports.Block{
			Kind: "picture", Image: string(f.SVG(plot.Column, "f-"+f.Name, false)),
			Words: []reports.Span{{Text: f.Title + ".", Look: "bold"}},
			Blocks: []reports.Block{
				{Words: reports.Words(f.Caption), Class: "soft"},
				{Words: files, Class: "soft"},
			},
		})
	}
}

func (c *Campaign) ways(d *reports.Document) {
	section(d, "ways", "Ways to break it")
	if len(c.Ways) == 0 {
		d.Paragraph(strings.TrimSuffix("No run broke a promise; "+c.NotSought, "; ") + ".")
		return
	}
	text := wording.Count(len(c.Ways), "way", "ways") + ", grouped by promise and kinds of faults. The first run " +
		"of each was shrunk to the smallest scenario that still breaks the promise."
	if c.NotSought != "" {
		text += " " + wording.Capital(c.NotSought) + "."
	}
	t := &reports.Table{Columns: reports.Columns("promise", "faults", "runs", "first seed", "counterexample")}
	t.Columns[2].Kind, t.Columns[3].Kind = "number", "number"
	for _, w := range c.Ways {
		t.Rows = append(t.Rows, []reports.Cell{
			{Text: w.Property, Link: "#w-" + w.Name()}, {Text: kindsOf(&w.Signature)}, {Text: wording.Grouped(w.Runs)}, {Text: fmt.Sprint(w.First)},
			{Text: wording.Count(len(w.Least.Least.Faults), "fault", "faults") + ", " +
				wording.Count(w.Least.Least.Clients, "client", "clients")},
		})
	}
	d.Table(text, t)
	for i := range c.Ways {
		c.Ways[i].add(d)
	}
}

// kindsOf names the kinds of faults that a signature takes.
func kindsOf(g *campaign.Signature) string { return cmp.Or(wording.List(g.Kinds.Words()), "no fault") }

// add says how a property broke, and where the smallest scenario that breaks it is.
func (w *Way) add(d *reports.Document) {
	d.Add(reports.Block{Kind: "topic", Words: reports.Words(w.Property + " under " + kindsOf(&w.Signature)), ID: "w-" + w.Name()})
	says := fmt.Sprintf("First with seed %d; shrunk from %s to %d in %d runs.", w.First,
		wording.Count(w.From, "fault", "faults"), len(w.Least.Least.Faults), w.Least.Runs)
	if len(w.Cell) > 0 {
		says = "At " + wording.Plain(w.Cell.String()) + ". " + says
	}
	if !w.Shrunk {
		says += " It may not be the smallest."
	}
	d.Paragraph(says)
	if lines := wording.PlainLines(w.Least.Least.Faults.String()); lines != "" {
		d.Lines(lines)
	}
	var leads []reports.Span
	for _, l := range []reports.Link{{Text: "The report of its run", To: w.Page}, {Text: "the scenario", To: w.File}} {
		if l.To != "" {
			leads = append(leads, reports.Span{Text: l.Text, Link: l.To}, reports.Span{Text: " · "})
		}
	}
	d.Rich(append(leads, reports.Span{Text: wording.PlainLong(w.Command), Look: "code"})...)
	if yaml := plainYAML(w.YAML); yaml != "" {
		d.Add(reports.Block{Kind: "details", Words: reports.Words("The whole scenario"),
			Blocks: []reports.Block{{Kind: "lines", Words: reports.Words(yaml)}}})
	}
}

// plainYAML makes a file harmless, line by line.
func plainYAML(text string) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	for i, line := range lines {
		indent := len(line) - len(strings.TrimLeft(line, " "))
		lines[i] = line[:min(indent, wording.PlainMost)] + wording.Plain(line[indent:])
	}
	return strings.Join(lines, "\n")
}

// cellsMost is how many cells a document lists; all of them are in a file.
const cellsMost = 500

// cells lists the cells, with the properties that ever broke.
func (c *Campaign) cells(d *reports.Document) {
	all := cellTable(&c.Survey)
	n := len(all) - 1
	section(d, "cells", "Cells")
	text := fmt.Sprintf("%s. For each promise that broke: the number of runs in which it did, and the 95%% interval of Clopper and Pearson in "+
		"per cent.",
		wording.Count(n, "cell", "cells"))
	if n > cellsMost {
		text += fmt.Sprintf(" The first %d are listed; all are in figures/cells.csv.", cellsMost)
	}
	whole, settings := c.Survey.Whole(), len(all[0])-5-4*len(scenarios.Judged())
	t := &reports.Table{Long: true}
	for _, h := range all[0][:settings] {
		t.Columns = append(t.Columns, reports.Column{Head: wording.Plain(h)})
	}
	t.Columns = append(t.Columns, reports.Numbers("", "runs", "as expected", "not", "unknown")[1:]...)
	for _, f := range slices.Concat(whole.Properties, whole.Views) {
		if f.Violated > 0 {
			t.Columns = append(t.Columns, reports.Column{Head: f.Name, Kind: "number"})
		}
	}
	for i := range c.Survey.Cells[:min(n, cellsMost)] {
		t.Add(cellLine(&c.Survey.Cells[i], &whole, all[i+1][:settings])...)
	}
	d.Table(text, t)
}

func cellLine(cell, whole *campaign.Counts, settings []string) (line []string) {
	for _, s := range settings {
		line = append(line, wording.Plain(s))
	}
	for _, k := range []int{cell.Runs, cell.Verdicts[scenarios.Pass], cell.Verdicts[scenarios.Fail],
		cell.Verdicts[scenarios.Unknown]} {
		line = append(line, wording.Grouped(k))
	}
	all := slices.Concat(whole.Properties, whole.Views)
	for i, f := range slices.Concat(cell.Properties, cell.Views) {
		if all[i].Violated == 0 {
			continue
		}
		text := ""
		if f.Runs > 0 {
			_, low, high := bandOf(f)
			text = fmt.Sprintf("%s (%.1f–%.1f)", wording.Grouped(f.Violated), low, high)
		}
		line = append(line, text)
	}
	return line
}

// keysOf returns the settings that all cells have; nil if some have others.
func keysOf(cells []campaign.Cell) []string {
	keys := []string{}
	for i, cell := range cells {
		if len(cell) != len(cells[0]) {
			return nil
		}
		for k, a := range cell {
			if i == 0 {
				keys = append(keys, a.Key)
			} else if a.Key != keys[k] {
				return nil
			}
		}
	}
	return keys
}

// cellTable returns everything that was counted in cells, heads first.
func cellTable(s *campaign.Survey) [][]string {
	heads := keysOf(s.Job.Cells)
	alike := heads != nil
	if !alike {
		heads = []string{"cell"}
	}
	heads = append(heads, "runs", "as_expected", "not_as_expected", "unknown", "any_violated")
	for _, name := range scenarios.Judged() {
		heads = append(heads, name+"_violated", name+"_unknown", name+"_low", name+"_high")
	}
	table := [][]string{heads}
	for i := range s.Cells {
		c := &s.Cells[i]
		var line []string
		for _, a := range c.Cell {
			line = append(line, string(a.Value))
		}
		if !alike {
			line = []string{c.Cell.String()}
		}
		for _, k := range []int{c.Runs, c.Verdicts[scenarios.Pass], c.Verdicts[scenarios.Fail], c.Verdicts[scenarios.Unknown],
			c.Broken} {
			line = append(line, strconv.Itoa(k))
		}
		for _, f := range slices.Concat(c.Properties, c.Views) {
			_, low, high := bandOf(f)
			line = append(line, strconv.Itoa(f.Violated), strconv.Itoa(f.Unknown), number(low/100), number(high/100))
		}
		table = append(table, line)
	}
	return table
}

// made lists the inputs of the rows.
func (c *Campaign) made() *reports.Table {
	j := c.Survey.Job
	t := &reports.Table{Bare: true, Columns: reports.Columns("", "")}
	t.Add("kind", wording.Plain(j.Kind))
	t.Add("scenario", wording.Plain(j.Scenario.ID))
	t.Add("scenario's SHA-256", c.Hash)
	t.Add("version of Lockstorm", wording.Plain(c.Version))
	t.Add("rows made by build", wording.Plain(c.Build))
	t.Add("seeds of each cell", fmt.Sprintf("%d to %d", j.First, j.First+uint64(j.Runs)-1))
	t.Add("cells", wording.Grouped(len(j.Cells)))
	t.Add("runs", wording.Grouped(c.Survey.Runs)+" of "+wording.Grouped(j.Rows()))
	return t
}
