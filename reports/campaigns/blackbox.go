package campaigns

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/scenarios/campaign/study"
)

// Views reports what a black box sees: a row for each promise, and one for each promise that a scenario breaks.
func Views(x *study.Views) *reports.Document {
	d := &reports.Document{Title: x.Study().Title, Data: x}
	d.Paragraph(fmt.Sprintf("%s Here are %s of %s, from seed %d.", x.Study().About, wording.Count(x.Runs, "run", "runs"),
		of(len(x.Lines)), x.Seed))
	every := &reports.Table{Columns: viewColumns(x.Views)}
	addViews(every, "", &x.All)
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
		each := &reports.Table{Columns: append(reports.Columns("scenario"), viewColumns(x.Views)...)}
		for i := range x.Lines {
			addViews(each, x.Lines[i].Line, &x.Lines[i])
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

// viewColumns returns the columns of a table with what each view sees of each promise.
func viewColumns(views []string) []reports.Column {
	return reports.Numbers(slices.Concat([]string{"promise", "runs"}, views, []string{"no view"})...)
}

// addViews adds a row for each promise that broke, and one for the runs in which none did, if a view is violated there.
func addViews(t *reports.Table, line string, o *campaign.BlackBoxCount) {
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
