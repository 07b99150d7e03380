package reports

import (
	"fmt"
	"strconv"
	"strings"
	"text/tabwriter"

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
	return fmt.Sprintf("%s: %s, seeds %d to %d: %d as expected, %d not, %d unknown.", strings.ToUpper(m.Verdict), m.Scenario,
		m.Seed, m.Seed+uint64(m.Runs)-1, m.Pass, m.Fail, m.Unknown)
}

// CampaignText tells many runs: how often each property had each verdict, and which seeds went otherwise than expected.
func CampaignText(m Many) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %d %s from seed %d\n\n", m.Scenario, m.Runs, either(m.Runs, "run", "runs"), m.Seed)
	b.WriteString(countedProperties(m) + "\n" + countedSometimes(m))
	b.WriteString("\n" + CampaignSummary(m) + "\n")
	if n := len(m.Unexpected); n > 0 {
		b.WriteString(hang("", "Not as expected: "+either(n, "seed ", "seeds ")+seeds(m.Unexpected)+".", lineWidth))
		if m.Kept > 0 {
			fmt.Fprintf(&b, "In the store: the first %d of them.\n", m.Kept)
		}
		fmt.Fprintf(&b, "See the first: %s\n", m.Command)
	}
	return b.String()
}

func countedProperties(m Many) string {
	return table(func(w *tabwriter.Writer) {
		fmt.Fprintln(w, "  property\texpected\tholds\tviolated\tunknown\t")
		for _, c := range m.Properties {
			right := map[string]int{"holds": c.Holds, "violated": c.Violated, "unknown": c.Unknown}[c.Expect]
			fmt.Fprintf(w, "  %s\t%s\t%d\t%d\t%d\t%s\n", c.Name, c.Expect, c.Holds, c.Violated, c.Unknown, differs(right != m.Runs))
		}
	})
}

func countedSometimes(m Many) string {
	return table(func(w *tabwriter.Writer) {
		fmt.Fprintln(w, "  should happen\thappened\tnever\tunknown\t")
		for _, c := range m.Sometimes {
			fmt.Fprintf(w, "  %s\t%d\t%d\t%d\t%s\n", c.Name, c.Holds, c.Violated, c.Unknown, differs(c.Holds != m.Runs))
		}
	})
}

// seeds lists the first few seeds.
func seeds(all []uint64) string {
	words := make([]string, len(all))
	for i, s := range all {
		words[i] = strconv.FormatUint(s, 10)
	}
	return few(words, 10, ", ")
}
