package suites

import (
	"strings"

	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
	"github.com/lockstorm/lockstorm/scenarios"
)

// Document returns a suite for the summary of a CI job, a README or a page: what was not as expected, and a table of
// all scenarios or mutants. As text it has the lines that a command prints while it runs the suite.
func (s *Suite) Document() *reports.Document {
	d := &reports.Document{Title: "Scenarios as tests", Data: s, Summary: Summary(*s, 0), Rows: caseTable(*s)}
	if len(s.Mutants) > 0 {
		d.Title, d.Rows = "Mutants as tests", killTable(*s)
	}
	d.Add(reports.Block{Kind: "lines", OnScreen: s.text, In: reports.Terminal})
	d.Add(reports.Block{Kind: "verdict", Words: reports.Words(d.Summary), In: pages})
	wrong := reports.Block{Kind: "bullets", In: pages}
	for _, e := range s.Entries() {
		if len(e.Wrong) > 0 {
			wrong.Blocks = append(wrong.Blocks, reports.Block{Words: []reports.Span{
				{Text: strings.ToUpper(e.Verdict.String()), Look: "bold"}, {Text: " "}, {Text: e.Title, Look: "code"},
				{Text: ": " + strings.Join(e.Wrong, "; ") + ". See it: "}, {Text: e.Command, Look: "code"}}})
		}
	}
	for _, text := range s.skips() {
		wrong.Blocks = append(wrong.Blocks, reports.Block{Words: reports.Words(text)})
	}
	if len(wrong.Blocks) > 0 {
		d.Add(wrong)
	}
	var broken []string
	d.Add(reports.Block{Kind: "rows", Table: d.Rows, In: pages})
	for _, m := range s.Mutants {
		broken = append(broken, m.Breaks...)
	}
	d.Glosses(pages, broken...)
	return d
}

const pages = reports.Marked | reports.Page

// text returns the whole text of a suite.
func (s *Suite) text(screen reports.Screen) string {
	text := Head(screen, *s)
	for i := range s.Entries() {
		text += Line(screen, *s, i)
	}
	return text + End(screen, *s, 0)
}

func caseTable(s Suite) *reports.Table {
	t := &reports.Table{Columns: []reports.Column{{Head: "verdict"}, {Head: "scenario", Kind: "code"},
		{Head: "as expected"}, {Head: "what it shows", Kind: "wordy"}}}
	for _, c := range s.Scenarios {
		t.Add(verdictCell(c.Verdict), called(c.Scenario, c.File), wording.Share(c.Pass, c.Runs), c.Title)
		verdict := &t.Rows[len(t.Rows)-1][0]
		verdict.Strong = c.Verdict != scenarios.Pass
		verdict.Class = [...]string{
			scenarios.Pass: "holds", scenarios.Fail: "violated", scenarios.Unknown: "unknown"}[c.Verdict]
	}
	return t
}

func killTable(s Suite) *reports.Table {
	t := &reports.Table{Columns: reports.Columns("mutant, and the scenario", "breaks", "reference survives",
		"mutant killed", "first seed", "seen, or warned of")}
	for _, d := range s.Mutants {
		name := []reports.Span{{Text: d.Mutant, Look: "code"}, {Text: " in "},
			{Text: called(d.Scenario, d.File), Look: "code"}}
		if d.Verdict != scenarios.Pass {
			name = append([]reports.Span{{Text: verdictCell(d.Verdict), Look: "bold"}, {Text: " "}}, name...)
		}
		t.Add("", strings.Join(d.Breaks, ", "), wording.Share(d.Survived, d.Runs), wording.Share(d.Killed, d.Runs),
			wording.SeedOr(d.First, "never"), d.Precedent)
		t.Rows[len(t.Rows)-1][0] = reports.Rich(name...)
	}
	return t
}

// Claims returns the claims of a suite, with a table for each author.
func (s *Suite) Claims() *reports.Document {
	d := &reports.Document{Title: "Claims, tested", Data: s}
	text := func(screen reports.Screen) string { return claims(screen, *s) }
	d.Add(reports.Block{Kind: "lines", OnScreen: text, In: reports.Terminal})
	for _, side := range s.sides() {
		t := &reports.Table{Columns: reports.Columns("claimed by "+side.by, "tested by", "measured", "finding")}
		t.Columns[1].Kind = "code"
		for _, c := range side.cases {
			measured := reports.Cell{Text: c.measured(), Strong: len(c.Wrong) > 0}
			if measured.Strong {
				measured.Command = c.Command
			}
			t.Rows = append(t.Rows, []reports.Cell{{Text: c.Claim.Says}, {Text: called(c.Scenario, c.File)}, measured,
				{Text: c.Claim.found()}})
		}
		d.Add(reports.Block{Kind: "rows", Table: t, In: pages})
	}
	return d
}

// verdictCell writes every verdict except a pass in capitals.
func verdictCell(v scenarios.Verdict) string {
	if v == scenarios.Pass {
		return v.String()
	}
	return strings.ToUpper(v.String())
}
