package suites

import (
	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/scenarios"
)

// New returns a suite in which each is run so many times from the first seed.
func New(version string, first uint64, runs int) *Suite {
	return &Suite{
		SchemaVersion: reports.SchemaVersion, Lockstorm: version, Seed: first, Runs: runs,
		Scenarios: []Case{}, Mutants: []MutantResult{},
	}
}

// Add adds a scenario, and the file that it was read from, if it is not of the catalogue.
func (s *Suite) Add(x *scenarios.Scenario, file string) {
	s.Scenarios = append(s.Scenarios, newCase(x, file, s.Runs))
}

// AddMutant adds a mutant of a scenario.
func (s *Suite) AddMutant(x *scenarios.Scenario, m scenarios.Mutant, file string) {
	s.Mutants = append(s.Mutants, newMutantResult(x, m, file, s.Runs))
}

// Len is how many scenarios or mutants there are.
func (s *Suite) Len() int { return len(s.Scenarios) + len(s.Mutants) }

// CutAt leaves out all from the i-th on, which were not run.
func (s *Suite) CutAt(i int) {
	s.Scenarios = s.Scenarios[:min(i, len(s.Scenarios))]
	s.Mutants = s.Mutants[:min(i, len(s.Mutants))]
}

// Tell takes the story of a run of the i-th that was not as expected.
func (s *Suite) Tell(i int, story string) {
	if i < len(s.Scenarios) {
		s.Scenarios[i].Story = story
		return
	}
	s.Mutants[i].Story = story
}
