package site

import (
	"slices"
	"strings"

	"github.com/lockstorm/lockstorm/reports/internal/layout"
)

// menu is what stands beside every page; what a site doesn't have is left out. All pages are in the list at its end.
var menu = []layout.Shelf{
	{Head: "Start", Links: []layout.Link{
		{Text: "The question", To: indexFile},
		{Text: "Playground", To: playgroundFile},
		{Text: "Read me", To: "README.html"}}},
	{Head: "Results", Links: []layout.Link{
		{Text: "The Redlock debate", To: debateFile},
		{Text: "Every claim", To: "scenarios/claims.html"},
		{Text: "Locks by faults", To: "scenarios/campaign/matrix.html"},
		{Text: "Theorems", To: "scenarios/campaign/explore/theorem.html"},
		{Text: "Client libraries", To: "scenarios/guests/README.html"},
		{Text: "Libraries, live", To: "scenarios/guests/live.html"},
		{Text: "On real servers", To: "scenarios/live/README.html"},
		{Text: "Forecasts", To: "scenarios/campaign/forecast/README.html"},
		{Text: "What a black box sees", To: "scenarios/blackbox.html"},
		{Text: "Flaws of the field", To: "scenarios/mutants.html"}}},
	{Head: "Use it", Links: []layout.Link{
		{Text: "Your lock on trial", To: "scenarios/locktest/README.html"},
		{Text: "Your own scenarios", To: "scenarios/files.html"},
		{Text: "Your own histories", To: "checker/README.html"},
		{Text: "Many runs", To: "scenarios/campaign/README.html"},
		{Text: "Reports", To: "reports/README.html"}}},
	{Head: "Reference", Links: []layout.Link{
		{Text: "Locks and scenarios", To: "scenarios/README.html"},
		{Text: "Promises", To: "checker/promises.html"},
		{Text: "Faults", To: faultsFile},
		{Text: "Scenario files", To: settingsFile},
		{Text: "Commands", To: "reference/commands.html"}}},
	{Head: "More", Links: []layout.Link{
		{Text: "Changelog", To: "CHANGELOG.html"},
		{Text: "Contributing", To: "CONTRIBUTING.html"},
		{Text: "All pages", To: listFile}}},
}

// frame puts a page into the frame that all have.
func (b *builder) frame(p *page) {
	f := &layout.Frame{Home: layout.Link{Text: "Lockstorm", To: relative(p.address, indexFile)}}
	if p.Frame != nil {
		f.Scripts, f.Allowed, f.Inline, f.Up = p.Frame.Scripts, p.Frame.Allowed, p.Frame.Inline, p.Frame.Up
	}
	f.Sheet, f.Icon, f.Search = relative(p.address, sheetFile), relative(p.address, iconFile), relative(p.address, searchFile)
	for _, shelf := range append(slices.Clone(menu), b.shelves()...) {
		var links []layout.Link
		for _, l := range shelf.Links {
			if !b.has(l.To) {
				continue
			}
			if l.To == indexFile && len(b.Documents) == 0 {
				l.Text = storesTitle
			}
			if to := relative(p.address, l.To); l.To != p.address {
				links = append(links, layout.Link{Text: l.Text, To: to})
				continue
			}
			links = append(links, layout.Link{Text: l.Text})
		}
		if len(links) > 0 {
			f.Menu = append(f.Menu, layout.Shelf{Head: shelf.Head, Links: links})
		}
	}
	p.Frame = f
}

// list adds the page that has all pages.
func (b *builder) list() {
	d := &layout.Document{Title: "All pages"}
	t := &layout.Table{Columns: layout.Columns("page", "address")}
	pages := slices.Clone(b.pages)
	slices.SortFunc(pages, func(a, b page) int { return strings.Compare(a.address, b.address) })
	for _, p := range pages {
		t.Rows = append(t.Rows, []layout.Cell{{Text: p.Title, Link: p.address}, {Text: p.address}})
	}
	d.Table("", t)
	b.add(listFile, d)
}
