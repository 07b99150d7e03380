package input

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/lockstorm/lockstorm/scenarios"
)

// A Subject is a scenario to test, and the file that it was read from, if any.
type Subject struct {
	Scenario scenarios.Scenario
	File     string
}

// Select returns the scenarios that the arguments name, each once; without arguments, the whole catalogue.
func Select(args []string) (all []Subject, err error) {
	if len(args) == 0 {
		args = []string{"*"}
	}
	for _, arg := range args {
		found, err := matching(arg)
		if err != nil {
			return nil, err
		}
		for _, u := range found {
			if !slices.ContainsFunc(all, func(o Subject) bool { return o.File == u.File && o.Scenario.ID == u.Scenario.ID }) {
				all = append(all, u)
			}
		}
	}
	return all, nil
}

func matching(arg string) (all []Subject, err error) {
	if IsFile(arg) {
		s, err := Read(arg)
		return []Subject{{s, arg}}, err
	}
	for _, id := range scenarios.IDs() {
		ok, err := matches(arg, id)
		if err != nil {
			return nil, fmt.Errorf("%q is not a pattern: %w", arg, err)
		}
		if ok {
			s, _ := scenarios.Find(id)
			all = append(all, Subject{Scenario: s})
		}
	}
	if all == nil {
		return nil, fmt.Errorf("no scenario matches %q%s", arg, nearest(arg))
	}
	return all, nil
}

// matches reports whether an argument names a scenario: by its ID, its source, or its name alone.
func matches(arg, id string) (bool, error) {
	if strings.HasPrefix(id, strings.TrimSuffix(arg, "/")+"/") {
		return true, nil
	}
	if !strings.Contains(arg, "/") {
		id = path.Base(id)
	}
	return path.Match(arg, id)
}

// nearest returns the end of the error about an argument that names nothing.
func nearest(arg string) string {
	known := scenarios.IDs()
	for _, id := range scenarios.IDs() {
		if source := path.Dir(id); !slices.Contains(known, source) {
			known = append(known, source)
		}
	}
	if hint := scenarios.Suggest(arg, known); hint != "" {
		return hint
	}
	return "; see lockstorm list"
}
