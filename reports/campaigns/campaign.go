package campaigns

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/reports/layout"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// Tally is many runs as JSON: what --runs N --format json prints.
type Tally struct {
	SchemaVersion int       `json:"schema_version"`
	Lockstorm     string    `json:"lockstorm"`
	Scenario      string    `json:"scenario"`
	Seed          uint64    `json:"seed"` // the first
	Runs          int       `json:"runs"`
	Settings      []string  `json:"settings"`
	Verdict       string    `json:"verdict"` // the worst
	Pass          int       `json:"pass"`
	Fail          int       `json:"fail"`
	Unknown       int       `json:"unknown"`
	Properties    []Counted `json:"properties"`
	Sometimes     []Counted `json:"sometimes"`
	Unexpected    []uint64  `json:"unexpected"` // the seeds of the runs that did not pass
	Kept          int       `json:"kept"`       // how many of them are in the store
	Command       string    `json:"command,omitempty"`
}

// Counted is how often a property had each verdict.
type Counted struct {
	Name     string `json:"name"`
	Expect   string `json:"expect"`
	Holds    int    `json:"holds"`
	Violated int    `json:"violated"`
	Unknown  int    `json:"unknown"`
}

// NewTally gives a tally as JSON data.
func NewTally(s *scenarios.Scenario, first uint64, t campaign.Tally) Tally {
	m := Tally{
		SchemaVersion: layout.SchemaVersion, Scenario: s.ID, Seed: first, Runs: t.Runs, Settings: []string{},
		Verdict: t.Worst.String(), Pass: t.Verdicts[scenarios.Pass], Fail: t.Verdicts[scenarios.Fail],
		Unknown: t.Verdicts[scenarios.Unknown], Properties: []Counted{}, Sometimes: []Counted{},
		Unexpected: append([]uint64{}, t.Unexpected...),
	}
	for _, c := range t.Properties {
		m.Properties = append(m.Properties, counted(c, s.Expected(c.Name)))
	}
	for _, c := range t.Sometimes {
		m.Sometimes = append(m.Sometimes, counted(c, checker.Holds))
	}
	return m
}

func counted(c campaign.Count, want checker.Verdict) Counted {
	return Counted{
		Name: c.Name, Expect: want.String(), Holds: c.Verdicts[checker.Holds],
		Violated: c.Verdicts[checker.Violated], Unknown: c.Verdicts[checker.Unknown],
	}
}

// TallySummary says in one line how many runs went as expected.
func TallySummary(m Tally) string {
	return fmt.Sprintf("%s: %s, seeds %d to %d: %d as expected, %d not, %d unknown.", strings.ToUpper(m.Verdict), layout.Plain(m.Scenario),
		m.Seed, m.Seed+uint64(m.Runs)-1, m.Pass, m.Fail, m.Unknown)
}

// TallyText tells many runs: how often each property had each verdict, and which seeds went otherwise than expected.
func TallyText(s layout.Screen, m Tally) string {
	var b strings.Builder
	b.WriteString(s.Hang("", layout.BoldInk, fmt.Sprintf("%s, %d %s from seed %d", layout.Plain(m.Scenario), m.Runs, layout.Either(m.Runs, "run", "runs"), m.Seed), s.LineWidth()))
	b.WriteString("\n" + countedProperties(s, m) + "\n" + countedSometimes(s, m))
	b.WriteString("\n" + s.VerdictLine(TallySummary(m)))
	if n := len(m.Unexpected); n > 0 {
		b.WriteString(s.Hang("", layout.NoInk, "Not as expected: "+layout.Either(n, "seed ", "seeds ")+seeds(m.Unexpected)+".", s.LineWidth()))
		if m.Kept > 0 {
			b.WriteString(s.Hang("", layout.NoInk, fmt.Sprintf("In the store: the first %d of them.", m.Kept), s.LineWidth()))
		}
		b.WriteString(s.Command("See the first: ", m.Command))
	}
	return b.String()
}

// countedProperties is the table of properties. What broke in any run stands out.
func countedProperties(s layout.Screen, m Tally) string {
	var rows [][]string
	for _, c := range m.Properties {
		right := map[string]int{"holds": c.Holds, "violated": c.Violated, "unknown": c.Unknown}[c.Expect]
		rows = append(rows, []string{c.Name, c.Expect, count(s, layout.GreenInk, c.Holds), count(s, layout.RedInk, c.Violated), count(s, layout.YellowInk, c.Unknown), differing(s, right != m.Runs)})
	}
	return s.Grid([]string{"property", "expected", "holds", "violated", "unknown", ""}, rows)
}

func countedSometimes(s layout.Screen, m Tally) string {
	var rows [][]string
	for _, c := range m.Sometimes {
		rows = append(rows, []string{c.Name, count(s, layout.NoInk, c.Holds), count(s, layout.RedInk, c.Violated), count(s, layout.YellowInk, c.Unknown), differing(s, c.Holds != m.Runs)})
	}
	return s.Grid([]string{"should happen", "happened", "never", "unknown", ""}, rows)
}

// count gives a count: in its colour, but for none, which is faint.
func count(s layout.Screen, with layout.Ink, n int) string {
	if n == 0 {
		with = layout.FaintInk
	}
	return s.Paint(with, strconv.Itoa(n))
}

// differing is the mark in a table's last column.
func differing(s layout.Screen, yes bool) string {
	return s.Marked(strings.TrimSpace(layout.Differs(yes)))
}

// seeds lists the first few seeds.
func seeds(all []uint64) string {
	words := make([]string, len(all))
	for i, s := range all {
		words[i] = strconv.FormatUint(s, 10)
	}
	return layout.Few(words, 10, ", ")
}
