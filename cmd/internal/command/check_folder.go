package command

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/checker/codec"
	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/reports/histories"
	"github.com/lockstorm/lockstorm/reports/suites"
	"github.com/lockstorm/lockstorm/scenarios"
)

// recordings are the files of a folder that have a history.
var recordings = regexp.MustCompile(`\.(edn|json|jsonl)(\.gz)?$`)

// notHistories are files of stores that are no histories: what Jepsen's own checkers said; a run's result and trace.
var notHistories = []string{"results.edn", "result.json", "trace.jsonl"}

// checkFolder judges each history of a folder and of those in it, as a Jepsen store has them, and prints its verdicts.
// One that shows nothing is unknown, and one that can't be read is an error; the others are judged all the same.
func (t *checkCommand) checkFolder(c *cobra.Command, folder string) error {
	if t.format != "text" || t.junit == "-" {
		return fmt.Errorf("%s is a folder: leave out --format, and let --junit name a file", folder)
	}
	var files []string
	err := fs.WalkDir(os.DirFS(folder), ".", func(name string, f fs.DirEntry, err error) error {
		if err == nil && !f.IsDir() && !slices.Contains(notHistories, f.Name()) && recordings.MatchString(name) {
			files = append(files, name)
		}
		return err
	})
	if err != nil {
		return err
	}
	var entries []suites.Entry
	var n [checker.Violated + 1]int
	bad := 0
	for _, file := range files {
		name := filepath.Join(folder, file)
		r, results, err := t.verdicts(c, name, name)
		if err != nil {
			if err := note(c, "%v", err); err != nil {
				return err
			}
			if !errors.Is(err, codec.ErrShowsNothing) {
				bad++
				continue
			}
			n[checker.Unknown]++
			entries = append(entries, suites.Entry{Title: name, Class: folder, Name: file, File: name,
				Verdict: scenarios.Unknown, Wrong: []string{err.Error()},
				Command: "lockstorm check " + cli.Quote(name)})
			continue
		}
		n[histories.Worst(results)]++
		entries = append(entries, entriesOf(name, r, results)...)
		if err := cli.Write(c.OutOrStdout(), histories.Document(name, r, results), t.format, false); err != nil {
			return err
		}
	}
	if len(files) == 0 {
		return fmt.Errorf("%s has no history; want files that end in .edn, .json or .jsonl", folder)
	}
	says := fmt.Sprintf("Histories: %d. Hold: %d, violated: %d, unknown: %d, unreadable: %d.\n", len(files),
		n[checker.Holds], n[checker.Violated], n[checker.Unknown], bad)
	err = cmp.Or(cli.Print(c.OutOrStdout(), says), t.junit.Clear("--junit"),
		t.junit.Write("--junit", suites.JUnit("lockstorm check", entries, nil)))
	switch {
	case err != nil:
		return err
	case bad > 0:
		return cli.Exit(cli.BadInput)
	case n[checker.Violated] > 0:
		return cli.Exit(cli.NotAsExpected)
	case n[checker.Unknown] > 0:
		return cli.Exit(cli.Unknown)
	}
	return nil
}
