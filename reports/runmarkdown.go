package reports

import (
	"fmt"
	"strings"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/scenarios"
)

// Markdown tells one run as Text does, for the summary of a CI job: the timeline stands in a block of code.
func Markdown(r *scenarios.Result, m Making) string {
	var b strings.Builder
	b.WriteString(boldVerdict(Summary(r)) + "\n\n" + prose(plainLong(r.Scenario.Title)) + "\n\n")
	b.WriteString(findingsTable(r) + happenings(r) + "\n")
	b.WriteString(fenced("text", Screen{}.timeline(set(r))))
	for _, f := range r.Findings {
		if f.Verdict == checker.Violated {
			fmt.Fprintf(&b, "\n**%s is violated.** %s\n\n", prose(f.Property), prose(plainLong(r.Evidence.Explain(f)+" "+r.Evidence.Argument(f))))
			b.WriteString("| true time | |\n| --- | --- |\n")
			for _, m := range r.Evidence.Story(f).Events {
				row(&b, micros(m.At), prose(plainLong(m.Text)))
			}
		}
	}
	b.WriteString(figuresTable(r.Evidence) + boundsTable(r.Scenario, m))
	b.WriteString("\nRepeat it:\n\n" + fenced("sh", m.Command+"\n"))
	return b.String()
}

// boldVerdict makes the first word of a summary stand out.
func boldVerdict(summary string) string {
	verdict, rest, _ := strings.Cut(summary, ":")
	return "**" + verdict + "**:" + " " + prose(rest)
}

// fenced gives a text as a block of code. Its fence is longer than any that the text may hold.
func fenced(language, text string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + language + "\n" + text + fence + "\n"
}

// findingsTable tells the properties: those that are violated or unknown, or not as expected, one by one.
func findingsTable(r *scenarios.Result) string {
	var b strings.Builder
	b.WriteString("| verdict | property | |\n| --- | --- | --- |\n")
	for _, p := range passages(r) {
		verdict := p.verdict.String()
		if p.verdict != checker.Holds {
			verdict = "**" + strings.ToUpper(verdict) + "**"
		}
		row(&b, verdict, strings.Join(p.names, ", "), prose(strings.TrimLeft(p.text, ":, ")))
	}
	return b.String()
}

// happenings tells which of the things that should happen did.
func happenings(r *scenarios.Result) string {
	var b strings.Builder
	for _, v := range []checker.Verdict{checker.Holds, checker.Violated, checker.Unknown} {
		if names := seen(r, v); len(names) > 0 {
			fmt.Fprintf(&b, "\n%s: %s%s\n", capital(happened(v)), strings.Join(names, ", "), prose(strings.Replace(differs(v != checker.Holds), "  ", " ", 1)))
		}
	}
	return b.String()
}

func figuresTable(e *checker.Evidence) string {
	all := pageFigures(e)
	if len(all) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("\n| figure | | |\n| --- | --- | --- |\n")
	for _, f := range all {
		row(&b, f.Name, f.Value, prose(f.Doc))
	}
	return b.String()
}

func boundsTable(s *scenarios.Scenario, m Making) string {
	if len(m.Edges) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("\n| bound of | setting | reckoned | holds at | breaks at | runs |\n| --- | --- | --- | --- | --- | --- |\n")
	for _, e := range m.Edges {
		row(&b, e.Bound.Property, prose(e.Bound.Setting), prose(e.Reckoned), dash(prose(e.Holds)), dash(prose(e.Breaks)), fmt.Sprint(e.Runs))
	}
	for _, e := range m.Edges {
		if e.None != "" {
			b.WriteString("\n" + prose(e.None) + "\n")
		}
	}
	return b.String() + "\n" + prose(Screen{}.laws(s, m.Edges)) + "\n"
}

// CampaignMarkdown tells many runs as CampaignText does, for the summary of a CI job.
func CampaignMarkdown(m Many) string {
	var b strings.Builder
	b.WriteString(boldVerdict(CampaignSummary(m)) + "\n\n")
	b.WriteString("| property | expected | holds | violated | unknown |\n| --- | --- | --- | --- | --- |\n")
	for _, c := range m.Properties {
		countRow(&b, m.Runs, c, c.Name, c.Expect)
	}
	b.WriteString("\n| should happen | happened | never | unknown |\n| --- | --- | --- | --- |\n")
	for _, c := range m.Sometimes {
		countRow(&b, m.Runs, c, c.Name)
	}
	if n := len(m.Unexpected); n > 0 {
		fmt.Fprintf(&b, "\nNot as expected: %s%s. See the first:\n\n%s", either(n, "seed ", "seeds "), seeds(m.Unexpected), fenced("sh", m.Command+"\n"))
	}
	return b.String()
}

// countRow tells how often a thing had each verdict; where that is not as expected, its name stands out.
func countRow(b *strings.Builder, runs int, c Counted, cells ...string) {
	right := map[string]int{"holds": c.Holds, "violated": c.Violated, "unknown": c.Unknown}[c.Expect]
	if right != runs {
		cells[0] = "**" + cells[0] + "** (not as expected)"
	}
	row(b, append(cells, fmt.Sprint(c.Holds), fmt.Sprint(c.Violated), fmt.Sprint(c.Unknown))...)
}
