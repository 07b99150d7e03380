package paper

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
	"github.com/lockstorm/lockstorm/scenarios"
)

// List returns the items as a table.
func List(items []Item) *reports.Document {
	d := &reports.Document{Title: "What can be made again", Data: items}
	t := &reports.Table{Columns: reports.Columns("item", "kind", "page", "core-seconds", "command")}
	for _, i := range items {
		cost := "-"
		if i.Cost > 0 {
			cost = fmt.Sprintf("%.0f", i.Cost)
		}
		t.Add(i.Name, string(i.Kind), cmp.Or(i.Page, "-"), cost, strings.Join(i.Command, " "))
	}
	d.Table("", t)
	return d
}

// Verdict is Fail if something differs or failed, and Unknown if something was not made, or not as often as the pages say.
func Verdict(all []Result) (v scenarios.Verdict) {
	v = scenarios.Pass
	for _, r := range all {
		switch r.State {
		case Differs, Failed:
			return scenarios.Fail
		case Left, Tried:
			v = scenarios.Unknown
		}
	}
	return v
}

// Report returns the outcome of the items as a table, with the first lines of each difference below it.
func Report(all []Result) *reports.Document {
	d := &reports.Document{Title: "Every table and figure, made again", Data: all}
	t := &reports.Table{Columns: reports.Columns("item", "page", "state", "seconds", "core-seconds")}
	var notes []string
	cores := 0.0
	counts := map[State]int{}
	for _, r := range all {
		counts[r.State]++
		cores += r.Cores
		t.Add(r.Name, cmp.Or(r.Page, "-"), string(r.State), fmt.Sprintf("%.1f", r.Seconds), fmt.Sprintf("%.1f", r.Cores))
		if r.Difference != "" {
			notes = append(notes, r.Name+" "+string(r.State)+", "+r.Difference)
		}
	}
	var parts []string
	for _, c := range []struct {
		state State
		words string
	}{{Same, "as committed"}, {Differs, "not"}, {New, "with nothing committed to compare"},
		{Tried, "tried with other numbers of runs, which is no comparison"}, {Failed, "failed"}, {Left, "left"}} {
		if n := counts[c.state]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, c.words))
		}
	}
	d.Summary = fmt.Sprintf("%s: %s: %s; %.2f core-hours.", strings.ToUpper(Verdict(all).String()),
		wording.Count(len(all), "item", "items"), strings.Join(parts, ", "), cores/3600)
	d.Table("", t)
	for i, n := range append(notes, d.Summary) {
		d.Add(reports.Block{Kind: "remark", Words: reports.Words(n), Close: i > 0})
	}
	return d
}
