package site

import (
	"slices"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/site/serve"
)

// The search finds what a page shows, part by part: tables by their cells, no empty words, and nothing that only other formats have.
func TestTheSearchHasWhatAPageShows(t *testing.T) {
	d := &reports.Document{Title: "A page"}
	d.Paragraph("before  any\nheading")
	d.Paragraph("  ")
	d.Add(reports.Block{Kind: "heading", Words: reports.Words("First"), ID: "first"})
	d.Add(reports.Block{Words: reports.Words("in text alone"), In: reports.Terminal | reports.Marked})
	d.Add(reports.Block{Words: reports.Words("on pages"), In: reports.Page})
	d.Add(reports.Block{Kind: "rows", Table: &reports.Table{Columns: reports.Columns("a", "b"), Rows: [][]reports.Cell{{{Text: "one"}, {Text: "two"}}}}})
	want := []section{
		{Address: "x.html", Page: "A page", Text: "before any heading"},
		{Address: "x.html#first", Page: "A page", Head: "First", Text: "on pages one two"},
	}
	if got := sectionsOf(page{"x.html", d}); !slices.Equal(got, want) {
		t.Errorf("%+v\nwant %+v", got, want)
	}
}

func TestEachAddressOfAServerHasAFile(t *testing.T) {
	for address, want := range map[string]string{
		"/": "index.html", "/?page=2": "runs-2.html", "/run/a/b/7": "a/b/7/run.html", "/campaign/c": "c/campaign.html",
		"/files/a/b/7/report.html": "a/b/7/report.html", "/timeline/a%20b": "a~20b/timeline.svg",
	} {
		if got := stillFile(address); got != want {
			t.Errorf("%s becomes %s, want %s", address, got, want)
		}
	}
}

// Whoever wrote a page that a store keeps, it runs no script of its own in the site: it stands in a box, and other files as they are.
func TestAKeptPageStandsInABox(t *testing.T) {
	const evil = "<script>alert(1)</script>"
	b := builder{runs: map[string]string{}}
	b.still("stores/mine", &serve.Still{Files: []reports.File{
		{Name: "/files/run/1/report.html", Content: []byte(evil)}, {Name: "/files/run/1/trace.jsonl", Content: []byte("{}")}}})
	if len(b.files) != 1 || b.files[0].Name != "stores/mine/run/1/trace.jsonl" || string(b.files[0].Content) != "{}" {
		t.Errorf("%+v", b.files)
	}
	if len(b.pages) != 1 || b.pages[0].address != "stores/mine/run/1/report.html" || b.pages[0].Class != "boxed" {
		t.Fatalf("%+v", b.pages)
	}
	if text := b.pages[0].HTML(); strings.Contains(text, evil) {
		t.Errorf("the page has the script as it is: %s", text)
	}
}

// Every page is listed, and can be searched; the first has some results, and the page of settings shows a whole file.
func TestEachPageIsListed(t *testing.T) {
	all := made(t, Site{Documents: documents()})
	for name := range all { // order: each on its own
		if strings.HasSuffix(name, ".html") && name != listFile && name != searchFile && !strings.Contains(all[listFile], `href="`+name+`"`) {
			t.Errorf("%s is not listed", name)
		}
	}
	if text := all["search-index.js"]; !strings.Contains(text, `"a/one.html#a-heading"`) || !strings.Contains(text, "1,000") {
		t.Errorf("the search does not know the page a/one.html: %.300s", text)
	}
	if text := all[indexFile]; !strings.Contains(text, "broken, of 100") || !strings.Contains(text, "lockstorm run kleppmann/gc-pause") {
		t.Error("the first page has no results")
	}
	if !strings.Contains(all[settingsFile], "A whole file") || !strings.Contains(all[settingsFile], "when c1 read pause c1 for 15s") {
		t.Error("the page of settings shows no file")
	}
}
