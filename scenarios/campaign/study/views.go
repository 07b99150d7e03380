package study

import (
	"strings"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// Views are how much of what breaks in true time each view of a black box sees, and their JSON: what lockstorm study
// blackbox --format json prints.
type Views struct {
	SchemaVersion int                      `json:"schema_version"`
	Lockstorm     string                   `json:"lockstorm"`
	Name          string                   `json:"name"`
	Seed          uint64                   `json:"seed"` // the first of each line
	Runs          int                      `json:"runs"` // of each line
	Views         []string                 `json:"views"`
	Reasons       []string                 `json:"reasons"`
	All           campaign.BlackBoxCount   `json:"all"`
	Lines         []campaign.BlackBoxCount `json:"lines"`

	study *Study
}

// Views returns what a table counted.
func (s *Study) Views(g *campaign.BlackBoxTable) *Views {
	x := &Views{
		SchemaVersion: checker.SchemaVersion, Name: s.Name, Seed: s.Seed, Runs: s.Runs, Reasons: campaign.Reasons[:], study: s,
	}
	for _, name := range scenarios.Judged()[len(checker.Properties):] {
		x.Views = append(x.Views, strings.TrimPrefix(name, scenarios.BlackBox+"."))
	}
	whole := g.Whole()
	x.All = whole.Named("")
	for i := range g.Cells {
		line, value := s.Place(i)
		name := strings.TrimSpace(s.Lines[line].Name + " " + s.X.Points[value])
		x.Lines = append(x.Lines, g.Cells[i].Named(name))
	}
	return x
}

// Study returns what the file of the study says.
func (x *Views) Study() *Study { return x.study }
