package main

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/lockstorm/lockstorm/scenarios"
)

// A subject is a scenario to test, and the file it is from, if it is from one.
type subject struct {
	scenario scenarios.Scenario
	file     string
}

// chosen gives the scenarios that the arguments name, each once; all of the catalogue if there are none.
func chosen(args []string) (all []subject, err error) {
	if len(args) == 0 {
		args = []string{"*"}
	}
	for _, arg := range args {
		found, err := matching(arg)
		if err != nil {
			return nil, err
		}
		for _, u := range found {
			if !slices.ContainsFunc(all, func(o subject) bool { return o.file == u.file && o.scenario.ID == u.scenario.ID }) {
				all = append(all, u)
			}
		}
	}
	return all, nil
}

// matching gives the scenarios that one argument names.
func matching(arg string) (all []subject, err error) {
	if isFile(arg) {
		s, err := read(arg)
		return []subject{{s, arg}}, err
	}
	for _, id := range scenarios.IDs() {
		ok, err := matches(arg, id)
		if err != nil {
			return nil, fmt.Errorf("%q is no pattern: %w", arg, err)
		}
		if ok {
			s, _ := scenarios.Find(id)
			all = append(all, subject{scenario: s})
		}
	}
	if all == nil {
		return nil, fmt.Errorf("no scenario matches %q%s", arg, nearest(arg))
	}
	return all, nil
}

// matches tells whether an argument names a scenario: by its ID, its source, or its name alone.
func matches(arg, id string) (bool, error) {
	if strings.HasPrefix(id, strings.TrimSuffix(arg, "/")+"/") {
		return true, nil
	}
	if !strings.Contains(arg, "/") {
		id = path.Base(id)
	}
	return path.Match(arg, id)
}

// nearest ends the error about an argument that names nothing.
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
