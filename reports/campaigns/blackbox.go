package campaigns

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/scenarios/campaign/study"
)

// A BlackBox is how much of what breaks in true time a black box sees, as JSON.
type BlackBox struct {
	SchemaVersion int                      `json:"schema_version"`
	Lockstorm     string                   `json:"lockstorm"`
	Name          string                   `json:"name"`
	Seed          uint64                   `json:"seed"` // the first of each line
	Runs          int                      `json:"runs"` // of each line
	Views         []string                 `json:"views"`
	Reasons       []string                 `json:"reasons"`
	All           campaign.BlackBoxCount   `json:"all"`
	Lines         []campaign.BlackBoxCount `json:"lines"`

	study *study.Study
}

// NewBlackBox returns the counts as JSON data.
func NewBlackBox(s *study.Study, g *campaign.BlackBoxTable) BlackBox {
	x := BlackBox{
		SchemaVersion: reports.SchemaVersion, Name: s.Name, Seed: s.Seed, Runs: s.Runs, Reasons: campaign.Reasons[:], study: s,
	}
	for _, name := range scenarios.Judged()[len(checker.Properties):] {
		x.Views = append(x.Views, strings.TrimPrefix(name, scenarios.BlackBox+"."))
	}
	whole := g.Whole()
	x.All = whole.Named("")
	for i := range g.Cells {
		line, value := s.Place(i)
		name := strings.TrimSpace(s.Lines[line].Name + " " + s.X.Points[value])
		x.Lines = append(x.Lines, g.Cells[i].Named(name))
	}
	return x
}

// Document returns the counts: a row for each promise, and one for each promise that a scenario breaks.
func (x *BlackBox) Document() *reports.Document {
	d := &reports.Document{Title: x.study.Title, Data: x}
	d.Paragraph(fmt.Sprintf("%s Here are %s of %s, from seed %d.", x.study.About, wording.Count(x.Runs, "run", "runs"),
		of(len(x.Lines)), x.Seed))
	every := &reports.Table{Columns: x.columns("promise")}
	x.rows(every, "", &x.All)
	d.Table("", every)
	why := &reports.Table{Columns: reports.Columns(append([]string{"promise", "nearest view", "missed"}, x.Reasons...)...)}
	for k := 2; k < len(why.Columns); k++ {
		why.Columns[k].Kind = "number"
	}
	for i := range x.All.Promises {
		n := &x.All.Promises[i]
		missed := 0
		for _, times := range n.Why {
			missed += times
		}
		why.Add(append([]string{n.Promise, wording.Dash(n.Asks), wording.Share(missed, n.Broken)}, counts(n.Why)...)...)
	}
	d.Table("Why the view that asks nearest to a promise misses it, in how many runs:", why)
	if len(x.Lines) > 1 {
		each := &reports.Table{Columns: append(reports.Columns("scenario"), x.columns("promise")...)}
		for i := range x.Lines {
			x.rows(each, x.Lines[i].Line, &x.Lines[i])
		}
		d.Table("Line by line:", each)
	}
	var names []string
	for i := range x.All.Promises {
		names = append(names, x.All.Promises[i].Promise)
	}
	d.Glosses(0, names...)
	return d
}

func of(scenarios int) string {
	if scenarios == 1 {
		return "one scenario"
	}
	return "each of " + strconv.Itoa(scenarios) + " scenarios"
}

func (x *BlackBox) columns(first string) []reports.Column {
	heads := append([]string{first, "runs"}, x.Views...)
	all := reports.Columns(append(heads, "no view")...)
	for k := 1; k < len(all); k++ {
		all[k].Kind = "number"
	}
	return all
}

// rows adds a row for each promise that broke, and one for the runs in which none did, if a view is violated there.
func (x *BlackBox) rows(t *reports.Table, line string, o *campaign.BlackBoxCount) {
	add := func(name string, n *campaign.Seen) {
		cells := append([]string{name, wording.Share(n.Broken, o.Runs)}, counts(n.Views)...)
		cells = append(cells, strconv.Itoa(n.Nothing))
		if line != "" {
			cells = append([]string{line}, cells...)
		}
		t.Add(cells...)
	}
	for i := range o.Promises {
		add(o.Promises[i].Promise, &o.Promises[i])
	}
	if o.Kept.Nothing < o.Kept.Broken {
		add("none broke", &o.Kept)
	}
}

func counts(all []int) (cells []string) {
	for _, n := range all {
		cells = append(cells, strconv.Itoa(n))
	}
	return cells
}
