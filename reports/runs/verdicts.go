package runs

import (
	"slices"
	"strings"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
	"github.com/lockstorm/lockstorm/scenarios"
)

// verdicts adds the verdicts on the properties, and the required events that happened. A brief text has them in its
// stories; here it has only what should change.
func (d *report) verdicts(whole bool) {
	r := d.run
	d.section("verdicts", "Verdicts")
	d.add(d.full&reports.Terminal, reports.Block{Kind: "rows", Table: passageTable(passages(r))})
	d.add(reports.Marked, reports.Block{Kind: "rows", Table: findingsTable(r)})
	d.add(reports.Page, reports.Block{Kind: "rows", Table: questions(r)})
	d.add(d.full|reports.Page, indented(r.Scenario.TokensNote()))
	if !whole {
		d.add(reports.Terminal, reports.Block{Words: reports.Words(r.Scenario.TokensNote()), Close: true})
	}
	for _, v := range []checker.Verdict{checker.Holds, checker.Violated, checker.Unknown} {
		names := strings.Join(seen(r, v), ", ")
		switch {
		case names == "":
			continue
		case v == checker.Holds:
			d.add(d.full&reports.Terminal, hung("  happened  ", names))
			d.paragraph(reports.Marked|reports.Page, reports.Span{Text: "Happened: " + names})
			continue
		}
		line := hung("  "+happened(v)+": ", names+"  ")
		line.Words = append(line.Words, reports.Span{Text: wording.Differs})
		d.add(d.full&reports.Terminal, line)
		d.paragraph(reports.Marked|reports.Page, reports.Span{Text: wording.Capital(happened(v)) + ": " + names},
			reports.Span{Text: " " + wording.Differs, Class: "violated"})
	}
	for _, b := range slices.Concat(unstruck(r), whyKept(r)) {
		d.add(reports.Terminal|reports.Page, b)
	}
	d.lossNote()
	if text := remarks(r); text != "" {
		b := reports.Block{Kind: "lines", Words: reports.Words(text), Close: true}
		if !whole {
			b.Most = failureMost
			d.add(reports.Terminal, b)
			b.Most = 0
		}
		d.add(d.full|reports.Page, b)
	}
}

// passageTable lists passages for a text.
func passageTable(all []passage) *reports.Table {
	t := &reports.Table{Bare: true,
		Columns: []reports.Column{{Head: "verdict", Least: len("violated")}, {Kind: "prose"}}}
	for _, p := range all {
		word := [...]string{checker.Holds: "holds", checker.Violated: "VIOLATED", checker.Unknown: "unknown"}[p.verdict]
		t.Rows = append(t.Rows, []reports.Cell{{Text: word, Ink: reports.InkOf(p.verdict)},
			{Text: strings.Join(p.names, ", ") + p.joint + p.text}})
	}
	return t
}

// findingsTable lists the passages of a run for Markdown.
func findingsTable(r *scenarios.Result) *reports.Table {
	t := &reports.Table{Columns: reports.Columns("verdict", "property", "")}
	for _, p := range passages(r) {
		verdict := reports.Cell{Text: p.verdict.String()}
		if p.verdict != checker.Holds {
			verdict = reports.Cell{Text: strings.ToUpper(verdict.Text), Strong: true}
		}
		t.Rows = append(t.Rows, []reports.Cell{verdict, {Text: strings.Join(p.names, ", ")}, {Text: p.text}})
	}
	return t
}

// questions lists the properties with the question of each.
func questions(r *scenarios.Result) *reports.Table {
	t := &reports.Table{Columns: reports.Columns("property", "verdict", "expected", "question")}
	t.Columns[3].Kind = "wordy"
	for _, f := range r.Findings {
		want := r.Scenario.Expected(f.Property)
		expected := []reports.Span{{Text: want.String()}}
		if f.Verdict != want {
			expected = append(expected, reports.Span{Text: " ← not as expected", Class: "violated"})
		}
		t.Rows = append(t.Rows, []reports.Cell{reports.Rich(reports.Span{Text: f.Property, Look: "bold"}),
			reports.Rich(reports.Span{Text: f.Verdict.String(), Class: wording.ClassOf(f.Verdict, want)}),
			reports.Rich(expected...), {Text: wording.Question(f.Property)}})
	}
	return t
}

// A passage is a line about one property, or about several with the same text.
type passage struct {
	verdict checker.Verdict
	names   []string
	joint   string // between them and the text
	text    string
}

