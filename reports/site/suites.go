package site

import (
	"slices"
	"strings"

	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
	"github.com/lockstorm/lockstorm/reports/suites"
)

// A Suite is a suite and the name of the file that it was read from.
type Suite struct {
	Name string
	*suites.Suite
}

// suites adds a page for each suite, with the suite as CSV and JSON beside it. An entry leads to the run that its command
// repeats, where a store has that.
func (b *builder) suites() {
	taken := map[string]int{}
	for _, s := range b.Suites {
		link := named("suites/", strings.TrimSuffix(s.Name, ".json"), taken)
		name := link.To
		link.To += ".html"
		b.tests = append(b.tests, link)
		d := s.Document()
		d.Title += ": " + link.Text
		d.Foot = "Run by Lockstorm " + wording.Plain(s.Lockstorm) + ". Made by Lockstorm " + b.Version + "."
		line := b.numbers(&page{link.To, d}, name)
		for i, e := range s.Entries() {
			if run := b.runs[wording.Plain(e.Command)]; run != "" {
				leads(d.Rows.Rows[i], e, relative(link.To, run))
			}
		}
		rows := slices.IndexFunc(d.Blocks, func(b reports.Block) bool { return b.Kind == "rows" })
		d.Blocks[rows].Label = d.Title
		d.Blocks = slices.Insert(d.Blocks, rows+1, line...)
		b.add(link.To, d)
	}
}

// leads makes the name of an entry, in whichever cell of its row it stands, lead to a run.
func leads(row []reports.Cell, e suites.Entry, run string) {
	for c := range row {
		if row[c].Text == e.Title || strings.HasSuffix(row[c].Text, " "+e.Title) {
			row[c].Link = run
			return
		}
	}
}
