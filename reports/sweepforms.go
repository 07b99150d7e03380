package reports

import (
	"encoding/csv"
	"fmt"
	"strings"
)

// SweepMarkdown gives a sweep as Markdown: what can be claimed of each property, and a table of each that breaks.
func SweepMarkdown(s Sweep) string {
	var b strings.Builder
	b.WriteString(prose(s.head()) + "\n\n")
	row(&b, "property", "over the whole grid", "first")
	row(&b, "---", "---", "---")
	for _, c := range s.Properties {
		row(&b, code(c.Name), prose(c.Claim), prose(c.First))
	}
	for i, c := range s.Properties {
		if c.Violated > 0 {
			fmt.Fprintf(&b, "\n%s, share of runs in which it breaks%s:\n\n", code(c.Name), s.asMap(i))
			b.WriteString(s.markdown(i))
		}
	}
	if len(s.Cells) > 1 {
		b.WriteString("\n" + prose(s.foot()) + "\n")
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
	return pipes(lines)
}

// pipes lays out lines of words as a table of Markdown; the first line is its head.
func pipes(lines [][]string) string {
	var b strings.Builder
	for i, line := range lines {
		for k := range line {
			line[k] = prose(line[k])
		}
		row(&b, line...)
		if i == 0 {
			row(&b, strings.Split(strings.Repeat("--- ", len(line)-1)+"---", " ")...)
		}
	}
	return b.String()
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
				fmt.Sprint(p.Low), fmt.Sprint(p.High), seedOr(p.FirstSeed, "")))
		}
	}
	if err := w.WriteAll(lines); err != nil {
		panic("reports: " + err.Error()) // a strings.Builder takes everything
	}
	return b.String()
}
