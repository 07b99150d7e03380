package reports

import (
	"fmt"
	"strings"
	"unicode"
)

// SuiteMarkdown gives a suite as Markdown, for the summary of a CI job or a README: what was not as expected, and a table
// of all scenarios or mutants.
func SuiteMarkdown(s Suite) string {
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
	for _, e := range s.entries() {
		if len(e.wrong) > 0 {
			fmt.Fprintf(&b, "- **%s** %s: %s. See it: %s\n", strings.ToUpper(e.verdict), code(e.title),
				prose(strings.Join(e.wrong, "; ")), code(e.command))
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
		row(&b, verdictCell(c.Verdict), code(called(c.Scenario, c.File)), share(c.Pass, c.Runs), prose(c.Title))
	}
	return b.String()
}

func killTable(s Suite) string {
	var b strings.Builder
	b.WriteString("| mutant, and the scenario | breaks | reference survives | mutant caught | first seed | seen, or warned of |\n" +
		"| --- | --- | --- | --- | --- | --- |\n")
	for _, d := range s.Mutants {
		name := code(d.Mutant) + " in " + code(called(d.Scenario, d.File))
		if d.Verdict != "pass" {
			name = verdictCell(d.Verdict) + " " + name
		}
		row(&b, name, strings.Join(d.Breaks, ", "), share(d.Survived, d.Runs), share(d.Caught, d.Runs),
			seedOr(d.First, "never"), prose(d.Precedent))
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
		fmt.Fprintf(&b, "| claimed by %s | tested by | measured | finding |\n| --- | --- | --- | --- |\n", prose(side.by))
		for _, c := range side.cases {
			measured := prose(c.measured())
			if len(c.Wrong) > 0 {
				measured = "**" + measured + "** See it: " + code(c.Command)
			}
			row(&b, prose(c.Claim.Says), code(called(c.Scenario, c.File)), measured, prose(c.Claim.Finding))
		}
	}
	return b.String()
}

func row(b *strings.Builder, cells ...string) {
	b.WriteString("| " + strings.Join(cells, " | ") + " |\n")
}

// verdictCell makes what is not a pass stand out.
func verdictCell(verdict string) string {
	if verdict == "pass" {
		return "pass"
	}
	return "**" + strings.ToUpper(verdict) + "**"
}

// marks are the characters that Markdown would take for more than themselves.
var marks = strings.NewReplacer(`\`, `\\`, "`", "\\`", `*`, `\*`, `_`, `\_`, `[`, `\[`, `]`, `\]`, `|`, `\|`,
	`&`, "&amp;", `<`, "&lt;", `>`, "&gt;", `~`, `\~`, `$`, `\$`)

// prose gives a text as it stands, in one line, whatever it holds.
func prose(text string) string { return marks.Replace(oneLine(text)) }

// code gives a text as code. Where code could not hold it, it is prose.
func code(text string) string {
	text = oneLine(text)
	if text == "" || strings.ContainsAny(text, "`|\\") {
		return prose(text)
	}
	return "`" + text + "`"
}

// oneLine puts a text into one line, without what can't be seen.
func oneLine(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsControl(r):
			return ' '
		case unicode.Is(unicode.Cf, r): // it may turn the direction of what follows
			return '\uFFFD'
		}
		return r
	}, text)
	return strings.Join(strings.Fields(text), " ")
}
