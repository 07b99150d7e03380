package main

import (
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
	var format string
	var quiet bool
	c := &cobra.Command{
		Use:   "replay DIR",
		Short: "Run a stored result again, and see that it is the same",
		Long: "Run the scenario, seed and settings of a stored result again, and compare the hash of its history and trace with\n" +
			"the one that was stored. DIR is a directory of the store, such as store/kleppmann/gc-pause/1 or store/latest.",
		Args: exactlyOne("DIR", "such as store/latest"),
		RunE: func(c *cobra.Command, args []string) error {
			q, stored, err := recall(args[0])
			if err != nil {
				return err
			}
			r := scenarios.Run(q.scenario, q.seed)
			told := tell(c.OutOrStdout(), r, q.making(q.seed), format, quiet)
			if !errors.As(told, new(outcome)) {
				return told
			}
			if hash := r.Hash(); hash != stored.Hash {
				return differing(stored, hash)
			}
			return told
		},
	}
	c.Flags().StringVar(&format, "format", "text", "print `text|json`")
	c.Flags().BoolVarP(&quiet, "quiet", "q", false, "print one line")
	return c
}

// differing says what it means that a run did not come out as it was stored.
func differing(stored reports.Run, hash string) error {
	err := fmt.Errorf("the run has hash %s, and the stored one has %s", hash, stored.Hash)
	if stored.Lockstorm != version {
		return fmt.Errorf("%w; it was made by version %s, and this is %s", err, stored.Lockstorm, version)
	}
	return breach{fmt.Errorf("%w, though the version is the same", err)}
}

// recall reads a stored result, and gives what it takes to run it again.
func recall(dir string) (q request, stored reports.Run, err error) {
	file := filepath.Join(dir, "result.json")
	text, err := os.ReadFile(file)
	if err != nil {
		return q, stored, fmt.Errorf("%s is no stored result: %w", dir, err)
	}
	if err := json.Unmarshal(text, &stored); err != nil {
		return q, stored, fmt.Errorf("%s: %w", file, err)
	}
	if stored.SchemaVersion != reports.SchemaVersion {
		return q, stored, fmt.Errorf("%s has schema version %d, and this Lockstorm reads version %d",
			file, stored.SchemaVersion, reports.SchemaVersion)
	}
	q = request{seed: stored.Seed, runs: 1, set: stored.Settings, format: "text"}
	if err := q.complete(stored.Scenario); err != nil {
		return q, stored, fmt.Errorf("%s: %w", file, err)
	}
	return q, stored, nil
}
