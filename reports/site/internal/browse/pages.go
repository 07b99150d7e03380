package browse

import (
	_ "embed" // for what the pages add to the style, and their icon
	"net/url"
	"strings"

	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
)

//go:embed pages.css
var pageStyle string

//go:embed icon.svg
var icon string

// Policy is the Content-Security-Policy of the pages: a style sheet and pictures of their own, forms that come back, and
// nothing else. They have no scripts.
const Policy = "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// Style returns the style sheet of the pages: that of all reports, and a little more.
func Style() []byte { return []byte((&reports.Document{Style: pageStyle}).Sheet()) }

// Icon returns the picture that a browser shows beside the title.
func Icon() []byte { return []byte(icon) }

// newPage returns a page that leads back to the list.
func newPage(title string) *reports.Document {
	return &reports.Document{Title: title, Foot: "Served by Lockstorm, read-only.",
		Frame: &reports.Frame{Sheet: "/style.css", Icon: "/icon.svg", Up: reports.Link{Text: "All runs and campaigns", To: "/"}}}
}

// Notice returns a page that says something in a sentence or two, such as that there is no such page.
func Notice(title, text string) *reports.Document {
	d := newPage(wording.Plain(title))
	d.Paragraph(wording.PlainLong(text))
	return d
}

// foreign returns words of others, which do not change the order of those around them.
func foreign(text string) reports.Span { return reports.Span{Text: text, Class: "foreign"} }

func soft(text string) reports.Span            { return reports.Span{Text: text, Class: "soft"} }
func warned(text string) reports.Span          { return reports.Span{Text: text, Class: "unknown"} }
func alarmed(text string) reports.Span         { return reports.Span{Text: text, Class: "violated"} }
func code(text string) reports.Span            { return reports.Span{Text: text, Look: "code"} }
func linked(text, address string) reports.Span { return reports.Span{Text: text, Link: address} }

func button(text, address string) reports.Span {
	return reports.Span{Text: text, Class: "button", Link: address}
}

func standing(verdict string) reports.Span {
	return reports.Span{Text: word(verdict), Class: "went " + verdict}
}

// separated returns texts as code, with a separator between them.
func separated(texts []string, between string) (words []reports.Span) {
	for i, text := range texts {
		if i > 0 {
			words = append(words, reports.Span{Text: between})
		}
		words = append(words, code(text))
	}
	return words
}

// table adds a table that may be wider than the page.
func table(d *reports.Document, class, label string, t *reports.Table) {
	d.Add(reports.Block{Kind: "rows", Table: t, Class: class, Label: label})
}

func section(d *reports.Document, id, heading string) {
	d.Add(reports.Block{Kind: "heading", ID: id, Words: reports.Words(heading)})
}

func topic(d *reports.Document, heading string) {
	d.Add(reports.Block{Kind: "topic", Words: reports.Words(heading)})
}

// tools adds a line of links.
func tools(d *reports.Document, links ...reports.Span) {
	var words []reports.Span
	for _, l := range links {
		if l.Link != "" {
			words = append(words, l, reports.Span{Text: " "})
		}
	}
	if len(words) > 0 {
		d.Add(reports.Block{Words: words, Class: "tools"})
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
		return wording.Grouped(int(n)) + " B"
	case n < 1_000_000:
		return wording.Grouped(int(n+500)/1000) + " kB"
	}
	return wording.Grouped(int(n+500_000)/1_000_000) + " MB"
}

// filesOf lists files, each with a link that opens it and one that saves it.
func filesOf(place string, there []File) *reports.Table {
	t := &reports.Table{Columns: []reports.Column{{Head: "file"}, {Head: "size", Kind: "number"}, {Head: "save"},
		{Head: "holds"}}}
	for _, f := range there {
		name, at := wording.Plain(f.Name), FileAddress(place, f)
		saveAs := strings.ReplaceAll(wording.Plain(place+"/"+f.Name), "/", "-")
		if place == "." {
			saveAs = strings.ReplaceAll(name, "/", "-")
		}
		t.Rows = append(t.Rows, []reports.Cell{{Text: name, Link: at}, {Text: bytesOf(f.Bytes)},
			reports.Rich(reports.Span{Text: "save", Link: at, Save: saveAs}), {Text: wording.PlainLong(f.Holds)}})
	}
	return t
}
