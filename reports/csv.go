package reports

import (
	"encoding/csv"
	"strings"
)

// CSV writes the rows of the document as comma-separated values, heads first. Several tables follow each other, with
// an empty line between.
func (d *Document) CSV() string {
	if d.Rows != nil {
		return d.Rows.CSV()
	}
	var all []string
	for _, t := range tables(d.Blocks) {
		all = append(all, t.CSV())
	}
	return strings.Join(all, "\n")
}

// tables returns the tables of blocks, each once.
func tables(blocks []Block) (all []*Table) {
	for _, b := range blocks {
		if b.Kind == "rows" {
			all = append(all, b.Table)
		}
		if b.Kind == "fit" {
			b.Blocks = b.Blocks[:1]
		}
		all = append(all, tables(b.Blocks)...)
	}
	return all
}

// CSV writes the table as comma-separated values.
func (t *Table) CSV() string {
	t = t.without("text")
	var heads []string
	for _, c := range t.Columns {
		heads = append(heads, c.Head)
	}
	lines := [][]string{heads}
	for _, row := range t.Rows {
		var line []string
		for _, c := range row {
			line = append(line, c.Text)
		}
		lines = append(lines, line)
	}
	return CSV(lines)
}

// CSV returns lines as comma-separated values.
func CSV(lines [][]string) string {
	var b strings.Builder
	if err := csv.NewWriter(&b).WriteAll(lines); err != nil {
		panic("layout: " + err.Error()) // a strings.Builder takes everything
	}
	return b.String()
}
