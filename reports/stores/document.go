package stores

import (
	"net/url"

	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
	"github.com/lockstorm/lockstorm/reports/runs"
	"github.com/lockstorm/lockstorm/reports/suites"
)

// A Store is what a directory keeps. Places are its directories, with slashes.
type Store struct {
	Suites    []*suites.Suite
	Runs      []Run
	More      int // how many runs were not read, to bound the work
	Campaigns []Campaign
}

// A Run is one that was kept.
type Run struct {
	runs.Run
	Place string
	Page  string // the file of its report; empty if there is none
	Wrong string // why its result can't be read
}

// A Campaign is the rows of many runs, or what a search found.
type Campaign struct {
	Place string
	Page  string
	About string   // its kind and its scenario
	Found []string // files of the smallest scenarios
}

// Document returns the page.
func (s *Store) Document() *reports.Document {
	d := &reports.Document{Title: "Runs and campaigns", Rows: s.runs()}
	d.Summary = wording.Count(len(s.Runs)+s.More, "run", "runs") + ", " + wording.Count(len(s.Campaigns), "campaign", "campaigns")
	for _, suite := range s.Suites {
		of := suite.Document()
		d.Heading(of.Title)
		d.Blocks = append(d.Blocks, of.Blocks...)
	}
	if len(s.Runs) > 0 {
		d.Heading("Runs")
		d.Table("", d.Rows)
	}
	if s.More > 0 {
		d.Paragraph(wording.Count(s.More, "more run is", "more runs are") + " not listed. To see them, name a directory in the store.")
	}
	if len(s.Campaigns) > 0 {
		d.Heading("Campaigns")
		d.Table("", s.campaigns())
	}
	return d
}

// wordsMost is how many promises or settings a row names.
const wordsMost = 20

func (s *Store) runs() *reports.Table {
	t := &reports.Table{Columns: reports.Columns("run", "result", "violated", "not as expected", "changed settings")}
	for _, r := range s.Runs {
		name := reports.Cell{Text: wording.Plain(r.Place), Link: address(r.Page)}
		if r.Wrong != "" {
			t.Rows = append(t.Rows, []reports.Cell{name, {Text: "can't be read: " + wording.Plain(r.Wrong), Ink: reports.RedInk}, {}, {}, {}})
			continue
		}
		var violated, odd []string
		for _, p := range r.Properties {
			if p.Verdict == "violated" {
				violated = append(violated, wording.Plain(p.Name))
			}
			if !p.AsExpected() {
				odd = append(odd, wording.Plain(p.Name))
			}
		}
		t.Rows = append(t.Rows, []reports.Cell{name, {Text: wording.Plain(r.Verdict)},
			{Text: wording.Few(violated, wordsMost, ", ")}, {Text: wording.Few(odd, wordsMost, ", ")},
			{Text: wording.Few(wording.PlainAll(r.Settings), wordsMost, " ")}})
	}
	return t
}

func (s *Store) campaigns() *reports.Table {
	t := &reports.Table{Columns: reports.Columns("campaign", "what it is", "found")}
	for _, c := range s.Campaigns {
		var found []reports.Span
		for _, file := range c.Found {
			found = append(found, reports.Span{Text: wording.Plain(file), Link: address(file)}, reports.Span{Text: " "})
		}
		t.Rows = append(t.Rows, []reports.Cell{{Text: wording.Plain(c.Place), Link: address(c.Page)}, {Text: wording.Plain(c.About)},
			reports.Rich(found...)})
	}
	return t
}

// address returns how a page leads to a file next to it.
func address(file string) string { return (&url.URL{Path: file}).String() }
