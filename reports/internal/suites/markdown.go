package suites

import (
	"strings"

	"github.com/lockstorm/lockstorm/reports/internal/layout"
	"github.com/lockstorm/lockstorm/scenarios"
)

// Document returns a suite for the summary of a CI job, a README or a page: what was not as expected, and a table of all
// scenarios or mutants. As text it is what is printed line by line while a suite is run.
func (s *Suite) Document() *layout.Document {
	d := &layout.Document{Title: "Scenarios as tests", Data: s, Summary: Summary(*s, 0), Rows: caseTable(*s)}
	if len(s.Mutants) > 0 {
		d.Title, d.Rows = "Mutants as tests", killTable(*s)
	}
	d.Add(layout.Block{Kind: layout.Lines, OnScreen: s.text, In: layout.Terminal})
	d.Add(layout.Block{Kind: layout.Verdict, Words: layout.Words(d.Summary), In: pages})
	wrong := layout.Block{Kind: layout.Bullets, In: pages}
	for _, e := range s.Entries() {
		if len(e.Wrong) > 0 {
			wrong.Blocks = append(wrong.Blocks,
				layout.Block{Words: []layout.Span{{Text: strings.ToUpper(e.Verdict.String()), Look: layout.Bold},
					{Text: " "}, {Text: e.Title, Look: layout.Coded}, {Text: ": " + strings.Join(e.Wrong, "; ") + ". See it: "},
					{Text: e.Command, Look: layout.Coded}}})
		}
	}
	if len(wrong.Blocks) > 0 {
		d.Add(wrong)
	}
	var broken []string
	d.Add(layout.Block{Kind: layout.Rows, Table: d.Rows, In: pages})
	for _, m := range s.Mutants {
		broken = append(broken, m.Breaks...)
	}
	d.Glosses(pages, broken...)
	return d
}

const pages = layout.Marked | layout.Page

// text is all that is printed of a suite.
func (s *Suite) text(screen layout.Screen) string {
	text := Head(screen, *s)
	for i := range s.Entries() {
		text += Line(screen, *s, i)
	}
	return text + End(screen, *s, 0)
}

func caseTable(s Suite) *layout.Table {
	t := &layout.Table{Columns: []layout.Column{{Head: "verdict"}, {Head: "scenario", Kind: layout.Name}, {Head: "as expected"},
		{Head: "what it shows", Kind: layout.Wordy}}}
	for _, c := range s.Scenarios {
		t.Add(verdictCell(c.Verdict), called(c.Scenario, c.File), layout.Share(c.Pass, c.Runs), c.Title)
		verdict := &t.Rows[len(t.Rows)-1][0]
		verdict.Strong = c.Verdict != scenarios.Pass
		verdict.Class = [...]string{scenarios.Pass: "holds", scenarios.Fail: "violated", scenarios.Unknown: "unknown"}[c.Verdict]
	}
	return t
}

func killTable(s Suite) *layout.Table {
	t := &layout.Table{Columns: layout.Columns("mutant, and the scenario", "breaks", "reference survives", "mutant killed",
		"first seed", "seen, or warned of")}
	for _, d := range s.Mutants {
		name := []layout.Span{{Text: d.Mutant, Look: layout.Coded}, {Text: " in "},
			{Text: called(d.Scenario, d.File), Look: layout.Coded}}
		if d.Verdict != scenarios.Pass {
			name = append([]layout.Span{{Text: verdictCell(d.Verdict), Look: layout.Bold}, {Text: " "}}, name...)
		}
		t.Add("", strings.Join(d.Breaks, ", "), layout.Share(d.Survived, d.Runs), layout.Share(d.Killed, d.Runs),
			layout.SeedOr(d.First, "never"), d.Precedent)
		t.Rows[len(t.Rows)-1][0] = layout.Rich(name...)
	}
	return t
}

// Claims returns the claims of a suite: a table for each who made some.
func (s *Suite) Claims() *layout.Document {
	d := &layout.Document{Title: "Claims, tested", Data: s}
	d.Add(layout.Block{Kind: layout.Lines, OnScreen: func(screen layout.Screen) string { return claims(screen, *s) },
		In: layout.Terminal})
	for _, side := range s.sides() {
		t := &layout.Table{Columns: layout.Columns("claimed by "+side.by, "tested by", "measured", "finding")}
		t.Columns[1].Kind = layout.Name
		for _, c := range side.cases {
			measured := layout.Cell{Text: c.measured(), Strong: len(c.Wrong) > 0}
			if measured.Strong {
				measured.Command = c.Command
			}
			t.Rows = append(t.Rows, []layout.Cell{{Text: c.Claim.Says}, {Text: called(c.Scenario, c.File)}, measured,
				{Text: c.Claim.found()}})
		}
		d.Add(layout.Block{Kind: layout.Rows, Table: t, In: pages})
	}
	return d
}

// verdictCell makes what is not a pass stand out.
func verdictCell(v scenarios.Verdict) string {
	if v == scenarios.Pass {
		return v.String()
	}
	return strings.ToUpper(v.String())
}
