package suites

import (
	"fmt"
	"strings"

	"github.com/lockstorm/lockstorm/reports/layout"
	"github.com/lockstorm/lockstorm/scenarios"
)

// Markdown returns a suite as Markdown, for the summary of a CI job or a README: what was not as expected, and a table
// of all scenarios or mutants.
func Markdown(s Suite) string {
	text := markdownHead(s)
	if len(s.Mutants) > 0 {
		return text + killTable(s).Markdown()
	}
	return text + caseTable(s).Markdown()
}

func markdownHead(s Suite) string {
	var b strings.Builder
	fmt.Fprintf(&b, "**%s**: %s.\n\n", strings.ToUpper(s.Verdict.String()), s.summary())
	for _, e := range s.Entries() {
		if len(e.Wrong) > 0 {
			fmt.Fprintf(&b, "- **%s** %s: %s. See it: %s\n", strings.ToUpper(e.Verdict.String()), layout.Code(e.Title),
				layout.Escape(strings.Join(e.Wrong, "; ")), layout.Code(e.Command))
		}
	}
	if s.Verdict != scenarios.Pass {
		b.WriteString("\n")
	}
	return b.String()
}

func caseTable(s Suite) *layout.Table {
	t := &layout.Table{Columns: []layout.Column{{Head: "verdict"}, {Head: "scenario", Kind: layout.Name}, {Head: "as expected"}, {Head: "what it shows"}}}
	for _, c := range s.Scenarios {
		t.Add(verdictCell(c.Verdict), called(c.Scenario, c.File), layout.Share(c.Pass, c.Runs), c.Title)
		t.Rows[len(t.Rows)-1][0].Strong = c.Verdict != scenarios.Pass
	}
	return t
}

func killTable(s Suite) *layout.Table {
	t := &layout.Table{Columns: layout.Columns("mutant, and the scenario", "breaks", "reference survives", "mutant killed", "first seed", "seen, or warned of")}
	t.Columns[0].Kind = layout.Marked
	for _, d := range s.Mutants {
		name := layout.Code(d.Mutant) + " in " + layout.Code(called(d.Scenario, d.File))
		if d.Verdict != scenarios.Pass {
			name = "**" + verdictCell(d.Verdict) + "** " + name
		}
		t.Add(name, strings.Join(d.Breaks, ", "), layout.Share(d.Survived, d.Runs), layout.Share(d.Killed, d.Runs), layout.SeedOr(d.First, "never"), d.Precedent)
	}
	return t
}

// ClaimsMarkdown returns the claims of a suite as Markdown: a table for each who made some.
func ClaimsMarkdown(s Suite) string {
	var tables []string
	for _, side := range s.sides() {
		t := &layout.Table{Columns: layout.Columns("claimed by "+side.by, "tested by", "measured", "finding")}
		t.Columns[1].Kind, t.Columns[2].Kind = layout.Name, layout.Marked
		for _, c := range side.cases {
			measured := layout.Escape(c.measured())
			if len(c.Wrong) > 0 {
				measured = "**" + measured + "** See it: " + layout.Code(c.Command)
			}
			t.Add(c.Claim.Says, called(c.Scenario, c.File), measured, c.Claim.Finding)
		}
		tables = append(tables, t.Markdown())
	}
	return strings.Join(tables, "\n")
}

// verdictCell makes what is not a pass stand out.
func verdictCell(v scenarios.Verdict) string {
	if v == scenarios.Pass {
		return v.String()
	}
	return strings.ToUpper(v.String())
}
