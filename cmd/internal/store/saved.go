package store

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/runs"
	"github.com/lockstorm/lockstorm/scenarios"
)

// BuildFile names the build that stored a result. It is not compared, since other builds may leave the same result.
const BuildFile = "build.txt"

// Compare compares a stored result with the files of its run now, one by one. If another build stored it, and the run
// has the same hash, files may differ in form. That is no error: Compare returns a sentence that names them.
func Compare(dir string, stored runs.Run, hash string, files []reports.File) (note string, err error) {
	other := otherBuild(dir, stored)
	var differ []string
	for _, f := range files {
		switch content, err := os.ReadFile(filepath.Join(dir, f.Name)); {
		case err != nil && (other == "" || !errors.Is(err, fs.ErrNotExist)):
			return "", fmt.Errorf("the stored result is not whole: %w", err)
		case err != nil || !bytes.Equal(content, f.Content):
			differ = append(differ, f.Name)
		}
	}
	switch {
	case len(differ) == 0:
		return "", nil
	case other == "":
		return "", fmt.Errorf("%s differs from what the run writes now; if the files were not changed, the run is "+
			"not the same, which is a bug in Lockstorm: please report it", filepath.Join(dir, differ[0]))
	case hash != stored.Hash:
		return "", fmt.Errorf("%s: the run is not the same; %s", dir, other)
	}
	return fmt.Sprintf("The run in %s is the same, by its hash; %s. Not written or drawn as this one does: %s.",
		dir, other, strings.Join(differ, ", ")), nil
}

// otherBuild describes the build that stored a result, if it is not this one.
func otherBuild(dir string, stored runs.Run) string {
	text, _ := os.ReadFile(filepath.Join(dir, BuildFile)) // a result without one is of a build that wrote none
	made := "build " + strings.TrimSpace(string(text))
	switch made {
	case "build " + cli.Build():
		if stored.Lockstorm == cli.Version {
			return ""
		}
	case "build ":
		made = "a build that it doesn't name"
	}
	return fmt.Sprintf("it was made by another version of the program, %s of %s, and this is %s", stored.Lockstorm,
		made,
		cli.Named())
}

// Unlike returns the error that the run of a stored result has another hash now.
func Unlike(dir string, stored runs.Run) error {
	file := filepath.Join(dir, runs.ResultFile)
	if other := otherBuild(dir, stored); other != "" {
		return fmt.Errorf("%s has the hash of another run than its scenario and seed now; %s", file, other)
	}
	return fmt.Errorf("%s has the hash of another run than its scenario and seed; if it was not changed, this "+
		"is a bug in Lockstorm: please report it", file)
}

// Read reads a stored result, and returns it with what is needed to run it again.
func Read(dir string) (q cli.Request, stored runs.Run, err error) {
	file := filepath.Join(dir, runs.ResultFile)
	text, err := os.ReadFile(file)
	if err != nil {
		return q, stored, fmt.Errorf("%s is not a stored result: its result.json can't be read: %w", dir, errors.Unwrap(err))
	}
	if stored, err = runs.Parse(file, text); err != nil {
		return q, stored, err
	}
	if len(stored.Live) > 0 {
		return q, stored, fmt.Errorf("%s is a live run, which can't be repeated; its page is %s", file,
			filepath.Join(dir, runs.PageFile))
	}
	q = cli.Request{Seed: stored.Seed, Runs: 1, Set: stored.Settings, Named: stored.Source,
		NoSearch: strings.HasSuffix(stored.Command, " --no-search")}
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

// restore reads the scenario of a stored result. The settings are applied in it already.
func restore(dir string, stored runs.Run) (scenarios.Scenario, error) {
	file := filepath.Join(dir, runs.ScenarioFile)
	text, err := os.ReadFile(file)
	if err != nil {
		return scenarios.Scenario{}, fmt.Errorf("the stored result is not whole: %w", err)
	}
	s, err := scenarios.Parse(file, text)
	if err != nil {
		return s, err
	}
	if runs.HashScenario(text) != stored.ScenarioHash {
		return s, fmt.Errorf("%s has changed since the run: result.json has another scenario_sha256; to "+
			"run the changed one: lockstorm run %s", file, cli.Quote(file))
	}
	s.ID = stored.Scenario
	return s, nil
}
