package play

import (
	"strings"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
)

// About is what there is to play with.
type About struct {
	Version   string    `json:"version"`
	Revision  string    `json:"revision"`
	Scenarios []Listed  `json:"scenarios"`
	Promises  []Promise `json:"promises"`
	Faults    []Kind    `json:"faults"`
}

// A Listed scenario is one of the catalogue.
type Listed struct {
	ID       string `json:"id"`
	Title    string `json:"title"`
	Group    string `json:"group"` // the first part of its ID: who claimed it
	About    string `json:"about"`
	RunsHere bool   `json:"runs_here"`
	WhyNot   string `json:"why_not"`
}

// A Promise is what a lock should keep, and what its judge asks.
type Promise struct {
	Name string `json:"name"`
	Asks string `json:"asks"`
}

// A Kind is a kind of fault.
type Kind struct {
	Name  string `json:"name"`
	Form  string `json:"form"` // how a schedule writes it
	About string `json:"about"`
}

func (p *Program) about() *About {
	a := &About{Version: p.Version, Revision: p.Revision, Scenarios: p.listed()}
	for _, x := range checker.Properties {
		a.Promises = append(a.Promises, Promise{x.Name, x.Asks})
	}
	for _, k := range faults.Kinds {
		a.Faults = append(a.Faults, Kind{k.Name, k.Form, k.About})
	}
	return a
}

// listed returns the catalogue. It is read once.
func (p *Program) listed() []Listed {
	if p.started != nil {
		return p.started
	}
	for _, s := range scenarios.Catalogue() {
		why := refused(&s)
		group, _, _ := strings.Cut(s.ID, "/")
		p.started = append(p.started, Listed{s.ID, s.Title, group, s.About, why == "", why})
	}
	return p.started
}
