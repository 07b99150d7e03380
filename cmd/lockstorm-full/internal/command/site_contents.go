package command

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/reports/site"
	"github.com/lockstorm/lockstorm/reports/site/engine"
	"github.com/lockstorm/lockstorm/reports/suites"
)

// wanted says which files are suites.
var wanted = "a suite is JSON: lockstorm test --junit FILE.xml --json FILE.json"

// play builds the simulator for the browser. Where that can't be done the site has no playground, and why is said.
func play(s *site.Site, sources string, errs io.Writer) {
	from := engine.Clone(sources, cli.Version)
	built, err := engine.Build(from)
	if err != nil {
		fmt.Fprintf(errs, "%s: there is no playground on the site: %v\n", cli.Name, err)
		return
	}
	s.Revision, s.Engine, s.Support = from.Revision, built.Wasm, built.Support
}

// suitesOf reads suites from files, and then those that lie in stores.
func suitesOf(files, stores []string) (all []site.Suite, err error) {
	read := func(name, flag string, like func(text []byte) bool) error {
		text, err := os.ReadFile(name)
		if about, missing := os.Stat(name); missing == nil && about.IsDir() {
			return fmt.Errorf("%s: %s is a directory; --store shows the runs and suites in one, and %s", flag, name, wanted)
		}
		if p, is := errors.AsType[*fs.PathError](err); is {
			return fmt.Errorf("%s: %s can't be read: %w", flag, name, p.Err)
		}
		if err != nil || !like(text) {
			return err
		}
		if bytes.HasPrefix(bytes.TrimSpace(text), []byte("<")) {
			return fmt.Errorf("%s: %s is XML, as JUnit reports are, which have no counts of runs; %s", flag, name, wanted)
		}
		s, err := suites.Parse(text)
		if err != nil {
			return fmt.Errorf("%s: %s is no suite: %w; %s", flag, name, err, wanted)
		}
		all = append(all, site.Suite{Name: name, Suite: s})
		return nil
	}
	for _, name := range files {
		if err := read(name, "--suite", func([]byte) bool { return true }); err != nil {
			return nil, err
		}
	}
	for _, dir := range stores {
		entries, err := os.ReadDir(dir)
		if err != nil {
			return nil, fmt.Errorf("--store: %s can't be read: %w", dir, err)
		}
		for _, e := range entries {
			if e.Type().IsRegular() && filepath.Ext(e.Name()) == ".json" {
				if err := read(filepath.Join(dir, e.Name()), "--store", suiteLike); err != nil {
					return nil, err
				}
			}
		}
	}
	return all, nil
}

// suiteLike reports whether a text has the two lists that no other JSON of a store has.
func suiteLike(text []byte) bool {
	var lists struct{ Scenarios, Mutants json.RawMessage }
	return json.Unmarshal(text, &lists) == nil && lists.Scenarios != nil && lists.Mutants != nil
}
