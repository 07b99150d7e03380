package runs

import (
	_ "embed" // for the script of the page
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/internal/draw"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
	"github.com/lockstorm/lockstorm/scenarios"
)

//go:embed page.js
var pageScript string

// A report is the document of a run in the making.
type report struct {
	*reports.Document
	run   *scenarios.Result
	made  Making
	scene *draw.Scene
	seen  []View

	full reports.Media // the forms, text or Markdown, that have everything, as a page always does
}

// Scripts names the scripts of the pages that this Lockstorm writes, as a Content-Security-Policy does.
func Scripts() string { return reports.Hashed(pageScript) }

// Document returns one run in all formats: its verdicts, a timeline, the story of each violation, figures, bounds, and
// the command that repeats it. A text is whole, or fits on a screen. A page also has the sequences, the scenario and
// the history.
func Document(r *scenarios.Result, m Making, whole bool) *reports.Document {
	data := describe(r, m)
	d := &report{run: r, made: m, scene: draw.NewScene(r), seen: data.BlackBox, full: reports.Terminal | reports.Marked,
		Document: &reports.Document{
			Data: data, Rows: data.rows(), Summary: summary(r), Style: draw.Style, Script: pageScript,
			Foot: fmt.Sprintf("Made by Lockstorm %s. The run ended (%s) after %d steps. Hash of the run: %s. "+
				"SHA-256 of the scenario: %s.",
				wording.Plain(m.Version), r.End, r.Steps, data.Hash, data.ScenarioHash)}}
	if !whole {
		d.full, d.Most, d.Columns = reports.Marked, briefLines, briefWidth
	}
	if i := violatedView(r); i >= 0 {
		d.scene.Mark(d.seen[i].Excerpt)
	}
	d.decide()
	d.head(whole)
	d.timelineOfPage()
	d.verdicts(whole)
	if !whole {
		d.brief()
	}
	d.views(whole)
	if !whole {
		d.commands()
	}
	d.add(d.full, reports.Block{Kind: "picture", Drawn: d.timeline()})
	d.stories()
	d.scenario()
	d.figures()
	d.bounds()
	d.history()
	if whole {
		d.add(reports.Terminal, reports.Block{Kind: "verdict", Words: reports.Words(d.Summary)})
	}
	d.add(d.full, reports.Block{Kind: "command", Words: reports.Words("Repeat it:"), Command: m.Command, Close: true})
	d.inBrowser(d.full & reports.Terminal)
	return d.Document
}

// add adds a block for some media, if there are any.
func (d *report) add(to reports.Media, b reports.Block) {
	if b.In = to; to != 0 {
		d.Add(b)
	}
}

func (d *report) paragraph(to reports.Media, words ...reports.Span) {
	d.add(to, reports.Block{Words: words})
}

// sentence adds a paragraph, if there are words for it.
func (d *report) sentence(to reports.Media, words string) {
	if words != "" {
		d.paragraph(to, reports.Words(words)...)
	}
}

func (d *report) section(id, heading string) {
	d.add(reports.Page, reports.Block{Kind: "heading", ID: id, Words: reports.Words(heading)})
}

func (d *report) topic(heading string) {
	d.add(reports.Page, reports.Block{Kind: "topic", Words: reports.Words(heading)})
}

// foreign returns words of others, which on a page don't change the order of the words around them.
func foreign(text string) reports.Span {
	return reports.Span{Text: wording.PlainLong(text), Class: "foreign"}
}

// head adds the name of the run and its outcome. A whole text has the outcome at its end.
func (d *report) head(whole bool) {
	d.Headline(fmt.Sprintf("%s, seed %d", wording.Plain(d.run.Scenario.ID), d.run.Seed))
	d.Add(reports.Block{Words: []reports.Span{foreign(d.run.Scenario.Title)}, Close: true})
	d.add(reports.Marked|reports.Page, reports.Block{Kind: "verdict", Words: reports.Words(d.Summary)})
	if !whole {
		line := strings.ToUpper(d.run.Verdict.String()) + ": " + outcome(d.run)
		d.add(reports.Terminal, reports.Block{Kind: "verdict", Words: reports.Words(line)})
	}
	var chips []reports.Span
	for _, f := range d.run.Findings {
		class := wording.ClassOf(f.Verdict, d.run.Scenario.Expected(f.Property))
		if d.run.Evidence.Vacuous(f) != "" {
			class = ""
		}
		chips = append(chips, reports.Span{Text: wording.Promise(f.Property) + " "},
			reports.Span{Text: d.run.Evidence.Word(f), Class: class})
	}
	d.add(reports.Page, reports.Block{Kind: "chips", Words: chips})
}

