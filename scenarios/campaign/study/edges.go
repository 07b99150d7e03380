package study

import (
	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// Edges are measured bounds, and their JSON: what lockstorm study prints of a study that halves a range.
type Edges struct {
	SchemaVersion int             `json:"schema_version"`
	Lockstorm     string          `json:"lockstorm"`
	Name          string          `json:"name"`
	Seed          uint64          `json:"seed"` // the first
	Runs          int             `json:"runs"` // at each value
	Bounds        []campaign.Edge `json:"bounds"`

	study *Study
	lines []halved
}

// A halved is a line whose range was halved.
type halved struct {
	scenario *scenarios.Scenario
	edges    []campaign.Edge
}

// Edges makes the runs of searches, one for each line, and returns what they find.
func (s *Study) Edges(searches []campaign.BoundSearch) *Edges {
	all := &Edges{SchemaVersion: checker.SchemaVersion, Name: s.Name, Seed: s.Seed, Runs: s.Runs,
		Bounds: []campaign.Edge{}, study: s}
	for i := range searches {
		found := searches[i].Edges()
		for k := range found {
			found[k].Line = s.Lines[i].Name
		}
		all.Bounds = append(all.Bounds, found...)
		all.lines = append(all.lines, halved{searches[i].Scenario, found})
	}
	return all
}

// Study returns what the file of the study says.
func (e *Edges) Study() *Study { return e.study }

// Line returns the scenario of a line, and its edges.
func (e *Edges) Line(i int) (*scenarios.Scenario, []campaign.Edge) {
	return e.lines[i].scenario, e.lines[i].edges
}
