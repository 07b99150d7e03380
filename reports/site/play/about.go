package play

import (
	"strings"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
)

// An aboutAnswer lists what a user can play with.
type aboutAnswer struct {
	Scenarios []listedScenario `json:"scenarios"`
	Promises  []promise        `json:"promises"`
	Faults    []faultKind      `json:"faults"`
}

// A listedScenario is one of the catalogue.
type listedScenario struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	Group string `json:"group"` // the first part of its ID: who claimed it
	About string `json:"about"`
}

// A promise is a promise of a lock: its name in files and for people, the question of its judge, and both answers.
type promise struct {
	Name   string `json:"name"`
	Plain  string `json:"plain"`
	Asks   string `json:"asks"`
	Broken string `json:"broken"`
	Fixed  string `json:"fixed"`
}

// A faultKind is a kind of fault.
type faultKind struct {
	Name  string `json:"name"`
	Label string `json:"label"` // its name for people
	Form  string `json:"form"`  // how a schedule writes it
	About string `json:"about"`
}

func (p *Program) about(*struct{}) (*aboutAnswer, error) {
	a := &aboutAnswer{}
	for _, s := range scenarios.Catalogue() {
		group, _, _ := strings.Cut(s.ID, "/")
		a.Scenarios = append(a.Scenarios, listedScenario{s.ID, s.Title, group, s.About})
	}
	for _, x := range checker.Properties {
		a.Promises = append(a.Promises, promise{x.Name, x.Plain, x.Asks, x.Broken, x.Fixed})
	}
	for _, k := range faults.Kinds {
		a.Faults = append(a.Faults, faultKind{k.Name, k.Label, k.Form, k.About})
	}
	return a, nil
}
