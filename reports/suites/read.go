package suites

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
	"github.com/lockstorm/lockstorm/scenarios"
)

// Parse reads a suite from the JSON that lockstorm test writes. Its verdicts must agree with its counts, so that an
// incomplete file never looks like a pass. An error names its place: a line and column, or the number of the scenario
// or mutant from 0.
func Parse(text []byte) (*Suite, error) {
	var s struct {
		*Suite
		Scenarios []json.RawMessage `json:"scenarios"`
		Mutants   []json.RawMessage `json:"mutants"`
	}
	s.Suite = &Suite{}
	err := json.Unmarshal(text, &s)
	switch version := s.SchemaVersion; {
	case err != nil:
		return nil, placed(text, err)
	case version != checker.SchemaVersion:
		return nil, fmt.Errorf("schema_version is %d, and this Lockstorm reads version %d", version,
			checker.SchemaVersion)
	case len(s.Scenarios)+len(s.Mutants) == 0:
		return nil, errors.New("it has neither scenarios nor mutants; want what lockstorm test --format json writes")
	}
	if s.Suite.Scenarios, err = each("scenarios", s.Scenarios, (*Case).sound); err != nil {
		return nil, err
	}
	if s.Suite.Mutants, err = each("mutants", s.Mutants, (*MutantResult).sound); err != nil {
		return nil, err
	}
	if told := s.Verdict; told != s.Conclude() {
		return nil, fmt.Errorf("verdict is %s, and that of all together is %s", told, s.Verdict)
	}
	return s.Suite, nil
}

// each reads the entries of a list.
func each[T any](list string, texts []json.RawMessage, sound func(*T) error) ([]T, error) {
	all := make([]T, len(texts))
	for i, text := range texts {
		err := json.Unmarshal(text, &all[i])
		if other, is := errors.AsType[*json.UnmarshalTypeError](err); is {
			return nil, fmt.Errorf("%s[%d].%s is a JSON %s, which it can't be", list, i, wording.Plain(other.Field),
				other.Value)
		}
		if err == nil {
			err = sound(&all[i])
		}
		if err != nil {
			return nil, fmt.Errorf("%s[%d]: %s", list, i, wording.Plain(err.Error()))
		}
	}
	return all, nil
}

// placed adds the line and the column to an error of JSON.
func placed(text []byte, err error) error {
	at, says := int64(-1), err.Error()
	if e, is := errors.AsType[*json.SyntaxError](err); is {
		at = e.Offset
	} else if e, is := errors.AsType[*json.UnmarshalTypeError](err); is {
		at, says = e.Offset, fmt.Sprintf("%s is a JSON %s, which it can't be", e.Field, e.Value)
		if e.Field == "" {
			says = "it is a JSON " + e.Value + "; want the object that lockstorm test --format json writes"
		}
	}
	if says = wording.Plain(says); at < 0 {
		return errors.New(says)
	}
	before := text[:min(max(at-1, 0), int64(len(text)))]
	line, column := 1+bytes.Count(before, []byte("\n")), len(before)-bytes.LastIndexByte(before, '\n')
	return fmt.Errorf("line %d, column %d: %s", line, column, says)
}

// sound returns the contradiction in a case, if there is one.
func (c *Case) sound() error {
	verdict := scenarios.Pass
	switch {
	case c.Scenario == "":
		return errors.New("it has no scenario")
	case c.Runs < 1 || min(c.Pass, c.Fail, c.Unknown) < 0 || c.Pass+c.Fail+c.Unknown != c.Runs:
		return fmt.Errorf("runs is %d, and pass, fail and unknown are %d, %d and %d", c.Runs, c.Pass, c.Fail, c.Unknown)
	case c.Fail > 0:
		verdict = scenarios.Fail
	case c.Unknown > 0:
		verdict = scenarios.Unknown
	}
	if c.Verdict != verdict && !(c.Verdict == scenarios.Fail && len(c.Wrong) > 0) {
		return fmt.Errorf("verdict is %s, and the counts give %s", c.Verdict, verdict)
	}
	return nil
}

// sound returns the contradiction in a mutant's result, if there is one.
func (d *MutantResult) sound() error {
	switch {
	case d.Mutant == "" || d.Scenario == "":
		return errors.New("it has no mutant, or no scenario")
	case d.Runs < 1 || min(d.Survived, d.Killed) < 0 || max(d.Survived, d.Killed) > d.Runs:
		return fmt.Errorf("runs is %d, reference_survived %d and mutant_caught %d", d.Runs, d.Survived, d.Killed)
	case (d.Verdict == scenarios.Pass) != (len(d.Wrong) == 0):
		return fmt.Errorf("verdict is %s, and wrong has %s", d.Verdict,
			wording.Count(len(d.Wrong), "sentence", "sentences"))
	case d.Verdict == scenarios.Pass && (d.Killed == 0 || d.Survived < d.Runs):
		return fmt.Errorf("verdict is pass, and of %d runs the reference survives %d and the mutant is caught in %d",
			d.Runs, d.Survived, d.Killed)
	}
	return nil
}
