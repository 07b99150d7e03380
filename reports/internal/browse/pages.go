package browse

import (
	_ "embed" // for what the pages add to the style, and their icon
	"net/url"
	"strings"

	"github.com/lockstorm/lockstorm/reports/internal/layout"
)

//go:embed pages.css
var pageStyle string

//go:embed icon.svg
var icon string

// Policy is the Content-Security-Policy of the pages: a style sheet and pictures of their own, forms that come back, and
// nothing else. They have no scripts.
const Policy = "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// Style returns the style sheet of the pages: that of all reports, and a little more.
func Style() []byte { return []byte((&layout.Document{Style: pageStyle}).Sheet()) }

// Icon returns the picture that a browser shows beside the title.
func Icon() []byte { return []byte(icon) }

// newPage returns a page that leads back to the list.
func newPage(title string) *layout.Document {
	return &layout.Document{Title: title, Foot: "Served by Lockstorm, read-only.",
		Frame: &layout.Frame{Sheet: "/style.css", Icon: "/icon.svg", Up: layout.Link{Text: "All runs and campaigns", To: "/"}}}
}

// Notice returns a page that says something in a sentence or two, such as that there is no such page.
func Notice(title, text string) *layout.Document {
	d := newPage(layout.Plain(title))
	d.Paragraph(layout.PlainLong(text))
	return d
}

// foreign returns words of others, which do not change the order of those around them.
func foreign(text string) layout.Span { return layout.Span{Text: text, Class: "foreign"} }

func soft(text string) layout.Span            { return layout.Span{Text: text, Class: "soft"} }
func warned(text string) layout.Span          { return layout.Span{Text: text, Class: "unknown"} }
func alarmed(text string) layout.Span         { return layout.Span{Text: text, Class: "violated"} }
func code(text string) layout.Span            { return layout.Span{Text: text, Look: layout.Coded} }
func linked(text, address string) layout.Span { return layout.Span{Text: text, Link: address} }

func button(text, address string) layout.Span {
	return layout.Span{Text: text, Class: "button", Link: address}
}

func standing(verdict string) layout.Span {
	return layout.Span{Text: word(verdict), Class: "went " + verdict}
}

// separated returns texts as code, with a separator between them.
func separated(texts []string, between string) (words []layout.Span) {
	for i, text := range texts {
		if i > 0 {
			words = append(words, layout.Span{Text: between})
		}
		words = append(words, code(text))
	}
	return words
}

// table adds a table that may be wider than the page.
func table(d *layout.Document, class, label string, t *layout.Table) {
	d.Add(layout.Block{Kind: layout.Rows, Table: t, Class: class, Label: label})
}

func section(d *layout.Document, id, heading string) {
	d.Add(layout.Block{Kind: layout.Heading, ID: id, Words: layout.Words(heading)})
}

func topic(d *layout.Document, heading string) {
	d.Add(layout.Block{Kind: layout.Topic, Words: layout.Words(heading)})
}

// tools adds a line of links.
func tools(d *layout.Document, links ...layout.Span) {
	var words []layout.Span
	for _, l := range links {
		if l.Link != "" {
			words = append(words, l, layout.Span{Text: " "})
		}
	}
	if len(words) > 0 {
		d.Add(layout.Block{Kind: layout.Sentence, Words: words, Class: "tools"})
	}
}

// besides returns the address of two runs side by side.
func besides(a, b string) string {
	return "/compare?a=" + url.QueryEscape(escape(a)) + "&b=" + url.QueryEscape(escape(b))
}

// bytesOf returns a size as people read it.
func bytesOf(n int64) string {
	switch {
	case n < 1000:
		return layout.Grouped(int(n)) + " B"
	case n < 1_000_000:
		return layout.Grouped(int(n+500)/1000) + " kB"
	}
	return layout.Grouped(int(n+500_000)/1_000_000) + " MB"
}

// filesOf lists files, each with a link that opens it and one that saves it.
func filesOf(place string, there []File) *layout.Table {
	t := &layout.Table{Columns: []layout.Column{{Head: "file"}, {Head: "size", Kind: layout.Number}, {Head: "save"},
		{Head: "holds"}}}
	for _, f := range there {
		name, at := layout.Plain(f.Name), FileAddress(place, f)
		saveAs := strings.ReplaceAll(layout.Plain(place+"/"+f.Name), "/", "-")
		if place == "." {
			saveAs = strings.ReplaceAll(name, "/", "-")
		}
		t.Rows = append(t.Rows, []layout.Cell{{Text: name, Link: at}, {Text: bytesOf(f.Bytes)},
			layout.Rich(layout.Span{Text: "save", Link: at, Save: saveAs}), {Text: layout.PlainLong(f.Holds)}})
	}
	return t
}
