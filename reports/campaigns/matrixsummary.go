package campaigns

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
	"github.com/lockstorm/lockstorm/scenarios/campaign/stats"
)

// A summary of a matrix is for choosing a lock: one row a lock, and in it the classes of faults that broke it.

// Summary returns which classes of faults broke which promise of each lock: on pages a table with a row for each lock, on a
// screen a table for each.
func (x *Matrix) Summary() *reports.Document {
	d := x.document()
	d.Paragraph(x.summaryHead())
	d.Add(reports.Block{Kind: "rows", Table: x.byLock(), In: reports.Marked | reports.Page})
	for i, l := range x.Locks {
		d.Add(reports.Block{Words: reports.Words(l.Name + ": " + l.About + tokensClause(l.Tokens)),
			In: reports.Terminal})
		d.Add(reports.Block{Kind: "rows", Table: x.byPromise(i), In: reports.Terminal, Close: true})
	}
	d.Paragraph(x.summaryFoot())
	d.Table(columnsHead, x.classes())
	d.Glosses(0, x.Properties...)
	return d
}

// byPromise returns what broke each promise of a lock, and which it kept.
func (x *Matrix) byPromise(lock int) *reports.Table {
	t := &reports.Table{Bare: true, Columns: []reports.Column{{Head: "promise"}, {Head: "broken by", Kind: "prose"}}}
	var kept []string
	for j, name := range x.Properties {
		if broken := x.broken(lock, j); broken != "" {
			t.Add(name, broken)
		} else {
			kept = append(kept, name)
		}
	}
	if len(kept) > 0 {
		t.Add("keeps", strings.Join(kept, ", "))
	}
	return t
}

// byLock returns what broke each promise, with a row for each lock.
func (x *Matrix) byLock() *reports.Table {
	t := &reports.Table{Columns: reports.Columns(append([]string{"lock", "tokens from"}, x.Properties...)...)}
	for i, l := range x.Locks {
		row := []string{l.Name, orDash(l.Tokens)}
		for j := range x.Properties {
			row = append(row, orDash(x.broken(i, j)))
		}
		t.Add(row...)
	}
	return t
}

// tokensClause says where tokens come from, behind what a lock is.
func tokensClause(source string) string {
	if source == "" {
		return ""
	}
	return "; tokens from " + source
}

func orDash(text string) string {
	if text == "" {
		return "–"
	}
	return text
}

func (x *Matrix) summaryHead() string {
	return fmt.Sprintf("Which classes of faults broke which promise of each lock, the most harmful first: in how many per cent "+
		"of %s, from seed %d, with the interval at 95 %% (Wilson). Each run draws its own faults, number of clients and nodes, "+
		"and TTL.",
		wording.Count(x.Runs, "run", "runs"), x.Seed)
}

// summaryFoot explains what it means that a class of faults is not named.
func (x *Matrix) summaryFoot() string {
	text := fmt.Sprintf("A class that is not named never broke it: below %s of the runs at 95 %% (Wilson).",
		stats.Percent(stats.Wilson(0, x.Runs, stats.Confidence).High))
	if slices.ContainsFunc(x.Cells, func(c MatrixCell) bool { return c.Unknown > 0 || c.Runs == 0 }) {
		text += " A ? stands where runs were cut short or are not there."
	}
	return text + oracleNote
}

// oracleNote says what an oracle is, wherever the promise fenced may rest on one.
const oracleNote = " Tokens from an oracle are an assumption: it never fails and costs no time, and no system has one. " +
	"Redlock makes none that rise."

// broken names the classes of faults that broke a property of a lock, with the share of runs. Where none is needed there is
// nothing to be learnt from the others, and where one suffices there is nothing to be learnt from all of them together.
func (x *Matrix) broken(lock, property int) string {
	cells := x.row(lock, property)
	var broke []MatrixCell
	unsure := false
	for i, c := range cells {
		unsure = unsure || c.Unknown > 0 || c.Runs == 0
		switch {
		case c.Violated == 0:
		case len(x.Faults[i].Classes) == 0:
			return "even without a fault " + measured(c)
		case i < len(cells)-1 || len(broke) == 0:
			broke = append(broke, c)
		}
	}
	slices.SortStableFunc(broke, func(a, b MatrixCell) int { return b.Violated*a.Runs - a.Violated*b.Runs })
	var names []string
	for _, c := range broke {
		names = append(names, c.Fault+" "+measured(c))
	}
	if unsure {
		names = append(names, "?")
	}
	return strings.Join(names, " · ")
}

// measured returns the share of runs in per cent with its interval, to a tenth where they are small.
func measured(c MatrixCell) string {
	w, decimals := c.Wilson(), 0
	if c.Share() < 0.1 {
		decimals = 1
	}
	return fmt.Sprintf("%s (%.*f–%.*f)", c.PerCent(decimals), decimals, 100*w.Low, decimals, 100*w.High)
}

// row returns what became of one property of one lock, by class of faults. The last is all of them together.
func (x *Matrix) row(lock, property int) []MatrixCell {
	cells := make([]MatrixCell, len(x.Faults))
	for i := range cells {
		cells[i] = x.Cells[(lock*len(x.Faults)+i)*len(x.Properties)+property]
	}
	return cells
}
