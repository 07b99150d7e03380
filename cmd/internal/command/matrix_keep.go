package command

import (
	"path/filepath"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/cmd/internal/store"
	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/campaigns"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// shrink looks for the least that breaks each cell.
func (m *matrixCommand) shrink(plots []campaign.Plot) {
	if n := m.matrix.Broken(plots); n > 0 {
		m.Then("counterexamples", n, func(stop func() bool, done func()) { m.matrix.ShrinkAll(plots, stop, done) })
	}
}

func (m *matrixCommand) keep(plots []campaign.Plot) (*campaigns.Matrix, error) {
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
			return nil, m.Explain(err)
		}
		x.Kept(i, named, command)
	}
	return &x, nil
}

// document is the matrix as the flags ask for it: its tables, one for all, or a line for each cell.
func (m *matrixCommand) document(x *campaigns.Matrix) *reports.Document {
	switch {
	case m.sentences:
		return x.Sentences()
	case m.summary:
		return x.Summary()
	}
	return x.Document()
}