func (d *report) timeline() reports.Figure {
	return reports.Figure{
		Text: func(s reports.Screen) string { return draw.Timeline(s, d.scene) },
		SVG:  func() string { return draw.NewChart(d.scene).SVG },
	}
}

// timelineOfPage adds the timeline of a page, early, so that readers see it without scrolling.
func (d *report) timelineOfPage() {
	d.section("timeline", "Timeline")
	if d.scene.Left != "" {
		d.paragraph(reports.Page, reports.Span{Text: d.scene.Left})
	}
	d.add(reports.Page, reports.Block{Kind: "picture", ID: "lanes", Label: "Timeline", Drawn: d.timeline()})
	if near := draw.CloseUpHTML(d.scene); near != "" {
		d.add(reports.Page, reports.Block{Kind: "picture", ID: "closeup", Label: "Close-up of the violation",
			Drawn: reports.Figure{SVG: func() string { return near }}})
	}
}

// stories adds the story of each violation: a paragraph, and the events that led to it. A page has the sequence of
// each. If no promise broke, it shows how the lock passed from client to client.
func (d *report) stories() {
	e := d.run.Evidence
	all := draw.Excerpts(d.scene)
	for i, x := range all {
		f := *x.Finding
		a := e.Account(f)
		events := e.Story(f).After(a)
		d.add(d.full, violated(f.Property, a.Text))
		decided := Decided(d.made.Decisions, f.Property)
		d.sentence(d.full, decided)
		d.add(d.full, reports.Block{Kind: "rows", Table: moments(events), Close: true})
		d.section(f.Property, wording.Capital(wording.Broke([]string{f.Property})))
		d.paragraph(reports.Page, reports.Span{Text: wording.PlainLong(a.Text)})
		d.sentence(reports.Page, decided)
		d.add(reports.Page, reports.Block{Kind: "rows", Table: moments(draw.FewEvents(events, eventsMost))})
		same := slices.IndexFunc(all[:i], func(y *draw.Excerpt) bool {
			return slices.Equal(y.Messages, x.Messages) && slices.Equal(y.Events, x.Events)
		})
		if same >= 0 {
			other := all[same].Finding.Property
			d.paragraph(reports.Page, reports.Span{Text: "Its sequence diagram is that of ", Class: "soft"},
				reports.Span{Text: other, Link: "#" + other}, reports.Span{Text: "."})
			continue
		}
		d.sequence(x, "sequence-"+f.Property)
	}
	if len(all) == 0 {
		x := d.scene.Handover()
		d.section("handover", "How the lock passed from client to client")
		d.add(reports.Page, reports.Block{Kind: "rows", Table: moments(draw.FewEvents(x.Events, eventsMost))})
		d.sequence(x, "sequence")
	}
}

// eventsMost is how many events of one story a page has.
const eventsMost = 200

func (d *report) sequence(x *draw.Excerpt, id string) {
	d.add(reports.Page, reports.Block{Kind: "picture", Label: "Sequence diagram",
		Drawn: reports.Figure{SVG: func() string { return draw.ExcerptSVG(x, id, false) }}})
}

func violated(property, says string) reports.Block {
	return reports.Block{Words: []reports.Span{
		{Text: wording.Capital(wording.Broke([]string{property})) + " (" + property + ").", Look: "bold", Class: "violated"},
		{Text: " " + wording.PlainLong(says)}}}
}

func moments(events []checker.Event) *reports.Table {
	t := &reports.Table{Bare: true, Moments: []int64{},
		Columns: []reports.Column{{Head: "true time", Kind: "number", Least: 12}, {Kind: "prose"}}}
	for _, m := range events {
		t.Add(wording.Micros(m.At), wording.PlainLong(m.Text))
		t.Moments = append(t.Moments, int64(m.At))
	}
	return t
}

// scenario adds the scenario to a page, and the command that runs it again.
func (d *report) scenario() {
	s := d.run.Scenario
	d.section("scenario", "The scenario")
	if s.About != "" {
		d.paragraph(reports.Page, foreign(s.About))
	}
	if c := s.Claim; c.By != "" {
		words := []reports.Span{foreign(c.By), {Text: " says: "}, foreign(c.Says)}
		if found := c.Found(); found != "" {
			words = append(words, reports.Span{Text: " Seen in the runs: "}, foreign(found))
		}
		d.paragraph(reports.Page, words...)
	}
	if len(d.made.Settings) > 0 {
		words := reports.Words("Changed: ")
		for i, set := range wording.PlainAll(d.made.Settings) {
			if i > 0 {
				words = append(words, reports.Span{Text: ", "})
			}
			words = append(words, reports.Span{Text: set, Look: "code"})
		}
		d.paragraph(reports.Page, words...)
	}
	d.topic("Schedule of faults")
	if schedule := wording.PlainLines(s.Faults.String()); schedule != "" {
		d.add(reports.Page, reports.Block{Kind: "lines", Words: reports.Words(schedule)})
	} else {
		d.paragraph(reports.Page, reports.Span{Text: "No faults are planned."})
	}
	d.topic("Repeat it")
	d.add(reports.Page, reports.Block{Kind: "command", ID: "command", Command: wording.PlainLong(d.made.Command)})
}

