package site

import (
	"cmp"
	"slices"
	"strings"

	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
)

// menu is shown next to every page, without what a site doesn't have. The list at its end has all pages.
var menu = []reports.Shelf{
	{Head: "Start", Links: []reports.Link{
		{Text: "Start here", To: indexFile},
		{Text: "Playground", To: playgroundFile},
		{Text: "Read me", To: "README.html"}}},
	{Head: "Results", Links: []reports.Link{
		{Text: "The Redlock debate", To: debateFile},
		{Text: "Claims, measured", To: "scenarios/claims.html"},
		{Text: "Which lock, which faults", To: "scenarios/campaign/matrix.html"},
		{Text: "Exhaustive results", To: "scenarios/campaign/explore/theorem.html"},
		{Text: "Libraries, simulated", To: "scenarios/guests/libraries.html"},
		{Text: "Libraries on real servers", To: "scenarios/guests/live.html"},
		{Text: "Simulator versus servers", To: "scenarios/live/live.html"},
		{Text: "Forecasts", To: "scenarios/forecast/forecast.html"},
		{Text: "What history checkers miss", To: "scenarios/blackbox.html"},
		{Text: "Known lock flaws", To: "scenarios/mutants.html"}}},
	{Head: "Use it", Links: []reports.Link{
		{Text: "Test your lock", To: "scenarios/locktest/README.html"},
		{Text: "Write a scenario", To: "scenarios/files.html"},
		{Text: "Check a history", To: "checker/README.html"},
		{Text: "Search and measure", To: "scenarios/campaign/README.html"},
		{Text: "Reports", To: "reports/README.html"}}},
	{Head: "Reference", Links: []reports.Link{
		{Text: "Catalogue", To: "scenarios/README.html"},
		{Text: "Glossary", To: "scenarios/glossary.html"},
		{Text: "Promises", To: "checker/promises.html"},
		{Text: "Faults", To: faultsFile},
		{Text: "Settings", To: settingsFile},
		{Text: "Commands", To: "reference/commands.html"}}},
	{Head: "More", Links: []reports.Link{
		{Text: "Changelog", To: "CHANGELOG.html"},
		{Text: "Contributing", To: "CONTRIBUTING.html"},
		{Text: "All pages", To: listFile}}},
}

// frame puts a page into the frame that all pages share: menu, search and icon.
func (b *builder) frame(p *page) {
	f := &reports.Frame{Home: reports.Link{Text: "Lockstorm", To: relative(p.address, indexFile)}}
	if p.Frame != nil {
		f.Scripts, f.Allowed = p.Frame.Scripts, p.Frame.Allowed
	}
	f.Sheet, f.Icon = relative(p.address, sheetFile), relative(p.address, iconFile)
	f.Search = relative(p.address, searchFile)
	if f.Preview = relative(p.address, previewFile); b.Address != "" {
		f.Preview = strings.TrimSuffix(b.Address, "/") + "/" + previewFile
	}
	for _, shelf := range menu {
		var links []reports.Link
		for _, l := range shelf.Links {
			if !b.has(l.To) {
				continue
			}
			if to := relative(p.address, l.To); l.To != p.address {
				links = append(links, reports.Link{Text: l.Text, To: to})
				continue
			}
			links = append(links, reports.Link{Text: l.Text})
		}
		if len(links) > 0 {
			f.Menu = append(f.Menu, reports.Shelf{Head: shelf.Head, Links: links})
		}
	}
	f.About = about(p.Document)
	p.Frame = f
}

// aboutMost is how many letters of a description search engines show.
const aboutMost = 160

// about returns what a page says about itself first; its summary, if it has one.
func about(d *reports.Document) string {
	text := d.Summary
	for _, b := range d.Blocks {
		if text == "" && b.Kind == "" && b.Class == "" && b.In&reports.Page == b.In {
			text = plain(b.Words)
		}
	}
	return wording.Shorten(cmp.Or(strings.TrimSpace(text), d.Title), aboutMost)
}

// list adds the page that lists all pages.
func (b *builder) list() {
	d := &reports.Document{Title: "All pages", Summary: "All pages of this site about Lockstorm, by their addresses."}
	t := &reports.Table{Columns: reports.Columns("page", "address")}
	pages := slices.Clone(b.pages)
	slices.SortFunc(pages, func(a, b page) int { return strings.Compare(a.address, b.address) })
	for _, p := range pages {
		t.Rows = append(t.Rows, []reports.Cell{{Text: p.Title, Link: p.address}, {Text: p.address}})
	}
	d.Table("", t)
	b.add(listFile, d)
}
