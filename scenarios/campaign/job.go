package campaign

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
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

// jobSchema is the version of files of jobs.
const jobSchema = 1

// jobFile is a Job as its file has it. The fields after the scenario are written as in the manifest of its rows.
type jobFile struct {
	SchemaVersion int    `json:"schema_version"`
	Kind          string `json:"kind"`
	Scenario      string `json:"scenario"`                // its ID
	ScenarioFile  string `json:"scenario_file,omitempty"` // the whole of it, where the catalogue has no such scenario under that ID
	Cells         []Cell `json:"cells"`
	First         uint64 `json:"first_seed"`
	Runs          int    `json:"runs"`
	Size          int    `json:"block_size"`
}

// JSON returns the job as a file. ParseJob of it returns the job again.
func (j *Job) JSON() []byte {
	f := jobFile{jobSchema, j.Kind, j.Scenario.ID, "", j.Cells, j.First, j.Runs, j.Size}
	if known, ok := scenarios.Find(j.Scenario.ID); !ok || !reflect.DeepEqual(known, *j.Scenario) {
		f.ScenarioFile = string(j.Scenario.YAML())
	}
	text, err := json.MarshalIndent(f, "", "  ")
	if err != nil {
		panic("campaign: " + err.Error()) // strings and numbers only
	}
	return append(text, '\n')
}

// ParseJob reads the file of a job and checks the job. Errors name the line of the file, or the cell.
func ParseJob(file string, text []byte) (*Job, error) {
	var f jobFile
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&f); err != nil {
		return nil, fmt.Errorf("%s:%d: %s", file, lineOf(text, offsetOf(err, text)), strings.TrimPrefix(err.Error(), "json: "))
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s:%d: there is more after the end of the job", file, lineOf(text, d.InputOffset()))
	}
	j, err := f.job()
	if err == nil {
		err = j.checkFile()
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return j, nil
}

// offsetOf returns the place of the text that an error is about: where the decoder was, or else what the error quotes.
func offsetOf(err error, text []byte) int64 {
	if wrong, is := errors.AsType[*json.SyntaxError](err); is {
		return wrong.Offset
	}
	if wrong, is := errors.AsType[*json.UnmarshalTypeError](err); is {
		return wrong.Offset
	}
	_, quote, _ := strings.Cut(err.Error(), `"`)
	quote, _, _ = strings.Cut(quote, `"`)
	return int64(max(bytes.Index(text, []byte(`"`+quote+`"`)), 0))
}

func lineOf(text []byte, offset int64) int {
	return 1 + bytes.Count(text[:min(offset, int64(len(text)))], []byte("\n"))
}

// job returns the job that the file has, unchecked.
func (f *jobFile) job() (*Job, error) {
	if f.SchemaVersion != jobSchema {
		return nil, fmt.Errorf("schema_version is %d; this Lockstorm reads %d", f.SchemaVersion, jobSchema)
	}
	var s scenarios.Scenario
	if f.ScenarioFile == "" {
		var known bool
		if s, known = scenarios.Find(f.Scenario); !known {
			return nil, fmt.Errorf("there is no scenario %q in the catalogue; give scenario_file, the whole of it", f.Scenario)
		}
	} else {
		var err error
		if s, err = scenarios.Parse("scenario_file", []byte(f.ScenarioFile)); err != nil {
			return nil, err
		}
		s.ID = f.Scenario
	}
	return &Job{Kind: f.Kind, Scenario: &s, Cells: f.Cells, First: f.First, Runs: f.Runs, Size: f.Size}, nil
}

// checkFile is Check, and names the cell that is wrong.
func (j *Job) checkFile() error {
	for i, c := range j.Cells {
		if _, err := j.In(i); err != nil {
			return fmt.Errorf("cell %d of %d (%s): %w", i+1, len(j.Cells), c, err)
		}
	}
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
