package campaign

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"github.com/lockstorm/lockstorm/scenarios"
)

// jobSchema is the version of files of jobs.
const jobSchema = 1

// jobFile is a Job as its file has it. What comes after the scenario is written as in the manifest of its rows.
type jobFile struct {
	SchemaVersion int    `json:"schema_version"`
	Kind          string `json:"kind"`
	Scenario      string `json:"scenario"`                // its ID
	ScenarioFile  string `json:"scenario_file,omitempty"` // the whole of it, where the catalogue has no such scenario under that ID
	Cells         []Cell `json:"cells"`
	First         uint64 `json:"first_seed"`
	Runs          int    `json:"runs"`
	Size          int    `json:"block_size"`
	Rule          Rule   `json:"rule,omitzero"`
}

// JSON returns the job as a file. ParseJob of it returns the job again.
func (j *Job) JSON() []byte {
	f := jobFile{jobSchema, j.Kind, j.Scenario.ID, "", j.Cells, j.First, j.Runs, j.Size, j.Rule.Written()}
	if known, ok := scenarios.Find(j.Scenario.ID); !ok || !reflect.DeepEqual(known, *j.Scenario) {
		f.ScenarioFile = string(j.Scenario.YAML())
	}
	text, err := json.MarshalIndent(f, "", "  ")
	if err != nil {
		panic("campaign: " + err.Error()) // strings and numbers only
	}
	return append(text, '\n')
}

// ParseJob reads the file of a job, which has passed Check then. What is wrong with it is said with the line of the file, or with
// the cell.
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

// offsetOf returns where the text is that an error is about: where the decoder was, or else what the error has in quotes.
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
		known := false
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
	return &Job{Kind: f.Kind, Scenario: &s, Cells: f.Cells, First: f.First, Runs: f.Runs, Size: f.Size, Rule: f.Rule}, nil
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
			return fmt.Errorf("%q is no setting; write KEY=VALUE", s)
		}
		*c = append(*c, scenarios.Assignment{Key: key, Value: scenarios.Value(value)})
	}
	return nil
}

// Written returns the rule as files have it: that by which no cell ends is none, and a list that is empty stands in them.
func (r Rule) Written() Rule {
	if r.Tight == 0 {
		return Rule{}
	}
	return Rule{r.Tight, slices.Concat([]string{}, r.Properties)}
}
