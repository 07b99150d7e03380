package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/lockstorm/lockstorm/reports/runs"
	"github.com/lockstorm/lockstorm/reports/shell"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// A Request is a scenario, the settings that change it, and the seeds to run it with.
type Request struct {
	Scenario scenarios.Scenario
	Named    string // the ID or the file, as the user gave it
	Seed     uint64
	Runs     int
	Set      []string // KEY=VALUE
	NoSearch bool     // a scenario with a search is run without what that draws
}

// Complete opens the scenario, with the settings applied.
func (q *Request) Complete(name string) (err error) {
	q.Named = name
	if q.Scenario, err = scenarios.Open(name, q.Set...); errors.As(err, new(scenarios.SettingError)) {
		return fmt.Errorf("%w (all of them: %s run %s --help-set)", err, Name, name)
	} else if err != nil {
		return err
	}
	return q.CheckRuns()
}

// CheckRuns checks the seeds and their number.
func (q *Request) CheckRuns() error {
	if q.Runs < 1 {
		return fmt.Errorf("--runs: %d is not positive", q.Runs)
	}
	return CheckSeeds(q.Seed, q.Runs)
}

// Command returns the command that runs a seed, as it is stored. Every command that finds a run, such as sweep, names
// the run so.
func (q *Request) Command(seed uint64) string {
	return shell.Run{Program: Name, Named: q.Named, Seed: seed, Set: q.Set, NoSearch: q.NoSearch}.String()
}

// Page returns the address of a run in the playground of the site that LOCKSTORM_SITE names, for a terminal. It is
// empty if there is no such site, or the playground lacks the run, as it lacks files and client libraries.
func (q *Request) Page(out io.Writer, seed uint64) string {
	site := os.Getenv("LOCKSTORM_SITE")
	_, known := scenarios.Find(q.Named)
	kind := q.Scenario.Lock.Kind.String()
	library := slices.ContainsFunc(scenarios.Guests(), func(g scenarios.Guest) bool { return g.Name == kind })
	if site == "" || !known || library || q.NoSearch || !IsTerminal(out) {
		return ""
	}
	state := shell.Run{Named: q.Named, Seed: seed, Set: q.Set}.State()
	return strings.TrimSuffix(site, "/") + "/playground.html" + state
}

// Drawn reports whether each seed picks faults and settings by the scenario's search, as fuzz does.
func (q *Request) Drawn() bool { return q.Scenario.Search.Drawn() && !q.NoSearch }

// Run makes the run of a seed.
func (q *Request) Run(seed uint64) *scenarios.Result {
	if q.Drawn() {
		return scenarios.Run(q.Scenario.Universes().At(seed), seed)
	}
	return scenarios.Run(q.Scenario, seed)
}

// Making describes how the run of a seed was made.
func (q *Request) Making(seed uint64) runs.Making {
	m := runs.Making{Version: Version, Source: q.Named, Settings: q.Set, Command: q.Command(seed)}
	if q.Drawn() {
		m.Asked = &q.Scenario
	}
	return m
}

// Measured is Making with the scenario's bounds measured, and with the instants at which violations were decided.
func (q *Request) Measured(seed uint64) runs.Making {
	m := q.Making(seed)
	drawn := q.Scenario.Universes().At(seed)
	m.Decisions = campaign.Decide(&drawn, seed)
	m.Edges = campaign.Edges(&q.Scenario, seed)
	return m
}

// OneLine puts an error that joins several into one line.
func OneLine(err error) error {
	return fmt.Errorf("%s", strings.ReplaceAll(err.Error(), "\n", "; and "))
}