// passages returns the violated properties, then the unknown ones, then those that hold, each time the unexpected
// first.
func passages(r *scenarios.Result) (all []passage) {
	for _, v := range []checker.Verdict{checker.Violated, checker.Unknown, checker.Holds} {
		for _, expected := range []bool{false, true} {
			for _, f := range r.Findings {
				if want := r.Scenario.Expected(f.Property); f.Verdict == v && (want == v) == expected {
					all = joinPassage(all, passageOf(r, f, want))
				}
			}
		}
	}
	return all
}

// joinPassage appends a passage, or joins it with the last one if both have the same text.
func joinPassage(all []passage, p passage) []passage {
	if n := len(all); n > 0 && all[n-1].verdict == p.verdict && all[n-1].text == p.text {
		all[n-1].names = append(all[n-1].names, p.names...)
		return all
	}
	return append(all, p)
}

// passageOf returns the passage of one property: the reason for its verdict, and the verdict it should have instead.
func passageOf(r *scenarios.Result, f checker.Finding, want checker.Verdict) passage {
	p := passage{verdict: f.Verdict, names: []string{f.Property}}
	switch {
	case f.Verdict == checker.Violated:
		p.joint, p.text = ", ", whenBroken(f.Witness)+": "+r.Evidence.Summary(f)
	case f.Verdict == checker.Unknown && r.Live != nil && r.Evidence.Cut == "":
		p.joint, p.text = ": ", "in doubt, see below"
	case f.Verdict == checker.Unknown:
		p.joint, p.text = ": ", wording.PlainLong(r.Evidence.Explain(f))
	}
	if f.Verdict == want {
		return p
	}
	if p.joint == "" {
		p.joint = "  "
	} else {
		p.text += "  "
	}
	p.text += wording.Differs + ", should " + wording.Be(want)
	return p
}

func whenBroken(w checker.Witness) string {
	switch w.To {
	case clock.Forever:
		return "from " + wording.Micros(w.From) + " on"
	case w.From:
		return "at " + wording.Micros(w.From)
	}
	return wording.Micros(w.From) + " to " + wording.Micros(w.To)
}

// whyKept returns why promises held that should have broken, each reason once, and hints for required events that never
// happened.
func whyKept(r *scenarios.Result) (all []reports.Block) {
	var given []string
	for _, f := range r.Findings {
		if f.Verdict != checker.Holds || r.Scenario.Expected(f.Property) != checker.Violated {
			continue
		}
		reasons := slices.DeleteFunc(r.Evidence.Kept(f.Property),
			func(reason string) bool { return slices.Contains(given, reason) })
		given = append(given, reasons...)
		if len(reasons) > 0 {
			all = append(all, hung("  why "+f.Property+" held: ", strings.Join(reasons, " ")))
		}
	}
	for _, f := range r.Seen {
		if p, _ := checker.Lookup(f.Property); f.Verdict == checker.Violated && p.Hint != "" {
			all = append(all, indented(p.Hint))
		}
	}
	return all
}

// unstruck names the faults that did not hit, and those that changed nothing, if a fault should have hit.
func unstruck(r *scenarios.Result) (all []reports.Block) {
	if !slices.Contains(seen(r, checker.Violated), "fault-struck") {
		return nil
	}
	for i, f := range r.Scenario.Faults {
		came, met := false, false
		for _, s := range r.Evidence.Strikes {
			came = came || s.Index == i
			met = met || s.Index == i && !s.Idle && !s.Slight
		}
		switch {
		case !came:
			all = append(all, hung("  did not strike: ", f.String()))
		case !met:
			all = append(all, hung("  struck, but changed nothing: ", f.String()))
		}
	}
	return all
}

// lossNote adds the basis of the verdict on fault-tolerant, if messages were lost. A brief text has it if that promise
// broke.
func (d *report) lossNote() {
	verdict := d.run.VerdictOn("fault-tolerant")
	lost := func(m scenarios.Message) bool { return m.Fate == scenarios.Dropped }
	if verdict == checker.Unknown || d.run.Live != nil || !slices.ContainsFunc(d.run.Messages(), lost) {
		return
	}
	where := d.full | reports.Page
	if verdict == checker.Violated {
		where |= reports.Terminal
	}
	d.add(where, hung("  fault-tolerant: ", d.run.Scenario.LossNote()))
}

// failureMost is how many lines of remarks a brief text has.
const failureMost = 16

// remarks returns the failure of a guest, with stacks, and the remarks on a live run, below an empty line.
func remarks(r *scenarios.Result) (text string) {
	if r.Failure != "" {
		text = "\n" + wording.PlainLines(r.Failure) + "\n"
	}
	for i, remark := range r.Live {
		if i == 0 {
			text += "\n"
		}
		text += wording.PlainLong(remark) + "\n"
	}
	return text
}
