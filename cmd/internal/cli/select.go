package cli

import (
	"slices"

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
	if scenarios.IsFile(arg) {
		s, err := scenarios.Open(arg)
		return []Subject{{s, arg}}, err
	}
	ids, err := scenarios.Matching(arg)
	for _, id := range ids {
		s, _ := scenarios.Find(id)
		all = append(all, Subject{Scenario: s})
	}
	return all, err
}
