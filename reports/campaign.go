package reports

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// Many is many runs as JSON: what --runs N --format json prints.
type Many struct {
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

// Campaign gives a tally as JSON data.
func Campaign(s *scenarios.Scenario, first uint64, t campaign.Tally) Many {
	m := Many{
		SchemaVersion: SchemaVersion, Scenario: s.ID, Seed: first, Runs: t.Runs, Settings: []string{},
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

// CampaignSummary says in one line how many runs went as expected.
func CampaignSummary(m Many) string {
	return fmt.Sprintf("%s: %s, seeds %d to %d: %d as expected, %d not, %d unknown.", strings.ToUpper(m.Verdict), plain(m.Scenario),
		m.Seed, m.Seed+uint64(m.Runs)-1, m.Pass, m.Fail, m.Unknown)
}

// CampaignText tells many runs as a file has it: see Screen.Campaign.
func CampaignText(m Many) string { return Screen{}.Campaign(m) }

// Campaign tells many runs: how often each property had each verdict, and which seeds went otherwise than expected.
func (s Screen) Campaign(m Many) string {
	var b strings.Builder
	b.WriteString(s.hang("", boldInk, fmt.Sprintf("%s, %d %s from seed %d", plain(m.Scenario), m.Runs, either(m.Runs, "run", "runs"), m.Seed), s.width()))
	b.WriteString("\n" + s.countedProperties(m) + "\n" + s.countedSometimes(m))
	b.WriteString("\n" + s.verdictLine(CampaignSummary(m)))
	if n := len(m.Unexpected); n > 0 {
		b.WriteString(s.hang("", noInk, "Not as expected: "+either(n, "seed ", "seeds ")+seeds(m.Unexpected)+".", s.width()))
		if m.Kept > 0 {
			b.WriteString(s.hang("", noInk, fmt.Sprintf("In the store: the first %d of them.", m.Kept), s.width()))
		}
		b.WriteString(s.command("See the first: ", m.Command))
	}
	return b.String()
}

// countedProperties is the table of properties. What broke in any run stands out.
func (s Screen) countedProperties(m Many) string {
	var rows [][]string
	for _, c := range m.Properties {
		right := map[string]int{"holds": c.Holds, "violated": c.Violated, "unknown": c.Unknown}[c.Expect]
		rows = append(rows, []string{c.Name, c.Expect, s.count(greenInk, c.Holds), s.count(redInk, c.Violated), s.count(yellowInk, c.Unknown), s.differing(right != m.Runs)})
	}
	return s.grid([]string{"property", "expected", "holds", "violated", "unknown", ""}, rows)
}

func (s Screen) countedSometimes(m Many) string {
	var rows [][]string
	for _, c := range m.Sometimes {
		rows = append(rows, []string{c.Name, s.count(noInk, c.Holds), s.count(redInk, c.Violated), s.count(yellowInk, c.Unknown), s.differing(c.Holds != m.Runs)})
	}
	return s.grid([]string{"should happen", "happened", "never", "unknown", ""}, rows)
}

// count gives a count: in its colour, but for none, which is faint.
func (s Screen) count(with ink, n int) string {
	if n == 0 {
		with = faintInk
	}
	return s.paint(with, strconv.Itoa(n))
}

// differing is the mark in a table's last column.
func (s Screen) differing(yes bool) string { return s.marked(strings.TrimSpace(differs(yes))) }

// seeds lists the first few seeds.
func seeds(all []uint64) string {
	words := make([]string, len(all))
	for i, s := range all {
		words[i] = strconv.FormatUint(s, 10)
	}
	return few(words, 10, ", ")
}
