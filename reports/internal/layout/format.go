package layout

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// A Format is a form in which every document can be written.
type Format string

// formats are all of them, in the order in which they are listed. A new one is a line here and a file beside this one.
var formats = []struct {
	name  Format
	write func(d *Document, s Screen) string
}{
	{"text", (*Document).Text},
	{"markdown", func(d *Document, _ Screen) string { return d.Markdown() }},
	{"html", func(d *Document, _ Screen) string { return d.HTML() }},
	{"json", func(d *Document, _ Screen) string { return d.JSON() }},
	{"csv", func(d *Document, _ Screen) string { return d.CSV() }},
}

// Formats returns the names of all formats, with a separator between them.
func Formats(between string) string {
	var names []string
	for _, f := range formats {
		names = append(names, string(f.name))
	}
	return strings.Join(names, between)
}

// Check returns an error if there is no such format.
func (f Format) Check() error {
	if slices.Contains(strings.Fields(Formats(" ")), string(f)) {
		return nil
	}
	return fmt.Errorf("%q is not one of %s", string(f), Formats(", "))
}

// Write writes the document in a format. Only text is laid out for a screen.
func (d *Document) Write(w io.Writer, f Format, s Screen) error {
	for _, known := range formats {
		if known.name == f {
			_, err := io.WriteString(w, known.write(d, s))
			return err
		}
	}
	return f.Check()
}
