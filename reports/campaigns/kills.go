package campaigns

import (
	"fmt"
	"strings"

	"github.com/lockstorm/lockstorm/reports/layout"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// Kills are a search for mutants as JSON: what fuzz --mutants --format json prints.
type Kills struct {
	SchemaVersion int      `json:"schema_version"`
	Seed          uint64   `json:"seed"` // the first
	Runs          int      `json:"runs"` // seeds of each scenario and class of faults, at most
	Scenarios     []string `json:"scenarios"`
	Mutants       []Kill   `json:"mutants"`
}

// A Kill is what became of the search for one mutant.
type Kill struct {
	Mutant   string   `json:"mutant"`
	Set      []string `json:"set"`
	Found    bool     `json:"found"`
	Property string   `json:"property"` // that broke, and that the reference keeps
	Scenario string   `json:"scenario"`
	Faults   string   `json:"faults"` // the class of faults; empty for none
	Seed     *uint64  `json:"seed"`   // the first there
	Searched int      `json:"searched"`
}

// NewKills returns a search for mutants on some grounds, before any was searched for.
func NewKills(first uint64, runs int, grounds []campaign.Ground) Kills {
	kill := Kills{SchemaVersion: layout.SchemaVersion, Seed: first, Runs: runs, Scenarios: []string{}, Mutants: []Kill{}}
	for i := range grounds {
		if id := grounds[i].Scenario.ID; i == 0 || grounds[i-1].Scenario.ID != id {
			kill.Scenarios = append(kill.Scenarios, id)
		}
	}
	return kill
}

// Add adds what became of a mutant.
func (t *Kills) Add(c *campaign.MutantSearch, m campaign.Killing) {
	kill := Kill{Mutant: m.Mutant.Name, Set: []string{}, Found: m.Found, Searched: m.Runs}
	for _, a := range m.Mutant.Set {
		kill.Set = append(kill.Set, a.String())
	}
	if m.Found {
		g := &c.Grounds[m.Ground]
		kill.Property, kill.Scenario, kill.Faults, kill.Seed = m.Property, g.Scenario.ID, g.Class, &m.Seed
	}
	t.Mutants = append(t.Mutants, kill)
}

// found counts the mutants that were found.
func (t *Kills) found() (n int) {
	for _, m := range t.Mutants {
		if m.Found {
			n++
		}
	}
	return n
}

// Verdict is Pass if all were found.
func (t *Kills) Verdict() scenarios.Verdict {
	if t.found() < len(t.Mutants) {
		return scenarios.Fail
	}
	return scenarios.Pass
}

// KillsSummary returns one line that says how many mutants were found.
func KillsSummary(t Kills) string {
	v := t.Verdict()
	return fmt.Sprintf("%s: %d of %d mutants found within %d seeds of each scenario and class of faults, from seed %d.",
		strings.ToUpper(v.String()), t.found(), len(t.Mutants), t.Runs, t.Seed)
}

// Document returns a row for each mutant.
func (t *Kills) Document() *layout.Document {
	x := &layout.Table{Columns: layout.Columns("mutant", "breaks", "in", "faults", "first seed", "limit", "runs in all")}
	x.Columns[0].Kind = layout.Name
	for _, m := range t.Mutants {
		x.Add(m.Mutant, layout.Dash(m.Property), layout.Dash(m.Scenario), m.faults(), layout.SeedOr(m.Seed, "not found"), fmt.Sprint(t.Runs), fmt.Sprint(m.Searched))
		x.Rows[len(x.Rows)-1][4].Strong = !m.Found
	}
	d := &layout.Document{}
	d.Table("", x)
	d.Verdict(KillsSummary(*t))
	return d
}

func (m *Kill) faults() string {
	switch {
	case !m.Found:
		return layout.Dash("")
	case m.Faults == "":
		return "none"
	}
	return m.Faults
}
