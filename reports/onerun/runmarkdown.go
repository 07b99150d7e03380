package onerun

import (
	"fmt"
	"strings"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/reports/bounds"
	"github.com/lockstorm/lockstorm/reports/layout"
	"github.com/lockstorm/lockstorm/reports/pictures"
	"github.com/lockstorm/lockstorm/scenarios"
)

// Markdown tells one run as Text does, for the summary of a CI job: the timeline stands in a block of code.
func Markdown(r *scenarios.Result, m Making) string {
	var b strings.Builder
	b.WriteString(layout.BoldVerdict(Summary(r)) + "\n\n" + layout.Prose(layout.PlainLong(r.Scenario.Title)) + "\n\n")
	b.WriteString(findingsTable(r) + happenings(r) + "\n")
	b.WriteString(layout.Fenced("text", pictures.Timeline(layout.Screen{}, pictures.NewScene(r))))
	for _, f := range r.Findings {
		if f.Verdict == checker.Violated {
			fmt.Fprintf(&b, "\n**%s is violated.** %s\n\n", layout.Prose(f.Property), layout.Prose(layout.PlainLong(r.Evidence.Explain(f)+" "+r.Evidence.Argument(f))))
			b.WriteString("| true time | |\n| --- | --- |\n")
			for _, m := range r.Evidence.Story(f).Events {
				layout.Row(&b, layout.Micros(m.At), layout.Prose(layout.PlainLong(m.Text)))
			}
		}
	}
	b.WriteString(figuresTable(r.Evidence) + boundsTable(r.Scenario, m))
	b.WriteString("\nRepeat it:\n\n" + layout.Fenced("sh", m.Command+"\n"))
	return b.String()
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
		layout.Row(&b, verdict, strings.Join(p.names, ", "), layout.Prose(strings.TrimLeft(p.text, ":, ")))
	}
	return b.String()
}

// happenings tells which of the things that should happen did.
func happenings(r *scenarios.Result) string {
	var b strings.Builder
	for _, v := range []checker.Verdict{checker.Holds, checker.Violated, checker.Unknown} {
		if names := seen(r, v); len(names) > 0 {
			fmt.Fprintf(&b, "\n%s: %s%s\n", layout.Capital(happened(v)), strings.Join(names, ", "), layout.Prose(strings.Replace(layout.Differs(v != checker.Holds), "  ", " ", 1)))
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
		layout.Row(&b, f.Name, f.Value, layout.Prose(f.Doc))
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
		layout.Row(&b, e.Bound.Property, layout.Prose(e.Bound.Setting), layout.Prose(e.Reckoned), layout.Dash(layout.Prose(e.Holds)), layout.Dash(layout.Prose(e.Breaks)), fmt.Sprint(e.Runs))
	}
	for _, e := range m.Edges {
		if e.None != "" {
			b.WriteString("\n" + layout.Prose(e.None) + "\n")
		}
	}
	return b.String() + "\n" + layout.Prose(bounds.Laws(layout.Screen{}, s, m.Edges)) + "\n"
}
