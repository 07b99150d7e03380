package campaigns

import (
	"encoding/csv"
	"fmt"
	"strings"

	"github.com/lockstorm/lockstorm/reports/layout"
)

// SweepMarkdown gives a sweep as Markdown: what can be claimed of each property, and a table of each that breaks.
func SweepMarkdown(s Sweep) string {
	var b strings.Builder
	b.WriteString(layout.Prose(s.head()) + "\n\n")
	layout.Row(&b, "property", "over the whole grid", "first")
	layout.Row(&b, "---", "---", "---")
	for _, c := range s.Properties {
		layout.Row(&b, layout.Code(c.Name), layout.Prose(c.Claim), layout.Prose(c.First))
	}
	for i, c := range s.Properties {
		if c.Violated > 0 {
			fmt.Fprintf(&b, "\n%s, share of runs in which it breaks%s:\n\n", layout.Code(c.Name), s.asMap(i))
			b.WriteString(s.markdown(i))
		}
	}
	if len(s.Cells) > 1 {
		b.WriteString("\n" + layout.Prose(s.foot()) + "\n")
	}
	return b.String()
}

// markdown gives the table of one property.
func (s *Sweep) markdown(property int) string {
	var lines [][]string
	if s.isMap(property) {
		rows, columns := s.Axes[0], s.Axes[1]
		lines = append(lines, append([]string{rows.Key + " ↓, " + columns.Key + " →"}, columns.Values...))
		for r, value := range rows.Values {
			line := []string{value}
			for c := range columns.Values {
				cell := &s.Cells[r*len(columns.Values)+c]
				line = append(line, perCent(cell.Properties[property].Violated, cell.Runs))
			}
			lines = append(lines, line)
		}
	} else {
		heads := s.columns()
		lines = append(lines, heads[:len(heads)-1])
		for i := range s.Cells {
			lines = append(lines, s.cells(i, property))
		}
	}
	return layout.Pipes(lines)
}

// SweepCSV gives a sweep as CSV: a line for each cell and property.
func SweepCSV(s Sweep) string {
	var b strings.Builder
	w := csv.NewWriter(&b)
	var head []string
	for _, a := range s.Axes {
		head = append(head, a.Key)
	}
	lines := [][]string{append(head, "runs", "property", "violated", "unknown", "low", "high", "first_seed")}
	for i, c := range s.Cells {
		for _, p := range c.Properties {
			var line []string
			for k := range s.Axes {
				line = append(line, s.at(i, k))
			}
			lines = append(lines, append(line, fmt.Sprint(c.Runs), p.Name, fmt.Sprint(p.Violated), fmt.Sprint(p.Unknown),
				fmt.Sprint(p.Low), fmt.Sprint(p.High), layout.SeedOr(p.FirstSeed, "")))
		}
	}
	if err := w.WriteAll(lines); err != nil {
		panic("reports: " + err.Error()) // a strings.Builder takes everything
	}
	return b.String()
}
