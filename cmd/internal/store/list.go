package store

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lockstorm/lockstorm/reports/runs"
	"github.com/lockstorm/lockstorm/reports/stores"
	"github.com/lockstorm/lockstorm/reports/suites"
	"github.com/lockstorm/lockstorm/scenarios/campaign/archive"
)

// A Suite is one that test --json wrote, with the name of its file.
type Suite struct {
	File string
	*suites.Suite
}

// Suites reads the suites that lie in a directory. Other files are passed over.
func Suites(dir string) (all []Suite, err error) {
	names, err := filepath.Glob(filepath.Join(quoted.Replace(dir), "*.json"))
	for _, name := range names {
		text, err := os.ReadFile(name)
		var lists struct{ Scenarios, Mutants json.RawMessage }
		if err != nil || json.Unmarshal(text, &lists) != nil || lists.Scenarios == nil || lists.Mutants == nil {
			continue // no other JSON of a store has the two
		}
		suite, err := suites.Parse(text)
		if err != nil {
			return nil, fmt.Errorf("%s is not a suite: %w", name, err)
		}
		all = append(all, Suite{name, suite})
	}
	return all, err
}

// quoted makes a path a pattern that only it fits.
var quoted = strings.NewReplacer("[", "[[]", "?", "[?]", "*", "[*]")

// List returns what a store keeps, and the files to which its page leads. It follows no links.
func List(dir string) (s stores.Store, leads []string, err error) {
	if _, err := os.Stat(dir); err != nil {
		return s, nil, fmt.Errorf("%s is not a stored result: %w", dir, err)
	}
	all, err := Suites(dir)
	if err != nil {
		return s, nil, err
	}
	for _, suite := range all {
		s.Suites = append(s.Suites, suite.Suite)
	}
	files := os.DirFS(dir)
	err = fs.WalkDir(files, ".", func(place string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		page := path.Join(place, runs.PageFile)
		if about, err := fs.Stat(files, page); err != nil || !about.Mode().IsRegular() {
			page = ""
		}
		base := path.Base(place)
		hidden := strings.HasPrefix(base, ".") && place != "."
		if hidden || base == "figures" || base == Counterexamples {
			return fs.SkipDir
		}
		if text, err := fs.ReadFile(files, path.Join(place, "result.json")); err == nil {
			s.Runs = append(s.Runs, runOf(place, page, text))
			leads = append(leads, page)
			return fs.SkipDir
		}
		c := stores.Campaign{Place: place, Page: page}
		found, _ := fs.ReadDir(files, path.Join(place, "found")) // most have none
		for _, e := range found {
			if path.Ext(e.Name()) == ".yaml" && e.Type().IsRegular() {
				c.Found = append(c.Found, path.Join(place, "found", e.Name()))
			}
		}
		var head archive.Head
		text, err := fs.ReadFile(files, path.Join(place, archive.ManifestFile))
		if err == nil && json.Unmarshal(text, &head) == nil {
			c.About = head.Kind + " of " + head.Scenario
		}
		if c.About != "" || c.Found != nil {
			s.Campaigns, leads = append(s.Campaigns, c), append(append(leads, page), c.Found...)
		}
		return nil
	})
	if err == nil && len(s.Suites)+len(s.Runs)+len(s.Campaigns) == 0 {
		err = fmt.Errorf("%s is not a stored result, and has no run, campaign or suite below it", dir)
	}
	return s, slices.DeleteFunc(leads, func(name string) bool { return name == "" }), err
}

// runOf reads a stored run.
func runOf(place, page string, text []byte) stores.Run {
	r := stores.Run{Place: place, Page: page}
	err := checkSchema("result.json", text)
	if err == nil {
		err = json.Unmarshal(text, &r.Run)
	}
	if err != nil {
		r.Wrong = err.Error()
	}
	return r
}