func (d *report) figures() {
	t := figureTable(d.run.Evidence)
	if len(t.Rows) == 0 {
		return
	}
	d.section("figures", "Figures")
	d.add(d.full&reports.Terminal, reports.Block{Kind: "remark", Words: reports.Words("figures:")})
	d.add(d.full|reports.Page, reports.Block{Kind: "rows", Table: t, Close: true})
}

// bounds adds the measured and the computed bounds, and why they differ.
func (d *report) bounds() {
	if len(d.made.Edges) == 0 {
		return
	}
	d.add(d.full&reports.Terminal,
		reports.Block{Kind: "remark", Words: reports.Words("bounds, each measured by halving:")})
	d.topic("Bounds")
	d.add(d.full|reports.Page, reports.Block{Kind: "rows", Table: boundTable(d.made.Edges), Close: true})
	for _, e := range d.made.Edges {
		if e.None != "" {
			d.add(d.full|reports.Page, indented(e.None))
		}
	}
	laws := boundLaws(d.run.Scenario, d.made.Edges)
	for _, law := range laws {
		d.add(d.full&reports.Terminal|reports.Page, indented(law))
	}
	d.paragraph(reports.Marked, reports.Words(strings.Join(laws, " "))...)
}

func indented(text string) reports.Block { return hung("  ", text) }

func hung(before, text string) reports.Block {
	return reports.Block{Kind: "hung", Words: []reports.Span{{Text: before}, {Text: text}}, Close: true}
}

// history adds the history: all of it, or the part in the scene and counts of all operations.
func (d *report) history() {
	e := d.run.Evidence
	operations := &reports.Table{Long: true,
		Columns: reports.Columns("index", "true time", "client", "operation", "type", "value")}
	operations.Columns[0].Kind, operations.Columns[1].Kind = "number", "number"
	var counts [5][4]int
	for n, op := range e.History {
		if int(op.F) < len(counts) && int(op.Type) < len(counts[0]) {
			counts[op.F][op.Type]++
		}
		if d.scene.Left == "" || d.scene.Sees(op.Time, op.Time) {
			if i := violatedView(d.run); i >= 0 && slices.Contains(d.seen[i].Excerpt, n) {
				operations.Marked = append(operations.Marked, len(operations.Rows))
			}
			operations.Add(strconv.Itoa(n), wording.Micros(op.Time), d.client(op), op.F.String(), op.Type.String(),
				valueText(op))
		}
	}
	d.section("history", "History")
	if d.scene.Left == "" {
		d.paragraph(reports.Page, reports.Span{Text: wording.Grouped(len(e.History)) +
			" operations, each with its beginning and end as its client saw them."})
	} else {
		d.paragraph(reports.Page, reports.Words(fmt.Sprintf(
			"The %s of %s lines from %s to %s. All are in history.jsonl.", wording.Grouped(len(operations.Rows)),
			wording.Grouped(len(e.History)), wording.Micros(d.scene.From), wording.Micros(d.scene.To)))...)
		t := &reports.Table{Columns: reports.Numbers("operation", "invoke", "ok", "fail", "info")}
		for f, types := range counts {
			cells := []string{checker.Func(f).String()}
			for _, n := range types {
				cells = append(cells, wording.Grouped(n))
			}
			t.Add(cells...)
		}
		d.topic("All operations of the run")
		d.add(reports.Page, reports.Block{Kind: "rows", Table: t})
		d.topic("Those that are shown")
	}
	d.add(reports.Page, reports.Block{Kind: "rows", Table: operations})
}

func (d *report) client(op checker.Op) string {
	clients := d.run.Evidence.Clients
	name := wording.ClientName(op.Process % max(clients, 1))
	if op.Process >= clients {
		name += fmt.Sprintf(" (process %d)", op.Process)
	}
	return name
}

// valueText describes the value of an operation.
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
	return strings.TrimSpace(strings.Join(parts, ", ") + " " + wording.Plain(op.Error))
}
