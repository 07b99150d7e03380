package onerun

import (
	_ "embed" // for the script of the page
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/reports/internal/bounds"
	"github.com/lockstorm/lockstorm/reports/internal/draw"
	"github.com/lockstorm/lockstorm/reports/internal/layout"
	"github.com/lockstorm/lockstorm/scenarios"
)

//go:embed page.js
var pageScript string

// A report is the document of a run while it is written.
type report struct {
	*layout.Document
	run   *scenarios.Result
	made  Making
	scene *draw.Scene
	seen  []View

	full layout.Media // which of text and Markdown have all of it; a page has always
}

// Document returns one run in all formats: what became of its promises, a timeline, the story of each violation, figures,
// bounds, and the command that repeats it. As text it is all of that, or what fits on a screen. A page has the sequences, the
// scenario and the history besides.
func Document(r *scenarios.Result, m Making, whole bool) *layout.Document {
	data := Describe(r, m)
	d := &report{run: r, made: m, scene: draw.NewScene(r), seen: data.BlackBox, full: layout.Terminal | layout.Marked,
		Document: &layout.Document{
			Data: data, Rows: data.rows(), Summary: Summary(r), Style: draw.Style, Script: pageScript,
			Foot: fmt.Sprintf("Made by Lockstorm %s. The run ended (%s) after %d steps. Hash of the run: %s. SHA-256 of the scenario: %s.",
				layout.Plain(m.Version), r.End, r.Steps, data.Hash, data.ScenarioHash)}}
	if !whole {
		d.full, d.Most, d.Columns = layout.Marked, briefLines, briefWidth
	}
	if i := violatedView(r); i >= 0 {
		d.scene.Mark(d.seen[i].Excerpt)
	}
	d.head(whole)
	d.timelineOfPage()
	d.verdicts(whole)
	d.views(whole)
	if !whole {
		d.brief()
	}
	d.add(d.full, layout.Block{Kind: layout.Picture, Drawn: d.timeline()})
	d.stories()
	d.scenario()
	d.figures()
	d.bounds()
	d.history()
	if whole {
		d.add(layout.Terminal, layout.Block{Kind: layout.Verdict, Words: layout.Words(d.Summary)})
	}
	d.add(d.full, layout.Block{Kind: layout.Shell, Words: layout.Words("Repeat it:"), Command: m.Command, Close: true})
	return d.Document
}

// add adds a block for some media; none if these are none.
func (d *report) add(to layout.Media, b layout.Block) {
	if b.In = to; to != 0 {
		d.Add(b)
	}
}

// paragraph adds a paragraph.
func (d *report) paragraph(to layout.Media, words ...layout.Span) {
	d.add(to, layout.Block{Kind: layout.Sentence, Words: words})
}

// section begins a section of the page.
func (d *report) section(id, heading string) {
	d.add(layout.Page, layout.Block{Kind: layout.Heading, ID: id, Words: layout.Words(heading)})
}

func (d *report) topic(heading string) {
	d.add(layout.Page, layout.Block{Kind: layout.Topic, Words: layout.Words(heading)})
}

// foreign returns words of others; on a page they do not change the order of those around them.
func foreign(text string) layout.Span {
	return layout.Span{Text: layout.PlainLong(text), Class: "foreign"}
}

// head begins with what was run, and what came of it. A whole text says that last.
func (d *report) head(whole bool) {
	d.Headline(fmt.Sprintf("%s, seed %d", layout.Plain(d.run.Scenario.ID), d.run.Seed))
	d.Add(layout.Block{Kind: layout.Sentence, Words: []layout.Span{foreign(d.run.Scenario.Title)}, Close: true})
	d.add(layout.Marked|layout.Page, layout.Block{Kind: layout.Verdict, Words: layout.Words(d.Summary)})
	if !whole {
		d.add(layout.Terminal,
			layout.Block{Kind: layout.Verdict, Words: layout.Words(strings.ToUpper(d.run.Verdict.String()) + ": " + outcome(d.run))})
	}
	var chips []layout.Span
	for _, f := range d.run.Findings {
		class := layout.ClassOf(f.Verdict, d.run.Scenario.Expected(f.Property))
		chips = append(chips, layout.Span{Text: f.Property + " "}, layout.Span{Text: f.Verdict.String(), Class: class})
	}
	d.add(layout.Page, layout.Block{Kind: layout.Chips, Words: chips})
}

func (d *report) timeline() layout.Drawing {
	return layout.Drawing{
		Text: func(s layout.Screen) string { return draw.Timeline(s, d.scene) },
		SVG:  func() string { return draw.TimelineHTML(d.scene) },
	}
}

