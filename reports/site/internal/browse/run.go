package browse

import (
	"strings"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
	"github.com/lockstorm/lockstorm/reports/runs"
)

// Bounds of what is shown of one result, which anybody may have written.
const (
	verdictsMost = 100
	figuresMost  = 300
	settingsMost = 100
)

// RunPage returns the page of one run.
func RunPage(v View) *reports.Document {
	r := &v.Run
	d := newPage(v.title())
	if v.parsed() {
		d.Rich(foreign(wording.Plain(v.Scenario.Title)))
	}
	if v.Wrong != "" {
		d.Rich(warned(v.Wrong))
	} else {
		d.Rich(reports.Span{Text: "Result: "}, standing(v.standing()), reports.Span{Text: "."})
	}
	tools(d, button("Open the report", reportAddress(v.Place, v.Files)),
		button("Compare it with another run", Query{With: v.Place, Text: wording.Plain(r.Scenario)}.Address()))
	if v.Picture {
		section(d, "timeline", "Timeline")
		v.timeline(d, "Timeline of "+v.title()+": what each host did, in true time. The report describes it in words.")
	}
	v.verdicts(d)
	v.made(d)
	if len(v.Files) > 0 {
		section(d, "files", "Files")
		table(d, "", "Files", filesOf(v.Place, v.Files))
	}
	t := &reports.Table{Columns: []reports.Column{{Head: "figure"}, {Head: "value", Kind: "number"}, {Head: "meaning"}}}
	for _, f := range r.Figures[:min(len(r.Figures), figuresMost)] {
		if f.Value != nil {
			t.Add(wording.Plain(f.Name), f.Shown(), runs.FigureDoc(f.Name))
		}
	}
	if len(t.Rows) > 0 {
		section(d, "figures", "Figures")
		table(d, "", "Figures", t)
	}
	return d
}

// timeline adds the picture of the run as it was drawn.
func (v *View) timeline(d *reports.Document, label string) {
	d.Add(reports.Block{Kind: "picture", Source: address("timeline", v.Place), Label: label})
}

// parsed reports whether the scenario of the run is known.
func (v *View) parsed() bool { return v.Scenario != nil && v.Unparsed == "" }

func (v *View) standing() string {
	r := Run{Verdict: v.Run.Verdict, Wrong: v.Wrong}
	return r.standing()
}

// verdicts adds what became of each promise, and how it came to those that are violated.
func (v *View) verdicts(d *reports.Document) {
	t := &reports.Table{Columns: []reports.Column{{Head: "property"}, {Head: "verdict"}, {Head: "expected"},
		{Head: "question", Kind: "wordy"}}}
	var stories []reports.Block
	for _, f := range v.Run.Properties[:min(len(v.Run.Properties), verdictsMost)] {
		asks, _ := checker.Lookup(f.Name)
		name, want := wording.Plain(f.Name), []reports.Span{{Text: wording.Plain(f.Expect)}}
		if f.Verdict != f.Expect {
			want = append(want, alarmed(" ← not as expected"))
		}
		t.Rows = append(t.Rows, []reports.Cell{{Text: name}, verdictCell(wording.Plain(f.Verdict), f.Expect), reports.Rich(want...),
			{Text: asks.Asks}})
		if f.Witness != nil {
			stories = append(stories, reports.Block{Words: []reports.Span{
				{Text: name + ":", Look: "bold"}, {Text: " "}, foreign(wording.PlainLong(f.Witness.Sentence))}})
		}
	}
	if len(t.Rows) == 0 {
		return
	}
	section(d, "verdicts", "Verdicts")
	table(d, "", "Verdicts", t)
	if v.parsed() {
		d.Paragraph(v.Scenario.TokensNote())
	}
	var words []reports.Span
	for i, h := range v.Run.Sometimes[:min(len(v.Run.Sometimes), verdictsMost)] {
		if i > 0 {
			words = append(words, reports.Span{Text: ", "})
		}
		got := foreign(wording.Plain(h.Verdict))
		if h.Verdict != "happened" {
			got = alarmed(got.Text)
		}
		words = append(words, foreign(wording.Plain(h.Name)), reports.Span{Text: " "}, got)
	}
	if len(words) > 0 {
		d.Rich(append(append([]reports.Span{{Text: "What should happen: "}}, words...), reports.Span{Text: "."})...)
	}
	d.Blocks = append(d.Blocks, stories...)
}

// verdictCell colours a verdict. A promise that breaks as the scenario expects is no alarm.
func verdictCell(verdict, want string) reports.Cell {
	class := "unknown"
	switch verdict {
	case "violated":
		class = verdict
		if want == verdict {
			class = "expected"
		}
	case "holds":
		class = verdict
	case none:
		class = "soft"
	}
	return reports.Rich(reports.Span{Text: verdict, Class: class})
}

// made adds how the run was made, and how it is made again.
func (v *View) made(d *reports.Document) {
	section(d, "made", "How it was made")
	if set := settings(&v.Run); len(set) > 0 {
		d.Rich(append(reports.Words("Changed: "), separated(set, ", ")...)...)
	}
	topic(d, "Schedule of faults")
	lines := schedule(v)
	switch {
	case v.Unparsed != "":
		d.Rich(warned(v.Unparsed))
	case len(lines) > 0:
		d.Lines(strings.Join(lines, "\n"))
	default:
		d.Paragraph("No faults are planned.")
	}
	if v.Run.Command != "" {
		topic(d, "Repeat it")
		d.Command("", wording.PlainLong(v.Run.Command))
	}
	source := "In " + wording.Plain(v.Place)
	if v.Run.Lockstorm != "" {
		source += ", made by Lockstorm " + wording.Plain(v.Run.Lockstorm)
	}
	if v.Run.Hash != "" {
		source += "; hash of the run: " + wording.Plain(v.Run.Hash)
	}
	d.Rich(soft(source))
}

func settings(r *runs.Run) (all []string) {
	for _, s := range r.Settings[:min(len(r.Settings), settingsMost)] {
		all = append(all, wording.Plain(s))
	}
	return all
}

func schedule(v *View) (lines []string) {
	if !v.parsed() {
		return nil
	}
	for line := range strings.Lines(v.Scenario.Faults.String()) {
		lines = append(lines, wording.Plain(strings.TrimSpace(line)))
	}
	return lines
}
