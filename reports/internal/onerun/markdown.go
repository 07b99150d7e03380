package onerun

import (
	"fmt"
	"strings"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/reports/internal/bounds"
	"github.com/lockstorm/lockstorm/reports/internal/draw"
	"github.com/lockstorm/lockstorm/reports/internal/layout"
	"github.com/lockstorm/lockstorm/scenarios"
)

// Markdown describes one run as Text does, for the summary of a CI job: the timeline stands in a block of code.
func Markdown(r *scenarios.Result, m Making) string {
	var b strings.Builder
	b.WriteString(layout.BoldVerdict(Summary(r)) + "\n\n" + layout.Escape(layout.PlainLong(r.Scenario.Title)) + "\n\n")
	b.WriteString(findingsTable(r).Markdown() + "\n" + layout.Escape(r.Scenario.TokensNote()) + "\n" + happenings(r) + "\n")
	if remarks(r) != "" {
		b.WriteString(layout.Fenced("text", remarks(r)) + "\n")
	}
	b.WriteString(layout.Fenced("text", draw.Timeline(layout.Screen{}, draw.NewScene(r))))
	for _, f := range r.Findings {
		if f.Verdict == checker.Violated {
			a := r.Evidence.Account(f)
			fmt.Fprintf(&b, "\n**%s is violated.** %s\n\n", layout.Escape(f.Property), layout.Escape(layout.PlainLong(a.Text)))
			events := &layout.Table{Columns: layout.Columns("true time", "")}
			for _, m := range r.Evidence.Story(f).After(a) {
				events.Add(layout.Micros(m.At), layout.PlainLong(m.Text))
			}
			b.WriteString(events.Markdown())
		}
	}
	b.WriteString(figuresTable(r.Evidence) + boundsTable(r.Scenario, m))
	b.WriteString("\nRepeat it:\n\n" + layout.Fenced("sh", m.Command+"\n"))
	return b.String()
}

// findingsTable lists the properties: those that are violated or unknown, or not as expected, one by one.
func findingsTable(r *scenarios.Result) *layout.Table {
	t := &layout.Table{Columns: layout.Columns("verdict", "property", "")}
	for _, p := range passages(r) {
		verdict := layout.Cell{Text: p.verdict.String()}
		if p.verdict != checker.Holds {
			verdict = layout.Cell{Text: strings.ToUpper(verdict.Text), Strong: true}
		}
		t.Rows = append(t.Rows, []layout.Cell{verdict, {Text: strings.Join(p.names, ", ")}, {Text: p.text}})
	}
	return t
}

func happenings(r *scenarios.Result) string {
	var b strings.Builder
	for _, v := range []checker.Verdict{checker.Holds, checker.Violated, checker.Unknown} {
		if names := seen(r, v); len(names) > 0 {
			fmt.Fprintf(&b, "\n%s: %s", layout.Capital(happened(v)), strings.Join(names, ", "))
			if v != checker.Holds {
				b.WriteString(" " + layout.Escape(layout.Differs))
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}

func figuresTable(e *checker.Evidence) string {
	t := figureTable(e)
	if len(t.Rows) == 0 {
		return ""
	}
	return "\n" + t.Markdown()
}

func boundsTable(s *scenarios.Scenario, m Making) string {
	if len(m.Edges) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("\n" + bounds.Table(m.Edges).Markdown())
	for _, e := range m.Edges {
		if e.None != "" {
			b.WriteString("\n" + layout.Escape(e.None) + "\n")
		}
	}
	return b.String() + "\n" + layout.Escape(strings.Join(bounds.Laws(s, m.Edges), " ")) + "\n"
}
