package command

import (
	"path/filepath"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/cmd/internal/store"
	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// shrink looks for the least that breaks each cell.
func (m *matrixCommand) shrink(plots []campaign.Plot) {
	if n := m.matrix.Broken(plots); n > 0 {
		m.Then("counterexamples", n, func(stop func() bool, done func()) { m.matrix.ShrinkAll(plots, stop, done) })
	}
}

func (m *matrixCommand) keep(plots []campaign.Plot) (*reports.Matrix, error) {
	x := &reports.Matrix{Matrix: &m.matrix, Plots: plots, Version: cli.Version, Summary: m.summary, Sentences: m.sentences}
	for i := range plots {
		l := plots[i].Least
		if m.Store == "" || l == nil {
			continue
		}
		file := filepath.Join(m.Store, "found", l.Name()+".yaml")
		named, command, err := store.WriteLeast(file, &l.Scenario, l.Seed)
		if err != nil {
			return nil, m.Explain(err)
		}
		x.Kept = append(x.Kept, reports.Least{Place: i, File: named, Command: command})
	}
	return x, nil
}
