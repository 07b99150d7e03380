package campaigns

import (
	"fmt"
	"strings"

	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
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
	Unfit    string   `json:"unfit,omitempty"` // why it was not searched for at all
}

// NewKills returns a search for mutants on some grounds, before any was searched for.
func NewKills(first uint64, runs int, grounds []campaign.Ground) Kills {
	kill := Kills{SchemaVersion: reports.SchemaVersion, Seed: first, Runs: runs, Scenarios: []string{}, Mutants: []Kill{}}
	for i := range grounds {
		if id := grounds[i].Scenario.ID; i == 0 || grounds[i-1].Scenario.ID != id {
			kill.Scenarios = append(kill.Scenarios, id)
		}
	}
	return kill
}

// Add adds what became of a mutant.
func (t *Kills) Add(c *campaign.MutantSearch, m campaign.MutantFind) {
	kill := Kill{Mutant: m.Mutant.Name, Set: []string{}, Found: m.Found, Searched: m.Runs, Unfit: strings.ReplaceAll(m.Unfit, "\n",
		"; ")}
	for _, a := range m.Mutant.Set {
		kill.Set = append(kill.Set, a.String())
	}
	if m.Found {
		g := &c.Grounds[m.Ground]
		kill.Property, kill.Scenario, kill.Faults, kill.Seed = m.Property, g.Scenario.ID, g.Class, &m.Seed
	}
	t.Mutants = append(t.Mutants, kill)
}

// counted counts the mutants that were found, and those that were searched for.
func (t *Kills) counted() (found, searched int) {
	for _, m := range t.Mutants {
		if m.Found {
			found++
		}
		if m.Unfit == "" {
			searched++
		}
	}
	return found, searched
}

// Verdict is Pass if all were found, and Unknown if some were not searched for and the others were found.
func (t *Kills) Verdict() scenarios.Verdict {
	switch found, searched := t.counted(); {
	case found < searched:
		return scenarios.Fail
	case searched < len(t.Mutants):
		return scenarios.Unknown
	}
	return scenarios.Pass
}

// killsSummary returns one line that says how many mutants were found.
func killsSummary(t Kills) string {
	v, apart := t.Verdict(), ""
	found, searched := t.counted()
	if n := len(t.Mutants) - searched; n > 0 {
		apart = fmt.Sprintf("; %d not searched for, as no scenario here can have %s settings", n, wording.Either(n, "its", "their"))
	}
	return fmt.Sprintf("%s: %d of %d mutants found within %d seeds of each scenario and class of faults, from seed %d%s.",
		strings.ToUpper(v.String()), found, searched, t.Runs, t.Seed, apart)
}

// Document returns a row for each mutant.
func (t *Kills) Document() *reports.Document {
	x := &reports.Table{Columns: reports.Columns("mutant", "breaks", "in", "faults", "first seed", "limit", "runs in all")}
	x.Columns[0].Kind = "code"
	d := &reports.Document{Title: "Which mutants a search finds", Data: t, Summary: killsSummary(*t)}
	d.Table("", x)
	for _, m := range t.Mutants {
		none := "not found"
		if m.Unfit != "" {
			none = "not searched"
			d.Paragraph(m.Mutant + " was not searched for: " + m.Unfit + ".")
		}
		x.Add(m.Mutant, wording.Dash(m.Property), wording.Dash(m.Scenario), m.faults(), wording.SeedOr(m.Seed, none),
			fmt.Sprint(t.Runs),
			fmt.Sprint(m.Searched))
		x.Rows[len(x.Rows)-1][4].Strong = !m.Found
	}
	d.Glosses(0, scenarios.Judged()...)
	d.Verdict(d.Summary)
	return d
}

func (m *Kill) faults() string {
	switch {
	case !m.Found:
		return wording.Dash("")
	case m.Faults == "":
		return "none"
	}
	return m.Faults
}
