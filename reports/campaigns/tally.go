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
	"github.com/lockstorm/lockstorm/scenarios/campaign/stats"
)

// Tally is many runs as JSON: what --runs N --format json prints.
type Tally struct {
	SchemaVersion int               `json:"schema_version"`
	Lockstorm     string            `json:"lockstorm"`
	Scenario      string            `json:"scenario"`
	Seed          uint64            `json:"seed"` // the first
	Runs          int               `json:"runs"`
	Settings      []string          `json:"settings"`
	Tokens        string            `json:"tokens_from"` // where fencing tokens come from; empty where there are none
	Verdict       scenarios.Verdict `json:"verdict"`     // the worst
	Pass          int               `json:"pass"`
	Fail          int               `json:"fail"`
	Unknown       int               `json:"unknown"`
	Properties    []Counted         `json:"properties"`
	BlackBox      []View            `json:"black_box"`
	Sometimes     []Counted         `json:"sometimes"`
	Unexpected    []uint64          `json:"unexpected"` // the seeds of the runs that did not pass
	Kept          int               `json:"kept"`       // how many of them are in the store
	Command       string            `json:"command,omitempty"`
	note          string            // the same of tokens as a sentence
}

// Counted is how often a property had each verdict.
type Counted struct {
	Name   string          `json:"name"`
	Expect checker.Verdict `json:"expect"`
	Holds  int             `json:"holds"`
	stats.Count
	Untested int `json:"untested,omitempty"` // runs that nothing could break it in; holds does not count them
}

// A View is how often a linearizability checker, which has only the clients' operations, had each verdict by one model.
type View struct {
	Model  string           `json:"model"`
	Expect *checker.Verdict `json:"expect,omitempty"` // if the scenario names it
	Holds  int              `json:"holds"`
	stats.Count
}

// Name is the view's name in scenario files and next to the promises.
func (v *View) Name() string { return scenarios.BlackBox + "." + v.Model }

// Views returns views as JSON data, without what is expected of them.
func Views(counted []campaign.Frequency) []View {
	all := []View{}
	for _, c := range counted {
		all = append(all, View{Model: strings.TrimPrefix(c.Name, scenarios.BlackBox+"."), Holds: c.Holds(), Count: c.Count})
	}
	return all
}

// Words returns in how many runs the view had each verdict; of one run, its verdict.
func (v *View) Words() string {
	if v.Runs == 1 {
		return v.Verdict().String()
	}
	var parts []string
	for _, verdict := range []checker.Verdict{checker.Violated, checker.Unknown, checker.Holds} {
		if n := v.With(verdict); n > 0 {
			parts = append(parts, fmt.Sprintf("%s in %d", verdict, n))
		}
	}
	return wording.List(parts) + " of " + wording.Count(v.Runs, "run", "runs")
}

// Watched returns what the scenario expects something of: the promises, and the views that it names.
func (m *Tally) Watched() []Counted {
	all := m.Properties[:len(m.Properties):len(m.Properties)]
	for i := range m.BlackBox {
		if v := &m.BlackBox[i]; v.Expect != nil {
			all = append(all, Counted{Name: v.Name(), Expect: *v.Expect, Holds: v.Holds, Count: v.Count})
		}
	}
	return all
}

// NewTally returns a tally as JSON data.
func NewTally(s *scenarios.Scenario, first uint64, t campaign.Tally) Tally {
	m := Tally{
		SchemaVersion: reports.SchemaVersion, Scenario: s.ID, Seed: first, Runs: t.Runs, Settings: []string{}, Tokens: s.TokensFrom(),
		note:    s.ProofNote(),
		Verdict: t.Worst, Pass: t.Verdicts[scenarios.Pass], Fail: t.Verdicts[scenarios.Fail],
		Unknown: t.Verdicts[scenarios.Unknown], Properties: []Counted{}, Sometimes: []Counted{},
		Unexpected: append([]uint64{}, t.Unexpected...),
	}
	for _, c := range t.Properties {
		m.Properties = append(m.Properties, counted(c, s.Expected(c.Name)))
	}
	m.BlackBox = Views(t.Views)
	for i := range m.BlackBox {
		if want, named := s.ExpectedView(m.BlackBox[i].Model); named {
			m.BlackBox[i].Expect = &want
		}
	}
	for _, c := range t.Sometimes {
		m.Sometimes = append(m.Sometimes, counted(c, checker.Holds))
	}
	return m
}

func counted(c campaign.Frequency, want checker.Verdict) Counted {
	return Counted{Name: c.Name, Expect: want, Holds: c.Holds() - c.Untested, Count: c.Count, Untested: c.Untested}
}

// AsExpected returns the number of runs with the verdict that was expected. Unknown expects nothing.
func (c *Counted) AsExpected() int {
	if c.Expect == checker.Unknown {
		return c.Runs
	}
	return c.With(c.Expect)
}

// tallySummary returns one line that says how many runs went as expected.
func tallySummary(m Tally) string {
	return fmt.Sprintf("%s: %s, seeds %d to %d: %d as expected, %d not, %d unknown.", strings.ToUpper(m.Verdict.String()),
		wording.Plain(m.Scenario),
		m.Seed, m.Seed+uint64(m.Runs)-1, m.Pass, m.Fail, m.Unknown)
}

// Document returns how often each property had each verdict, and which seeds went otherwise than expected.
func (m *Tally) Document() *reports.Document {
	d := &reports.Document{Data: m, Summary: tallySummary(*m)}
	d.Headline(fmt.Sprintf("%s, %s from seed %d", wording.Plain(m.Scenario), wording.Count(m.Runs, "run", "runs"), m.Seed))
	d.Table("", m.properties())
	if len(m.BlackBox) > 0 {
		d.Table("What a linearizability checker sees, which has only the clients' operations:", m.views())
	}
	d.Table("", m.sometimes())
	if m.note != "" {
		d.Note(m.note)
	}
	var names []string
	for _, c := range m.Properties {
		names = append(names, c.Name)
	}
	d.Verdict(tallySummary(*m))
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

func (m *Tally) properties() *reports.Table {
	t := &reports.Table{Columns: reports.Columns("property", "expected", "holds", "violated", "unknown", checker.Untested, "")}
	for _, c := range m.Properties {
		right := c.AsExpected()
		t.Rows = append(t.Rows, []reports.Cell{{Text: c.Name, Strong: right != m.Runs}, {Text: c.Expect.String()},
			count(reports.GreenInk, c.Holds), broken(c.Violated, &c.Expect), count(reports.YellowInk, c.Unknown),
			count("", c.Untested), differing(right != m.Runs)})
	}
	return t
}

func (m *Tally) views() *reports.Table {
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

func (m *Tally) sometimes() *reports.Table {
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
