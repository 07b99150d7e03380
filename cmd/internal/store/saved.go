package store

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/scenarios"
)

// scenarioFile is the file of a stored result that has the scenario as it was run.
const scenarioFile = "scenario.yaml"

// Compare compares a stored result with what its run leaves now, file by file.
func Compare(dir string, stored reports.Stored, files []reports.File) error {
	for _, f := range files {
		content, err := os.ReadFile(filepath.Join(dir, f.Name))
		switch {
		case err != nil:
			return fmt.Errorf("the stored result is not whole: %w", err)
		case bytes.Equal(content, f.Content):
		case stored.Lockstorm != cli.Version:
			return fmt.Errorf("%s differs from what the run leaves now; it was stored by version %s, and this is %s",
				filepath.Join(dir, f.Name), stored.Lockstorm, cli.Version)
		default:
			return fmt.Errorf("%s differs from what the run leaves now; if nobody has changed the files, the run is not "+
				"the same, which is a fault of Lockstorm's own: please report it", filepath.Join(dir, f.Name))
		}
	}
	return nil
}

// Read reads a stored result, and returns it with what is needed to run it again.
func Read(dir string) (q cli.Request, stored reports.Stored, err error) {
	file := filepath.Join(dir, "result.json")
	text, err := os.ReadFile(file)
	if err != nil {
		return q, stored, fmt.Errorf("%s is not a stored result: %w", dir, err)
	}
	if err := checkSchema(file, text); err != nil {
		return q, stored, err
	}
	if err := json.Unmarshal(text, &stored); err != nil {
		return q, stored, fmt.Errorf("%s is not a result, or not all of one: %w", file, err)
	}
	if len(stored.Live) > 0 {
		return q, stored, fmt.Errorf("%s is of a live run, which can't be made a second time; its page is %s", file, filepath.Join(dir, reports.PageFile))
	}
	q = cli.Request{Seed: stored.Seed, Runs: 1, Set: stored.Settings, Named: stored.Source, NoSearch: strings.HasSuffix(stored.Command, " --no-search")}
	if q.Scenario, err = restore(dir, stored); err != nil {
		return q, stored, err
	}
	if err := q.CheckRuns(); err != nil {
		return q, stored, fmt.Errorf("%s: %w", file, err)
	}
	if q.Drawn() { // earlier versions drew nothing
		q.NoSearch = scenarios.Run(q.Scenario, q.Seed).Hash() == stored.Hash
	}
	return q, stored, nil
}

// checkSchema refuses a result of another schema version before anything else of it is read.
func checkSchema(file string, text []byte) error {
	var stored struct {
		SchemaVersion *int   `json:"schema_version"`
		Lockstorm     string `json:"lockstorm"`
	}
	err := json.Unmarshal(text, &stored)
	switch {
	case stored.SchemaVersion == nil && err == nil:
		return fmt.Errorf("%s is not a result: it has no schema_version", file)
	case stored.SchemaVersion == nil || *stored.SchemaVersion == reports.SchemaVersion:
		return nil // the reader reports what else is wrong
	}
	return fmt.Errorf("%s has schema version %d, and this Lockstorm reads version %d; take the Lockstorm that stored it, version %s",
		file, *stored.SchemaVersion, reports.SchemaVersion, stored.Lockstorm)
}

// restore reads the scenario of a stored result. The settings are applied in it already.
func restore(dir string, stored reports.Stored) (scenarios.Scenario, error) {
	file := filepath.Join(dir, scenarioFile)
	text, err := os.ReadFile(file)
	if err != nil {
		return scenarios.Scenario{}, fmt.Errorf("the stored result is not whole: %w", err)
	}
	s, err := scenarios.Parse(file, text)
	if err != nil {
		return s, err
	}
	if reports.HashScenario(text) != stored.ScenarioHash {
		return s, fmt.Errorf("%s has been changed since it was run, for result.json has another scenario_sha256; to run the "+
			"changed one: lockstorm run %s", file, cli.Quote(file))
	}
	s.ID = stored.Scenario
	return s, nil
}
