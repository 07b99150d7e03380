package command

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/cmd/internal/store"
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
	for _, name := range files {
		text, err := os.ReadFile(name)
		if about, missing := os.Stat(name); missing == nil && about.IsDir() {
			return nil, fmt.Errorf("--suite: %s is a directory; --store shows the runs and suites in one, and %s", name, wanted)
		}
		if p, is := errors.AsType[*fs.PathError](err); is {
			return nil, fmt.Errorf("--suite: %s can't be read: %w", name, p.Err)
		}
		if bytes.HasPrefix(bytes.TrimSpace(text), []byte("<")) {
			return nil, fmt.Errorf("--suite: %s is XML, as JUnit reports are, which have no counts of runs; %s", name, wanted)
		}
		s, err := suites.Parse(text)
		if err != nil {
			return nil, fmt.Errorf("--suite: %s is no suite: %w; %s", name, err, wanted)
		}
		all = append(all, site.Suite{Name: name, Suite: s})
	}
	for _, dir := range stores {
		kept, err := store.Suites(dir)
		if err != nil {
			return nil, fmt.Errorf("--store: %w; %s", err, wanted)
		}
		for _, s := range kept {
			all = append(all, site.Suite{Name: s.File, Suite: s.Suite})
		}
	}
	return all, nil
}