// timelineOfPage adds the timeline as a page has it: first, so that it is seen without scrolling.
func (d *report) timelineOfPage() {
	d.section("timeline", "Timeline")
	if d.scene.Left != "" {
		d.paragraph(layout.Page, layout.Span{Text: d.scene.Left})
	}
	d.add(layout.Page, layout.Block{Kind: layout.Picture, ID: "lanes", Label: "Timeline", Drawn: d.timeline()})
	if near := draw.CloseUpHTML(d.scene); near != "" {
		d.add(layout.Page, layout.Block{Kind: layout.Picture, ID: "closeup", Label: "Close-up of the violation",
			Drawn: layout.Drawing{SVG: func() string { return near }}})
	}
}

// stories adds how each promise came to be violated: a paragraph, and the events that led to it. A page has the sequence of
// each, or of a run that broke nothing how the lock went from client to client.
func (d *report) stories() {
	e := d.run.Evidence
	all := draw.Excerpts(d.scene)
	for i, x := range all {
		f := *x.Finding
		a := e.Account(f)
		events := e.Story(f).After(a)
		d.add(d.full, violated(f.Property, a.Text))
		d.add(d.full, layout.Block{Kind: layout.Rows, Table: moments(events), Close: true})
		d.section(f.Property, f.Property+" is violated")
		d.paragraph(layout.Page, layout.Span{Text: layout.PlainLong(a.Text)})
		d.add(layout.Page, layout.Block{Kind: layout.Rows, Table: moments(draw.FewEvents(events, eventsMost))})
		if f.Property == "belief" && d.pictured() {
			d.paragraph(layout.Page, layout.Span{Text: "The same as a linearizability checker sees it: "},
				layout.Span{Text: PictureFile, Link: PictureFile}, layout.Span{Text: "."})
		}
		same := slices.IndexFunc(all[:i], func(y *draw.Excerpt) bool {
			return slices.Equal(y.Messages, x.Messages) && slices.Equal(y.Events, x.Events)
		})
		if same >= 0 {
			other := all[same].Finding.Property
			d.paragraph(layout.Page, layout.Span{Text: "Its sequence diagram is that of ", Class: "soft"},
				layout.Span{Text: other, Link: "#" + other}, layout.Span{Text: "."})
			continue
		}
		d.sequence(x, "sequence-"+f.Property)
	}
	if len(all) == 0 {
		x := d.scene.Handover()
		d.section("handover", "How the lock passed from client to client")
		d.add(layout.Page, layout.Block{Kind: layout.Rows, Table: moments(draw.FewEvents(x.Events, eventsMost))})
		d.sequence(x, "sequence")
	}
}

// eventsMost is how many events of one story a page has.
const eventsMost = 200

func (d *report) sequence(x *draw.Excerpt, id string) {
	d.add(layout.Page, layout.Block{Kind: layout.Picture, Label: "Sequence diagram",
		Drawn: layout.Drawing{SVG: func() string { return draw.ExcerptSVG(x, id, false) }}})
}

// violated begins the story of a violation.
func violated(property, says string) layout.Block {
	return layout.Block{Kind: layout.Sentence, Words: []layout.Span{
		{Text: property + " is violated.", Look: layout.Bold, Class: "violated"}, {Text: " " + layout.PlainLong(says)}}}
}

// moments lists events.
func moments(events []checker.Event) *layout.Table {
	t := &layout.Table{Bare: true, Moments: []int64{},
		Columns: []layout.Column{{Head: "true time", Kind: layout.Number, Least: 12}, {Kind: layout.Prose}}}
	for _, m := range events {
		t.Add(layout.Micros(m.At), layout.PlainLong(m.Text))
		t.Moments = append(t.Moments, int64(m.At))
	}
	return t
}

// scenario adds what was run, and how it is run again.
func (d *report) scenario() {
	s := d.run.Scenario
	d.section("scenario", "The scenario")
	if s.About != "" {
		d.paragraph(layout.Page, foreign(s.About))
	}
	if c := s.Claim; c.By != "" {
		words := []layout.Span{foreign(c.By), {Text: " says: "}, foreign(c.Says)}
		if found := c.Found(); found != "" {
			words = append(words, layout.Span{Text: " Seen in the runs: "}, foreign(found))
		}
		d.paragraph(layout.Page, words...)
	}
	if len(d.made.Settings) > 0 {
		words := layout.Words("Changed: ")
		for i, set := range layout.PlainAll(d.made.Settings) {
			if i > 0 {
				words = append(words, layout.Span{Text: ", "})
			}
			words = append(words, layout.Span{Text: set, Look: layout.Coded})
		}
		d.paragraph(layout.Page, words...)
	}
	d.topic("Schedule of faults")
	if schedule := layout.PlainLines(s.Faults.String()); schedule != "" {
		d.add(layout.Page, layout.Block{Kind: layout.Lines, Words: layout.Words(schedule)})
	} else {
		d.paragraph(layout.Page, layout.Span{Text: "No faults are planned."})
	}
	d.topic("Repeat it")
	d.add(layout.Page, layout.Block{Kind: layout.Shell, ID: "command", Command: layout.PlainLong(d.made.Command)})
}

