package command

import (
	"path/filepath"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/cmd/internal/store"
	"github.com/lockstorm/lockstorm/reports/campaigns"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// shrink looks for the least that breaks each cell.
func (m *matrixCommand) shrink(plots []campaign.Plot) {
	if n := m.matrix.Broken(plots); n > 0 {
		m.Then("counterexamples", n, func(stop func() bool, done func()) { m.matrix.ShrinkAll(plots, stop, done) })
	}
}

func (m *matrixCommand) keep(plots []campaign.Plot) (campaigns.Matrix, error) {
	x := campaigns.NewMatrix(&m.matrix, plots)
	x.Lockstorm = cli.Version
	for i := range plots {
		l := plots[i].Least
		if m.Store == "" || l == nil {
			continue
		}
		file := filepath.Join(m.Store, "found", l.Name()+".yaml")
		named, command, err := store.WriteLeast(file, &l.Scenario, l.Seed)
		if err != nil {
			return x, m.Explain(err)
		}
		x.Kept(i, named, command)
	}
	return x, nil
}
