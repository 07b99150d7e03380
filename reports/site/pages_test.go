package site

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/reports"
)

// The search finds what a page shows, part by part: tables by their cells, no empty words, and nothing that only other
// formats have.
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

// Every page is listed, and can be searched; the first has some results, and the page of settings shows a whole file.
func TestEachPageIsListed(t *testing.T) {
	all := made(t, Site{Documents: documents()})
	for name := range all { // order: they are independent
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

// A reader who follows the menu or the list on the first page arrives at a page with that title.
func TestTheMenuNamesPagesByTheirTitles(t *testing.T) {
	references := made(t, Site{Documents: documents()})
	for _, shelf := range menu {
		for _, l := range shelf.Links {
			if page, is := references[l.To]; is {
				if want := "<h1><bdi>" + l.Text + "</bdi></h1>"; !strings.Contains(page, want) {
					t.Errorf("%s has no %s", l.To, want)
				}
				continue
			}
			text, err := os.ReadFile("../../" + strings.TrimSuffix(l.To, ".html") + ".md")
			switch {
			case errors.Is(err, fs.ErrNotExist): // what a site has without a document, such as the playground
			case err != nil:
				t.Error(err)
			case l.To != "README.html" && !strings.HasPrefix(string(text), "# "+l.Text+"\n"):
				t.Errorf("the menu calls %s %q, and its title is another", l.To, l.Text)
			}
		}
	}
}

// The first page says what one can do before it shows a run.
func TestFirstPageBeginsWithWhatToDo(t *testing.T) {
	all := made(t, Site{Engine: []byte("e"), Support: []byte("s"), Debate: &reports.Document{Title: "D"}, Documents: append(documents(),
		reports.File{Name: "README.md", Content: []byte("# R\n")}, reports.File{Name: "scenarios/locktest/README.md", Content: []byte("# L\n")})})
	head, _, _ := strings.Cut(all[indexFile], "A run that loses an update")
	for _, want := range []string{`href="playground.html"><strong>Play`, `href="scenarios/locktest/README.html"><strong>Test your lock`,
		`href="README.html#use-it-in-ci"><strong>Run it in CI`, `href="debate.html"><strong>Read the debate`} {
		if _, main, _ := strings.Cut(head, "<main"); !strings.Contains(main, want) {
			t.Errorf("above the run there is no %s", want)
		}
	}
}

// A link whose words continue on another line is one link, without an empty one between.
func TestALinkOverTwoLinesIsOne(t *testing.T) {
	d, err := parse("x.md", []byte("# A\n\nSee [what they\nfound](https://example.org), and\nmore.\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := []reports.Span{{Text: "See "}, {Text: "what they found", Link: "https://example.org"}, {Text: ", and more."}}
	if got := d.Blocks[0].Words; !slices.Equal(got, want) {
		t.Errorf("it is %+v", got)
	}
}
