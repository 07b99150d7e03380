package cli

import "github.com/lockstorm/lockstorm/reports"

// A Table is a report of a command that has rows of words.
type Table struct {
	Title   string
	Heads   []string
	Numbers bool // all columns but the first
	Rows    [][]string
	Notes   []string // below it
	Data    any      // what JSON has; if nil, the rows
	Text    string   // printed as text instead of the table; empty for the table
}

// Document returns the table in all formats.
func (t Table) Document() *reports.Document {
	d := &reports.Document{Title: t.Title, Data: t.Data}
	rows := &reports.Table{Columns: reports.Columns(t.Heads...)}
	if t.Numbers {
		rows.Columns = reports.Numbers(t.Heads...)
	} else if len(t.Heads) > 1 {
		rows.Columns[len(t.Heads)-1].Kind = "prose"
	}
	for _, cells := range t.Rows {
		rows.Add(cells...)
	}
	if t.Text != "" {
		d.Add(reports.Block{Kind: "lines", Words: reports.Words(t.Text), In: reports.Terminal})
		d.Add(reports.Block{Kind: "rows", Table: rows, In: reports.Marked | reports.Page})
		return d
	}
	d.Table("", rows)
	for i, n := range t.Notes {
		d.Add(reports.Block{Kind: "remark", Words: reports.Words(n), Close: i > 0})
	}
	return d
}
