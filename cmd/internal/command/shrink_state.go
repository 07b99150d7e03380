package command

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/cmd/internal/store"
	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/runs"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// A shrinkState is how far the shrinking of a run came, as its file holds it.
type shrinkState struct {
	SchemaVersion int            `json:"schema_version"`
	Lockstorm     string         `json:"lockstorm"`
	Scenario      string         `json:"scenario_sha256"` // of what is shrunk
	From          uint64         `json:"from_seed"`       // and its seed
	Property      string         `json:"property"`
	Seed          uint64         `json:"seed"` // of the least
	Runs          int            `json:"runs"`
	Done          bool           `json:"done"`
	Least         string         `json:"least"` // as a file, with faults that strike nothing, which is where it goes on
	At            campaign.Place `json:"at"`
}

// begin starts to shrink, or goes on where the last call ended.
func (q *shrinkCommand) begin() (s campaign.Shrinker, last shrinkState, err error) {
	s = campaign.Shrinker{Least: q.scenario, Seed: q.seed, Property: q.property, Plain: q.plain()}
	text, err := os.ReadFile(q.state)
	if errors.Is(err, fs.ErrNotExist) {
		return s, last, nil
	}
	var h shrinkState
	if err == nil {
		err = json.Unmarshal(text, &h)
	}
	if err != nil {
		return s, last, fmt.Errorf("%s does not say how far shrinking came: %w; remove it to begin anew", q.state, err)
	}
	if h.SchemaVersion != reports.SchemaVersion || h.Lockstorm != cli.Build() || h.Scenario != q.hash() || h.From != q.seed ||
		h.Property != q.property {
		return s, last, fmt.Errorf("%s is of another run or another version; remove it to begin anew, or write elsewhere with --out",
			q.state)
	}
	least, err := scenarios.Parse(q.out, []byte(h.Least))
	if err != nil {
		return s, last, fmt.Errorf("%s does not say how far shrinking came: %w; remove it to begin anew", q.state, err)
	}
	least.ID, least.Expect, least.Sometimes = q.scenario.ID, q.scenario.Expect, q.scenario.Sometimes
	least.Title, least.About = q.scenario.Title, q.scenario.About
	s.Least, s.Seed, s.Runs, s.At = least, h.Seed, h.Runs, h.At
	return s, h, nil
}

func (q *shrinkCommand) hash() string { return runs.HashScenario(q.scenario.YAML()) }

// plain is the scenario of the catalogue that was changed, if it was one: settings go back to what they are there.
func (q *shrinkCommand) plain() *scenarios.Scenario {
	if s, ok := scenarios.Find(q.scenario.ID); ok {
		return &s
	}
	return nil
}

// end writes the least scenario, and how far it came.
func (q *shrinkCommand) end(s *campaign.Shrinker, done bool) error {
	least := s.Counterexample()
	if err := store.Write(q.out, least.Brief()); err != nil {
		return fmt.Errorf("the least scenario can't be written: %w; choose another place with --out FILE", err)
	}
	here := s.Least
	here.Sometimes = nil // it is read again, though what it says of its runs is not true
	if len(here.Faults) > 0 {
		here.Sometimes = []string{"fault-struck"}
	}
	h := shrinkState{
		SchemaVersion: reports.SchemaVersion, Lockstorm: cli.Build(), Scenario: q.hash(), From: q.seed, Property: q.property,
		Seed: s.Seed, Runs: s.Runs, Done: done, Least: string(here.Brief()), At: s.At,
	}
	if err := store.Write(q.state, reports.JSON(h)); err != nil {
		return fmt.Errorf("how far it came can't be written: %w; choose another place with --out FILE", err)
	}
	return nil
}
