package suites

import (
	"fmt"
	"strings"

	"github.com/lockstorm/lockstorm/reports/layout"
)

// Markdown gives a suite as Markdown, for the summary of a CI job or a README: what was not as expected, and a table
// of all scenarios or mutants.
func Markdown(s Suite) string {
	text := markdownHead(s)
	if len(s.Mutants) > 0 {
		return text + killTable(s)
	}
	return text + caseTable(s)
}

// markdownHead says how the suite went, and of each entry that was not as expected in what.
func markdownHead(s Suite) string {
	var b strings.Builder
	fmt.Fprintf(&b, "**%s**: %s.\n\n", strings.ToUpper(s.Verdict), s.summary())
	for _, e := range s.Entries() {
		if len(e.Wrong) > 0 {
			fmt.Fprintf(&b, "- **%s** %s: %s. See it: %s\n", strings.ToUpper(e.Verdict), layout.Code(e.Title),
				layout.Prose(strings.Join(e.Wrong, "; ")), layout.Code(e.Command))
		}
	}
	if s.Verdict != "pass" {
		b.WriteString("\n")
	}
	return b.String()
}

func caseTable(s Suite) string {
	var b strings.Builder
	b.WriteString("| verdict | scenario | as expected | what it shows |\n| --- | --- | --- | --- |\n")
	for _, c := range s.Scenarios {
		layout.Row(&b, verdictCell(c.Verdict), layout.Code(called(c.Scenario, c.File)), layout.Share(c.Pass, c.Runs), layout.Prose(c.Title))
	}
	return b.String()
}

func killTable(s Suite) string {
	var b strings.Builder
	b.WriteString("| mutant, and the scenario | breaks | reference survives | mutant caught | first seed | seen, or warned of |\n" +
		"| --- | --- | --- | --- | --- | --- |\n")
	for _, d := range s.Mutants {
		name := layout.Code(d.Mutant) + " in " + layout.Code(called(d.Scenario, d.File))
		if d.Verdict != "pass" {
			name = verdictCell(d.Verdict) + " " + name
		}
		layout.Row(&b, name, strings.Join(d.Breaks, ", "), layout.Share(d.Survived, d.Runs), layout.Share(d.Caught, d.Runs),
			layout.SeedOr(d.First, "never"), layout.Prose(d.Precedent))
	}
	return b.String()
}

// ClaimsMarkdown gives the claims of a suite as Markdown: a table for each who made some.
func ClaimsMarkdown(s Suite) string {
	var b strings.Builder
	for i, side := range s.sides() {
		if i > 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "| claimed by %s | tested by | measured | finding |\n| --- | --- | --- | --- |\n", layout.Prose(side.by))
		for _, c := range side.cases {
			measured := layout.Prose(c.measured())
			if len(c.Wrong) > 0 {
				measured = "**" + measured + "** See it: " + layout.Code(c.Command)
			}
			layout.Row(&b, layout.Prose(c.Claim.Says), layout.Code(called(c.Scenario, c.File)), measured, layout.Prose(c.Claim.Finding))
		}
	}
	return b.String()
}

// verdictCell makes what is not a pass stand out.
func verdictCell(verdict string) string {
	if verdict == "pass" {
		return "pass"
	}
	return "**" + strings.ToUpper(verdict) + "**"
}
