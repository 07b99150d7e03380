package campaigns

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
	"github.com/lockstorm/lockstorm/scenarios/campaign/stats"
	"github.com/lockstorm/lockstorm/scenarios/campaign/study"
)

// A summary of a study is for choosing: one row a line, and in it the values at which its promises broke.

// StudySummary reports at which values, or under which faults, each promise of a line broke: on pages a table with a row for each
// line, on a screen a table for each.
func StudySummary(r *study.Result) *reports.Document {
	x := &studied{r, r.Study()}
	d := x.document()
	d.Paragraph(fmt.Sprintf("Which %s broke which promise of each line, the most harmful first: in how many per cent of %s, from "+
		"seed %d. %s", x.study.X.Label, wording.Count(x.Runs, "run", "runs"), x.Seed, x.study.About))
	d.Add(reports.Block{Kind: "rows", Table: x.byLine(), In: reports.Marked | reports.Page})
	for i, l := range x.Lines {
		d.Add(reports.Block{Words: reports.Words(l.Name + ": " + l.About + wording.TokensFrom(l.Tokens)),
			In: reports.Terminal})
		d.Add(reports.Block{Kind: "rows", Table: x.byPromise(i), In: reports.Terminal, Close: true})
	}
	d.Add(reports.Block{Words: reports.Words("In parentheses: the interval at 95% (Clopper and Pearson)."), In: reports.Terminal})
	d.Paragraph(x.summaryFoot())
	x.describeColumns(d, &reports.Table{Bare: true, Columns: []reports.Column{{Head: "faults"}, {Head: "what happens", Kind: "prose"}}})
	var names []string
	for _, m := range x.study.Measures(0) {
		names = append(names, m.Name)
	}
	d.Glosses(0, names...)
	return d
}

// byPromise returns what broke each promise of a line, and which it kept.
func (x *studied) byPromise(line int) *reports.Table {
	t := &reports.Table{Bare: true, Columns: []reports.Column{{Head: "promise"}, {Head: "broken by", Kind: "prose"}}}
	var kept []string
	for k, m := range x.study.Measures(line) {
		if broken := x.broken(line, k, withInterval); broken != "" {
			t.Add(m.Name, broken)
		} else {
			kept = append(kept, m.Name)
		}
	}
	if len(kept) > 0 {
		t.Add("keeps", strings.Join(kept, ", "))
	}
	return t
}

// byLine returns what broke each promise, with a row for each line. The intervals are in the CSV.
func (x *studied) byLine() *reports.Table {
	t := &reports.Table{Columns: reports.Columns("lock")}
	for _, m := range x.study.Measures(0) {
		t.Columns = append(t.Columns, reports.Column{Head: m.Name})
	}
	for i, l := range x.Lines {
		row := []string{l.Name}
		for k := range x.measures() {
			row = append(row, orDash(x.broken(i, k, perCent)))
		}
		t.Add(row...)
	}
	return t
}

func orDash(text string) string {
	if text == "" {
		return "–"
	}
	return text
}

// summaryFoot explains what it means that a class of faults is not named.
func (x *studied) summaryFoot() string {
	text := fmt.Sprintf("What is not named never broke it: below %s of the runs at 95%% (Clopper and Pearson).",
		stats.Percent(stats.ClopperPearson(0, x.Runs, stats.Confidence).High))
	if slices.ContainsFunc(x.Cells, func(c study.Outcome) bool { return c.Unknown > 0 || c.Runs == 0 }) {
		text += " A ? means that runs were cut short or are missing."
	}
	return text + counterNote
}

// broken names the values at which a promise of a line broke, with the share of runs as text. Where no fault is needed there is nothing
// to be learnt from the others, and where one class suffices there is nothing to be learnt from all of them together.
func (x *studied) broken(line, k int, share func(*study.Outcome) string) string {
	var broke []*study.Outcome
	unsure := false
	for i := range x.study.X.Points {
		c := x.At(line, i, k)
		unsure = unsure || c.Unknown > 0 || c.Runs == 0
		switch {
		case c.Violated == 0:
		case len(x.Columns) > 0 && len(x.Columns[i].Classes) == 0:
			return "without a fault " + share(c)
		case len(x.Columns) == 0 || x.Columns[i].Name != "all" || len(broke) == 0:
			broke = append(broke, c)
		}
	}
	slices.SortStableFunc(broke, func(a, b *study.Outcome) int { return b.Violated*a.Runs - a.Violated*b.Runs })
	var names []string
	for _, c := range broke {
		names = append(names, c.Value+" "+share(c))
	}
	if unsure {
		names = append(names, "?")
	}
	return strings.Join(names, "; ")
}

// perCent returns the share of runs in per cent, to a tenth where it is small.
func perCent(c *study.Outcome) string { return c.Count().PerCent(decimals(c)) }

func decimals(c *study.Outcome) int {
	if c.Count().Share() < 0.1 {
		return 1
	}
	return 0
}

// withInterval returns the share of runs in per cent with its interval.
func withInterval(c *study.Outcome) string {
	w, n := c.Count().Exact(), decimals(c)
	return fmt.Sprintf("%s (%.*f–%.*f)", perCent(c), n, 100*w.Low, n, 100*w.High)
}
