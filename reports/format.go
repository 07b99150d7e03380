package reports

import (
	"fmt"
	"io"
	"strings"
)

// formats are the formats, in the order of the list. A new format needs a line here and a file in this folder.
var formats = []struct {
	name  string
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
		names = append(names, f.name)
	}
	return strings.Join(names, between)
}

// Write writes the document in a format. Only text is laid out for a screen.
func (d *Document) Write(w io.Writer, format string, s Screen) error {
	for _, known := range formats {
		if known.name == format {
			_, err := io.WriteString(w, known.write(d, s))
			return err
		}
	}
	return fmt.Errorf("%q is not one of %s", format, Formats(", "))
}
