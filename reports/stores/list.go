package stores

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/lockstorm/lockstorm/reports/runs"
	"github.com/lockstorm/lockstorm/reports/suites"
	"github.com/lockstorm/lockstorm/scenarios/campaign/archive"
)

// List returns what the files of a store keep, with at most this many runs, and the files to which its page leads. It
// follows no links.
func List(files fs.FS, most int) (s Store, leads []string, err error) {
	if s.Suites, err = kept(files); err != nil {
		return s, nil, err
	}
	err = fs.WalkDir(files, ".", func(place string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		base := path.Base(place)
		hidden := strings.HasPrefix(base, ".") && place != "."
		if hidden || base == "figures" || base == "counterexamples" {
			return fs.SkipDir
		}
		page := path.Join(place, runs.PageFile)
		if about, err := fs.Stat(files, page); err != nil || !about.Mode().IsRegular() {
			page = ""
		}
		if about, err := fs.Stat(files, path.Join(place, runs.ResultFile)); !errors.Is(err, fs.ErrNotExist) {
			if err == nil && !about.Mode().IsRegular() {
				err = errors.New("it is not a regular file")
			}
			if len(s.Runs) == most {
				s.More++
				return fs.SkipDir
			}
			s.Runs = append(s.Runs, runOf(files, place, page, err))
			leads = append(leads, page)
			return fs.SkipDir
		}
		if c := campaignOf(files, place, page); c.About != "" || c.Found != nil {
			s.Campaigns, leads = append(s.Campaigns, c), append(append(leads, page), c.Found...)
		}
		return nil
	})
	there := leads[:0]
	for _, name := range leads {
		if name != "" {
			there = append(there, name)
		}
	}
	return s, there, err
}

// kept reads the suites that test --json wrote. Other files are passed over.
func kept(files fs.FS) (all []*suites.Suite, err error) {
	names, err := fs.Glob(files, "*.json")
	for _, name := range names {
		text, err := fs.ReadFile(files, name)
		var lists struct{ Scenarios, Mutants json.RawMessage }
		if err != nil || json.Unmarshal(text, &lists) != nil || lists.Scenarios == nil || lists.Mutants == nil {
			continue // no other JSON of a store has the two
		}
		suite, err := suites.Parse(text)
		if err != nil {
			return nil, fmt.Errorf("%s is not a suite: %w", name, err)
		}
		all = append(all, suite)
	}
	return all, err
}

// runOf reads a stored run, unless an error says that there is none to read.
func runOf(files fs.FS, place, page string, err error) Run {
	r := Run{Place: place, Page: page}
	if err == nil {
		var text []byte
		if text, err = fs.ReadFile(files, path.Join(place, runs.ResultFile)); err == nil {
			r.Run, err = runs.Parse(runs.ResultFile, text)
		}
	}
	if err != nil {
		r.Wrong = err.Error()
	}
	return r
}

// campaignOf reads what a directory keeps of many runs. One that is no campaign has nothing found, and no words about it.
func campaignOf(files fs.FS, place, page string) Campaign {
	c := Campaign{Place: place, Page: page}
	found, _ := fs.ReadDir(files, path.Join(place, "found")) // most have none
	for _, e := range found {
		if path.Ext(e.Name()) == ".yaml" && e.Type().IsRegular() {
			c.Found = append(c.Found, path.Join(place, "found", e.Name()))
		}
	}
	var head archive.Manifest
	text, err := fs.ReadFile(files, path.Join(place, archive.ManifestFile))
	if err == nil && json.Unmarshal(text, &head) == nil && head.Kind != "" {
		c.About = head.Kind + " of " + head.Scenario
	}
	return c
}
