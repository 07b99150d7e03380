package reports

import (
	"time"

	"github.com/lockstorm/lockstorm/reports/internal/ci"
	"github.com/lockstorm/lockstorm/reports/internal/layout"
	"github.com/lockstorm/lockstorm/reports/internal/suites"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// A Suite reports scenarios, or mutants of them, that are run as tests. First all are added, then they are run one after the
// other, in that order.
type Suite struct {
	Took  []time.Duration // how long each took; nil if nobody measured it
	suite suites.Suite
	file  string // that it was read from
}

// Read reads a suite from the JSON of its Document, which was in a file of that name. An error says where it is wrong.
func (s *Suite) Read(file string, text []byte) error {
	read, err := suites.Parse(text)
	if err != nil {
		return err
	}
	s.suite, s.file = *read, file
	return nil
}

// Begin begins a suite in which each is run so many times from the first seed.
func (s *Suite) Begin(version string, first uint64, runs int) {
	s.suite = suites.Suite{
		SchemaVersion: layout.SchemaVersion, Lockstorm: version, Seed: first, Runs: runs,
		Scenarios: []suites.Case{}, Mutants: []suites.MutantResult{},
	}
}

// Add adds a scenario, and the file that it was read from, if it is not of the catalogue.
func (s *Suite) Add(x *scenarios.Scenario, file string) {
	s.suite.Scenarios = append(s.suite.Scenarios, suites.NewCase(x, file, s.suite.Runs))
}

// AddMutant adds a mutant of a scenario.
func (s *Suite) AddMutant(x *scenarios.Scenario, m scenarios.Mutant, file string) {
	s.suite.Mutants = append(s.suite.Mutants, suites.NewMutantResult(x, m, file, s.suite.Runs))
}

// Len is how many scenarios or mutants there are.
func (s *Suite) Len() int { return len(s.suite.Scenarios) + len(s.suite.Mutants) }

// Ran takes note of the runs of the i-th scenario.
func (s *Suite) Ran(i int, x *scenarios.Scenario, t campaign.Tally, command string) {
	s.suite.Scenarios[i].Ran(x, t, command)
}

// RanMutant takes note of the runs of the i-th mutant, and reports whether they went as they should.
func (s *Suite) RanMutant(i int, x *scenarios.Scenario, k campaign.MutantResult, command string) bool {
	m := &s.suite.Mutants[i]
	m.Ran(x, k, command)
	return len(m.Wrong) == 0
}

// CutAt leaves out all from the i-th on, which were not run.
func (s *Suite) CutAt(i int) {
	s.suite.Scenarios = s.suite.Scenarios[:min(i, len(s.suite.Scenarios))]
	s.suite.Mutants = s.suite.Mutants[:min(i, len(s.suite.Mutants))]
}

// Tell takes the story of a run of the i-th that was not as expected.
func (s *Suite) Tell(i int, story string) {
	if i < len(s.suite.Scenarios) {
		s.suite.Scenarios[i].Story = story
		return
	}
	s.suite.Mutants[i].Story = story
}

// Conclude judges the suite, once all has been run.
func (s *Suite) Conclude() scenarios.Verdict { return s.suite.Conclude() }

// Head returns what stands above the lines of the suite.
func (s *Suite) Head(on Screen) string { return suites.Head(layout.Screen(on), s.suite) }

// Line returns the line of the i-th scenario or mutant.
func (s *Suite) Line(on Screen, i int) string { return suites.Line(layout.Screen(on), s.suite, i) }

// End returns what stands below the lines.
func (s *Suite) End(on Screen, elapsed time.Duration) string {
	return suites.End(layout.Screen(on), s.suite, elapsed)
}

// Summary returns the last line alone.
func (s *Suite) Summary(elapsed time.Duration) string { return suites.Summary(s.suite, elapsed) }

// Document returns the suite in all formats, or the claims that it tests.
func (s *Suite) Document(claims bool) *Document {
	if claims {
		return &Document{s.suite.Claims(), s.suite.Verdict}
	}
	return &Document{s.suite.Document(), s.suite.Verdict}
}

// JUnit returns the suite as JUnit XML, a case for each scenario or mutant.
func (s *Suite) JUnit() []byte { return ci.JUnit("lockstorm test", s.suite.Entries(), s.Took) }

// Annotations returns what was not as expected as the workflow commands that GitHub's runner turns into annotations.
func (s *Suite) Annotations() string { return ci.Annotations(s.suite.Entries()) }