func (d *report) figures() {
	t := figureTable(d.run.Evidence)
	if len(t.Rows) == 0 {
		return
	}
	d.section("figures", "Figures")
	d.add(d.full&layout.Terminal, layout.Block{Kind: layout.Remark, Words: layout.Words("figures:")})
	d.add(d.full|layout.Page, layout.Block{Kind: layout.Rows, Table: t, Close: true})
}

// bounds adds the bounds as measured, beside the computed ones, and why they differ.
func (d *report) bounds() {
	if len(d.made.Edges) == 0 {
		return
	}
	d.add(d.full&layout.Terminal, layout.Block{Kind: layout.Remark, Words: layout.Words("bounds, each measured by halving:")})
	d.topic("Bounds")
	d.add(d.full|layout.Page, layout.Block{Kind: layout.Rows, Table: bounds.Table(d.made.Edges), Close: true})
	for _, e := range d.made.Edges {
		if e.None != "" {
			d.add(d.full|layout.Page, indented(e.None))
		}
	}
	laws := bounds.Laws(d.run.Scenario, d.made.Edges)
	for _, law := range laws {
		d.add(d.full&layout.Terminal|layout.Page, indented(law))
	}
	d.paragraph(layout.Marked, layout.Words(strings.Join(laws, " "))...)
}

// indented returns a paragraph that stands below what it belongs to.
func indented(text string) layout.Block { return hung("  ", text) }

func hung(before, text string) layout.Block {
	return layout.Block{Kind: layout.Hung, Words: []layout.Span{{Text: before}, {Text: text}}, Close: true}
}

// history adds the history: all of it, or what is in the scene, and counts of all.
func (d *report) history() {
	e := d.run.Evidence
	counts := make([][]string, 5)
	operations := &layout.Table{Long: true, Columns: layout.Columns("index", "true time", "client", "operation", "type", "value")}
	operations.Columns[0].Kind, operations.Columns[1].Kind = layout.Number, layout.Number
	var numbers [5][4]int
	for n, op := range e.History {
		if int(op.F) < len(numbers) && int(op.Type) < len(numbers[0]) {
			numbers[op.F][op.Type]++
		}
		if d.scene.Left == "" || d.scene.Sees(op.Time, op.Time) {
			if i := violatedView(d.run); i >= 0 && slices.Contains(d.seen[i].Excerpt, n) {
				operations.Marked = append(operations.Marked, len(operations.Rows))
			}
			operations.Add(strconv.Itoa(n), layout.Micros(op.Time), d.client(op), op.F.String(), op.Type.String(), valueText(op))
		}
	}
	d.section("history", "History")
	if d.scene.Left == "" {
		d.paragraph(layout.Page, layout.Span{Text: layout.Grouped(len(e.History)) + " operations, each with its beginning and end " +
			"as its client saw them."})
	} else {
		d.paragraph(layout.Page, layout.Span{Text: fmt.Sprintf("The %s of %s lines from %s to %s. All are in history.jsonl.",
			layout.Grouped(len(operations.Rows)), layout.Grouped(len(e.History)), layout.Micros(d.scene.From), layout.Micros(d.scene.To))})
		t := &layout.Table{Columns: layout.Numbers("operation", "invoke", "ok", "fail", "info")}
		for f := range counts {
			counts[f] = []string{checker.Func(f).String()}
			for _, n := range numbers[f] {
				counts[f] = append(counts[f], layout.Grouped(n))
			}
			t.Add(counts[f]...)
		}
		d.topic("All operations of the run")
		d.add(layout.Page, layout.Block{Kind: layout.Rows, Table: t})
		d.topic("Those that are shown")
	}
	d.add(layout.Page, layout.Block{Kind: layout.Rows, Table: operations})
}

func (d *report) client(op checker.Op) string {
	clients := d.run.Evidence.Clients
	name := layout.ClientName(op.Process % max(clients, 1))
	if op.Process >= clients {
		name += fmt.Sprintf(" (process %d)", op.Process)
	}
	return name
}

// valueText describes what an operation carried or brought back.
func valueText(op checker.Op) string {
	var parts []string
	if op.Value.Fence > 0 {
		parts = append(parts, fmt.Sprintf("token %d", op.Value.Fence))
	}
	switch {
	case op.F == checker.Read && op.Type == checker.OK, op.F == checker.Write && op.Type != checker.Info:
		parts = append(parts, fmt.Sprintf("plain v%d", op.Value.Plain))
		if op.F == checker.Write && op.Type == checker.OK && op.Value.Fenced == 0 {
			parts = append(parts, "fenced refused")
		} else {
			parts = append(parts, fmt.Sprintf("fenced v%d", op.Value.Fenced))
		}
	}
	return strings.TrimSpace(strings.Join(parts, ", ") + " " + layout.Plain(op.Error))
}
