package site

import (
	_ "embed" // for the script
	"encoding/json"
	"strings"

	"github.com/lockstorm/lockstorm/reports"
)

//go:embed search.js
var searchScript []byte

// A section is what a search finds: a part of a page, below one heading.
type section struct {
	Address string `json:"a"`
	Page    string `json:"p"`
	Head    string `json:"h,omitempty"`
	Text    string `json:"t"`
	Last    bool   `json:"l,omitempty"` // of the changelog, or with a table that a command made
}

// searching adds the page that searches all others, and what it searches in.
func (b *builder) searching() {
	sections := []section{}
	for _, p := range b.pages {
		if p.address != listFile {
			sections = append(sections, sectionsOf(p)...)
		}
	}
	text, err := json.Marshal(sections)
	if err != nil {
		panic("site: " + err.Error()) // these types always marshal
	}
	b.file("search-index.js", append(append([]byte("var sections="), text...), ";\n"...))
	b.file("search.js", searchScript)
	d := &reports.Document{Title: "Search", Summary: "Searches all pages about Lockstorm.", Class: "search"}
	d.Frame = &reports.Frame{Scripts: []string{"search-index.js", "search.js"}}
	d.Add(reports.Block{Class: "found", Words: reports.Words("The search takes scripts, which are off.")})
	d.Add(reports.Block{Kind: "bullets", Class: "hits"})
	d.Rich(reports.Span{Text: "All pages", Link: listFile})
	b.add(searchFile, d)
}

// sectionsOf returns the parts of a page.
func sectionsOf(p page) []section {
	old := p.address == "CHANGELOG.html"
	all := []section{{Address: p.address, Page: p.Title, Last: old}}
	add := func(text string) {
		if text = strings.Join(strings.Fields(text), " "); text != "" {
			last := &all[len(all)-1]
			last.Text = strings.TrimSpace(last.Text + " " + text)
		}
	}
	eachBlock(p.Blocks, func(b *reports.Block) {
		switch {
		case b.In != 0 && b.In&reports.Page == 0:
		case (b.Kind == "heading" || b.Kind == "topic") && b.ID != "":
			all = append(all, section{Address: p.address + "#" + b.ID, Page: p.Title, Head: plain(b.Words), Last: old})
		case b.Kind == "rows":
			last := &all[len(all)-1]
			last.Last = last.Last || b.Command != ""
			for _, row := range b.Table.Rows {
				for _, c := range row {
					add(c.Text)
				}
			}
		case b.Class != "source":
			add(plain(b.Words) + " " + b.Command)
		}
	})
	return all
}
