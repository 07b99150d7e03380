package campaigns

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// tallySummary returns one line that says how many runs went as expected.
func tallySummary(m *campaign.Tally) string {
	return fmt.Sprintf("%s: %s, seeds %d to %d: %d as expected, %d not, %d unknown.", strings.ToUpper(m.Verdict.String()),
		wording.Plain(m.Scenario),
		m.Seed, m.Seed+uint64(m.Runs)-1, m.Pass, m.Fail, m.Unknown)
}

// Tally reports how often each property had each verdict, and which seeds went otherwise than expected. A note says
// what the runs of the scenario can't prove; it may be empty.
func Tally(m *campaign.Tally, note string) *reports.Document {
	d := &reports.Document{Data: m, Summary: tallySummary(m)}
	d.Headline(fmt.Sprintf("%s, %s from seed %d", wording.Plain(m.Scenario), wording.Count(m.Runs, "run", "runs"), m.Seed))
	d.Table("", properties(m))
	if len(m.BlackBox) > 0 {
		d.Table("What a linearizability checker sees, which has only the clients' operations:", views(m))
	}
	d.Table("", sometimes(m))
	d.Note(note)
	var names []string
	for _, c := range m.Properties {
		names = append(names, c.Name)
	}
	d.Verdict(tallySummary(m))
	if n := len(m.Unexpected); n > 0 {
		d.Note("Not as expected: " + wording.Either(n, "seed ", "seeds ") + seeds(m.Unexpected) + ".")
		if m.Kept > 0 {
			d.Note(fmt.Sprintf("In the store: the first %d of them.", m.Kept))
		}
		d.Command("See the first:", m.Command)
	}
	d.Glosses(reports.Page, names...)
	return d
}

func properties(m *campaign.Tally) *reports.Table {
	t := &reports.Table{Columns: reports.Columns("property", "expected", "holds", "violated", "unknown", checker.Untested, "")}
	for _, c := range m.Properties {
		right := c.AsExpected()
		t.Rows = append(t.Rows, []reports.Cell{{Text: c.Name, Strong: right != m.Runs}, {Text: c.Expect.String()},
			count(reports.GreenInk, c.Holds), broken(c.Violated, &c.Expect), count(reports.YellowInk, c.Unknown),
			count("", c.Untested), differing(right != m.Runs)})
	}
	return t
}

func views(m *campaign.Tally) *reports.Table {
	t := &reports.Table{Columns: reports.Columns("view", "expected", "holds", "violated", "unknown", "")}
	for i := range m.BlackBox {
		v, want, odd := &m.BlackBox[i], "", false
		if v.Expect != nil {
			want, odd = v.Expect.String(), v.With(*v.Expect) != m.Runs
		}
		t.Rows = append(t.Rows, []reports.Cell{{Text: v.Name(), Strong: odd}, {Text: want},
			count(reports.GreenInk, v.Holds), broken(v.Violated, v.Expect), count(reports.YellowInk, v.Unknown), differing(odd)})
	}
	return t
}

func sometimes(m *campaign.Tally) *reports.Table {
	t := &reports.Table{Columns: reports.Columns("should happen", "happened", "never", "unknown", "")}
	for _, c := range m.Sometimes {
		t.Rows = append(t.Rows, []reports.Cell{{Text: c.Name, Strong: c.Holds != m.Runs},
			count("", c.Holds), count(reports.RedInk, c.Violated), count(reports.YellowInk, c.Unknown),
			differing(c.Holds != m.Runs)})
	}
	return t
}

// count returns a count in its colour; none is faint.
func count(with reports.Ink, n int) reports.Cell {
	if n == 0 {
		with = reports.FaintInk
	}
	return reports.Cell{Text: strconv.Itoa(n), Ink: with}
}

// broken returns in how many runs something broke. That is no alarm on a page if the scenario expects it, or says
// nothing about it.
func broken(n int, want *checker.Verdict) reports.Cell {
	c := count(reports.RedInk, n)
	switch {
	case n == 0:
	case want == nil:
		c.Class = "plain"
	default:
		c.Class = wording.ClassOf(checker.Violated, *want)
	}
	return c
}

// differing returns the mark in a table's last column.
func differing(yes bool) reports.Cell {
	return reports.Cell{Text: wording.DiffersIf(yes), Ink: reports.RedInk}
}

// seeds lists the first few seeds.
func seeds(all []uint64) string {
	words := make([]string, len(all))
	for i, s := range all {
		words[i] = strconv.FormatUint(s, 10)
	}
	return wording.Few(words, 10, ", ")
}
