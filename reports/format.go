package reports

import (
	"io"

	"github.com/lockstorm/lockstorm/reports/internal/layout"
	"github.com/lockstorm/lockstorm/scenarios"
)

// SchemaVersion is the version of the JSON of all reports. It rises when a field changes its meaning or goes away.
const SchemaVersion = layout.SchemaVersion

// A File is one file that a report consists of.
type File = layout.File

// A Screen is what a text is laid out for. It is plain data: whoever prints finds out what a terminal can show. The zero
// Screen is a file or a pipe.
type Screen struct {
	Width   int // columns; 0 for those of a file
	Colour  bool
	Program string // what the reader types for lockstorm, in commands; that itself if it is empty
}

// Wrap breaks running text into lines.
func (s Screen) Wrap(text string) string { return layout.Screen(s).Wrap(text) }

// A Document is a report that can be written in each format.
type Document struct {
	doc     *layout.Document
	verdict scenarios.Verdict
}

// Formats returns the names of all formats, with a separator between them.
func Formats(between string) string { return layout.Formats(between) }

// Write writes the document in a format. Only text is laid out for a screen.
func (d *Document) Write(w io.Writer, format string, s Screen) error {
	return d.doc.Write(w, layout.Format(format), layout.Screen(s))
}

// Text returns the document as text.
func (d *Document) Text(s Screen) string { return d.doc.Text(layout.Screen(s)) }

// Markdown returns the document as Markdown.
func (d *Document) Markdown() string { return d.doc.Markdown() }

// Summary returns what is printed where only one line is asked for.
func (d *Document) Summary() string { return d.doc.Summary }

// Verdict returns what the report comes to. It is a pass where nothing is judged.
func (d *Document) Verdict() scenarios.Verdict { return d.verdict }

// A Table is a report that its maker has as rows of words.
type Table struct {
	Title   string
	Heads   []string
	Numbers bool // all columns but the first
	Rows    [][]string
	Notes   []string // below it
	Data    any      // what JSON has; if nil, the rows
	Text    string   // as text, what is printed in place of all else; the table if it is empty
	Summary string   // what is printed where only one line is asked for
}

// Document returns the table in all formats.
func (t Table) Document() *Document {
	d := &layout.Document{Title: t.Title, Data: t.Data, Summary: t.Summary}
	rows := &layout.Table{Columns: layout.Columns(t.Heads...)}
	if t.Numbers {
		rows.Columns = layout.Numbers(t.Heads...)
	}
	for _, cells := range t.Rows {
		rows.Add(cells...)
	}
	if t.Text != "" {
		d.Add(layout.Block{Kind: layout.Lines, Words: layout.Words(t.Text), In: layout.Terminal})
		d.Add(layout.Block{Kind: layout.Rows, Table: rows, In: layout.Marked | layout.Page})
		return &Document{doc: d}
	}
	d.Table("", rows)
	for i, n := range t.Notes {
		d.Add(layout.Block{Kind: layout.Remark, Words: layout.Words(n), Close: i > 0})
	}
	return &Document{doc: d}
}

// JSON returns data as reports have it: indented, with a final newline.
func JSON(data any) []byte { return layout.JSON(data) }

// Plain makes a text of others harmless: no letter of it turns the direction of what follows, or steers a terminal, and it
// is not endless.
func Plain(text string) string { return layout.Plain(text) }
