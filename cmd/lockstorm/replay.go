package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/scenarios"
)

func newReplay() *cobra.Command {
	var format, colour string
	var quiet bool
	c := &cobra.Command{
		Use:   "replay DIR",
		Short: "Run a stored result again, and see that it is the same",
		Long: "Run the scenario and seed of a stored result again, and compare all that it leaves with what was stored, byte\n" +
			"for byte. DIR is a directory of the store, such as store/kleppmann/gc-pause/1 or store/latest. The scenario is\n" +
			"the one that is stored there, so it does not matter what has become of the file that it came from.",
		Args: exactlyOne("DIR", "such as store/latest"),
		RunE: func(c *cobra.Command, args []string) error {
			if err := checkTelling(format, colour, quiet); err != nil {
				return err
			}
			q, stored, err := recall(args[0])
			if err != nil {
				return err
			}
			r, m := scenarios.Run(q.scenario, q.seed), q.measured(q.seed)
			told := tell(c.OutOrStdout(), r, m, format, colour, quiet)
			if !errors.As(told, new(outcome)) {
				return told
			}
			if err := same(args[0], stored, reports.Files(r, m)); err != nil {
				return err
			}
			return told
		},
	}
	c.Flags().StringVar(&format, "format", "text", "print `text|markdown|json`")
	colouring(c.Flags(), &colour)
	c.Flags().BoolVarP(&quiet, "quiet", "q", false, "print one line")
	return c
}

// same compares what was stored with what the run left now, file by file.
func same(dir string, stored reports.Run, files []reports.File) error {
	for _, f := range files {
		content, err := os.ReadFile(filepath.Join(dir, f.Name))
		switch {
		case err != nil:
			return fmt.Errorf("the stored result is not whole: %w", err)
		case bytes.Equal(content, f.Content):
		case stored.Lockstorm != version:
			return fmt.Errorf("%s differs from what the run leaves now; it was stored by version %s, and this is %s",
				filepath.Join(dir, f.Name), stored.Lockstorm, version)
		default:
			return fmt.Errorf("%s differs from what the run leaves now; if nobody has changed the files, the run is not "+
				"the same, which is a fault of Lockstorm's own: please report it", filepath.Join(dir, f.Name))
		}
	}
	return nil
}

// recall reads a stored result, and gives what it takes to run it again.
func recall(dir string) (q request, stored reports.Run, err error) {
	file := filepath.Join(dir, "result.json")
	text, err := os.ReadFile(file)
	if err != nil {
		return q, stored, fmt.Errorf("%s is no stored result: %w", dir, err)
	}
	if err := schemaOf(file, text); err != nil {
		return q, stored, err
	}
	if err := json.Unmarshal(text, &stored); err != nil {
		return q, stored, fmt.Errorf("%s is no result, or not all of one: %w", file, err)
	}
	q = request{seed: stored.Seed, runs: 1, set: stored.Settings, named: stored.Source, format: "text", noStore: true}
	if q.scenario, err = restore(dir, stored); err != nil {
		return q, stored, err
	}
	if err := q.checkFlags(); err != nil {
		return q, stored, fmt.Errorf("%s: %w", file, err)
	}
	return q, stored, nil
}

// schemaOf refuses a result of another schema before anything else of it is read, for nothing else in it may be as it was.
func schemaOf(file string, text []byte) error {
	var stored struct {
		SchemaVersion *int   `json:"schema_version"`
		Lockstorm     string `json:"lockstorm"`
	}
	err := json.Unmarshal(text, &stored)
	switch {
	case stored.SchemaVersion == nil && err == nil:
		return fmt.Errorf("%s is no result: it has no schema_version", file)
	case stored.SchemaVersion == nil || *stored.SchemaVersion == reports.SchemaVersion:
		return nil // what else is wrong with it is told by whoever reads it
	}
	return fmt.Errorf("%s has schema version %d, and this Lockstorm reads version %d; take the Lockstorm that stored it, version %s",
		file, *stored.SchemaVersion, reports.SchemaVersion, stored.Lockstorm)
}

// restore reads the scenario of a stored result. It has in it already all that was changed by settings.
func restore(dir string, stored reports.Run) (scenarios.Scenario, error) {
	file := filepath.Join(dir, reports.ScenarioFile)
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
			"changed one: lockstorm run %s", file, shellWord(file))
	}
	s.ID = stored.Scenario
	return s, nil
}
