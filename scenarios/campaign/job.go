package campaign

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
)

// A Job is a campaign as data: everything needed to make the same rows again, on any machine. It has a row for each
// cell and seed, numbered by cell and then by seed, and its rows come in blocks. Each block is a pure function of the
// job, so any worker can make it at any time.
type Job struct {
	Kind     string              // what it is for
	Scenario *scenarios.Scenario // must have passed Check; if it has a Search, each seed draws a universe of it
	Cells    []Cell              // at least one
	First    uint64              // the first seed of each cell
	Runs     int                 // how many seeds each cell has
	Size     int                 // how many rows a block has, except the last of a cell; no block has rows of two cells
}

// FuzzJob is the kind of a search. Any other job has the name of its command or study as its kind.
const FuzzJob = "fuzz"

// A Cell is one place of a grid: what changes in the job's scenario there, perhaps nothing. Besides settings it may
// name, first, a scenario of the catalogue in place of the job's (scenario=kleppmann/gc-pause), and faults in place of
// the scenario's schedule (faults=), line by line as in package faults.
type Cell []scenarios.Assignment

// String names the cell by what is set there.
func (c Cell) String() string {
	words := make([]string, len(c))
	for i, a := range c {
		words[i] = a.String()
	}
	return strings.Join(words, " ")
}

// The parts that a cell may change other than settings.
const (
	scenarioKey = "scenario"
	faultsKey   = "faults"
)

// maxSeed is the largest seed of a campaign: larger numbers do not survive readers that count in floating point.
const maxSeed = 1<<53 - 1

// In returns the scenario of a cell. A search does not change what is set there.
func (j *Job) In(cell int) (scenarios.Scenario, error) {
	s, changes := *j.Scenario, j.Cells[cell]
	if len(changes) > 0 && changes[0].Key == scenarioKey {
		known, is := scenarios.Find(string(changes[0].Value))
		if !is {
			return s, fmt.Errorf("%s: there is no scenario %q in the catalogue", scenarioKey, changes[0].Value)
		}
		s, changes = known, changes[1:]
	}
	s.Mutants, s.Bounds = nil, nil // they belong to the scenario without the settings
	var settings []string
	for _, a := range changes {
		if a.Key == faultsKey {
			planned, err := faults.Parse(string(a.Value))
			if err != nil {
				return s, fmt.Errorf("%s: %w", faultsKey, err)
			}
			s.Faults = planned
			continue
		}
		settings = append(settings, a.String())
	}
	if err := s.SetAll(settings); err != nil {
		return s, err
	}
	return s, s.Check()
}

// Check rejects a job that can't be done.
func (j *Job) Check() error {
	switch {
	case len(j.Cells) == 0 || j.Runs < 1 || j.Size < 1:
		return fmt.Errorf("a campaign needs a cell, a run and a row in a block; it has %d, %d and %d", len(j.Cells), j.Runs, j.Size)
	case j.First > maxSeed || uint64(j.Runs-1) > maxSeed-j.First:
		return fmt.Errorf("seeds stay below 2^53, so that every reader has them right; %d from %d on go beyond", j.Runs, j.First)
	case uint64(j.Runs) > min(maxSeed, math.MaxInt)/uint64(len(j.Cells)):
		return fmt.Errorf("%d cells of %d runs are more than 2^53 rows; give fewer runs", len(j.Cells), j.Runs)
	}
	for i := range j.Cells {
		if _, err := j.In(i); err != nil {
			return err
		}
	}
	return nil
}

// Rows is how many rows the job has in all.
func (j *Job) Rows() int { return len(j.Cells) * j.Runs }

// Blocks is how many blocks the job has in all.
func (j *Job) Blocks() int { return len(j.Cells) * j.perCell() }

// Block returns which rows the i-th block has: their cell, their first seed and their number.
func (j *Job) Block(i int) (cell int, first uint64, rows int) {
	cell = i / j.perCell()
	before := j.Size * (i % j.perCell())
	return cell, j.First + uint64(before), min(j.Size, j.Runs-before)
}

// perCell is how many blocks a cell has.
func (j *Job) perCell() int { return (j.Runs + j.Size - 1) / j.Size }

// jobData is a Job for another process of the same program.
type jobData struct {
	Kind     string
	ID       string // of the scenario
	Scenario []byte // its file
	Cells    []Cell
	First    uint64
	Runs     int
	Size     int
}

// MarshalJSON writes a job for another process of the same program.
func (j *Job) MarshalJSON() ([]byte, error) {
	return json.Marshal(jobData{j.Kind, j.Scenario.ID, j.Scenario.YAML(), j.Cells, j.First, j.Runs, j.Size})
}

// UnmarshalJSON reads what MarshalJSON has written, and checks it.
func (j *Job) UnmarshalJSON(text []byte) error {
	var d jobData
	if err := json.Unmarshal(text, &d); err != nil {
		return err
	}
	s, err := scenarios.Parse("job", d.Scenario)
	if err != nil {
		return err
	}
	s.ID = d.ID
	*j = Job{Kind: d.Kind, Scenario: &s, Cells: d.Cells, First: d.First, Runs: d.Runs, Size: d.Size}
	return j.Check()
}

// MarshalJSON writes a cell as a list of settings, each as --set takes it.
func (c Cell) MarshalJSON() ([]byte, error) {
	settings := make([]string, len(c))
	for i, a := range c {
		settings[i] = a.String()
	}
	return json.Marshal(settings)
}

// UnmarshalJSON reads what MarshalJSON has written.
func (c *Cell) UnmarshalJSON(text []byte) error {
	var settings []string
	if err := json.Unmarshal(text, &settings); err != nil {
		return fmt.Errorf("a cell is a list of settings, such as [\"nodes=3\"], not %s", text)
	}
	*c = nil
	for _, s := range settings {
		key, value, is := strings.Cut(s, "=")
		if !is || key == "" {
			return fmt.Errorf("%q is not a setting; write KEY=VALUE", s)
		}
		*c = append(*c, scenarios.Assignment{Key: key, Value: scenarios.Value(value)})
	}
	return nil
}
