package scenarios

import (
	"cmp"
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
)

// The catalogue is a folder of scenario files; their paths are the IDs.
//
//go:embed catalogue
var catalogue embed.FS

// IDs returns the IDs of the scenarios of the catalogue, in order.
func IDs() []string {
	var all []string
	err := fs.WalkDir(catalogue, "catalogue", func(path string, _ fs.DirEntry, err error) error {
		if id, is := strings.CutSuffix(strings.TrimPrefix(path, "catalogue/"), ".yaml"); is {
			all = append(all, id)
		}
		return err
	})
	if err != nil {
		panic("scenarios: the catalogue can't be read: " + err.Error())
	}
	return all
}

// Catalogue returns the built-in scenarios, by ID. They are the caller's to change.
func Catalogue() []Scenario {
	ids := IDs()
	all := make([]Scenario, len(ids))
	for i, id := range ids {
		all[i], _ = Find(id)
	}
	return all
}

// Find returns the built-in scenario of that ID.
func Find(id string) (Scenario, bool) {
	path := "catalogue/" + id + ".yaml"
	text, err := catalogue.ReadFile(path)
	if err != nil {
		return Scenario{}, false
	}
	s, err := Parse(path, text)
	if err != nil {
		panic("scenarios: the catalogue is broken: " + err.Error())
	}
	s.ID = id
	return s, true
}

// Matching returns the IDs of the built-in scenarios that a pattern names: an ID, a source such as "kleppmann", a name without its
// source, or any of these with * and ?.
func Matching(pattern string) (ids []string, err error) {
	for _, id := range IDs() {
		ok, err := matches(pattern, id)
		if err != nil {
			return nil, fmt.Errorf("%q is not a pattern: %w", pattern, err)
		}
		if ok {
			ids = append(ids, id)
		}
	}
	if ids == nil {
		return nil, fmt.Errorf("no scenario matches %q%s", pattern, cmp.Or(Suggest(pattern, sourcesAndIDs()), seeList))
	}
	return ids, nil
}

// seeList ends an error about a name that is like none of the catalogue's.
const seeList = "; see lockstorm list"

// UnknownScenario returns the error about an ID that the catalogue does not have.
func UnknownScenario(id string) error {
	hint := Suggest(id, IDs())
	if _, err := os.Stat(id); hint == "" && err == nil {
		hint = "; the name of a scenario file ends in .yaml"
	}
	return fmt.Errorf("there is no scenario %q%s", id, cmp.Or(hint, seeList))
}

func matches(pattern, id string) (bool, error) {
	if strings.HasPrefix(id, strings.TrimSuffix(pattern, "/")+"/") {
		return true, nil
	}
	if !strings.Contains(pattern, "/") {
		id = path.Base(id)
	}
	return path.Match(pattern, id)
}

// sourcesAndIDs returns all that a pattern may have meant.
func sourcesAndIDs() []string {
	all := IDs()
	for _, id := range IDs() {
		if source := path.Dir(id); !slices.Contains(all, source) {
			all = append(all, source)
		}
	}
	return all
}
