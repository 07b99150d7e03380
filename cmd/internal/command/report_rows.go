package command

import (
	"io"
	"os"
	"path/filepath"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/cmd/internal/work"
	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/campaigns"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/scenarios/campaign/archive"
)

// isArchive reports whether a directory holds the rows of a campaign, not a result.
func isArchive(dir string) bool {
	_, err := os.Lstat(filepath.Join(dir, archive.ManifestFile))
	return err == nil
}

// printRows prints the table of the rows in a directory, as the command that made them did.
func printRows(out io.Writer, dir string) error {
	a, err := work.Open(dir)
	if err != nil {
		return err
	}
	var text string
	switch a.Manifest.Kind {
	case campaign.SweepJob:
		text, err = sweepTable(a)
	default:
		text, err = verdictsOf(a)
	}
	if err != nil {
		return work.Repair(err)
	}
	return cli.Print(out, text)
}

func counted(a *archive.Archive, properties []string) (*campaign.Grid, error) {
	g := a.Job.Grid(properties)
	return g, a.Each(func(block int, rows []campaign.Row) error {
		_, err := g.Count(block, rows)
		return err
	})
}

func sweepTable(a *archive.Archive) (string, error) {
	w := campaign.SweepOf(a.Job)
	g, err := counted(a, nil)
	if err != nil {
		return "", err
	}
	v := axisFlags{Request: cli.Request{Named: origin(a)}}
	return v.table(w, g).Document().Text(reports.Screen{Program: cli.Program}), nil
}

// origin names the scenario of an archive for the user: by its ID if it is that of the catalogue, else by the file that the
// archive has of it.
func origin(a *archive.Archive) string {
	if s, ok := scenarios.Find(a.Job.Scenario.ID); ok && string(s.YAML()) == string(a.Job.Scenario.YAML()) {
		return s.ID
	}
	return filepath.ToSlash(filepath.Join(a.Dir, archive.ScenarioFile))
}

// verdictsOf returns the verdicts of rows that belong to no table.
func verdictsOf(a *archive.Archive) (string, error) {
	t := campaign.NewTally(a.Job.Scenario)
	err := a.Each(func(block int, rows []campaign.Row) error {
		_, err := t.Count(block, rows)
		return err
	})
	return rowCounts(t.Verdicts, a.Dir), err
}

// table is what the runs have shown, with the command that runs the first seed that broke something.
func (v *axisFlags) table(w *campaign.Sweep, g *campaign.Grid) *campaigns.Sweep {
	s := campaigns.NewSweep(w, g.Cells)
	s.Lockstorm, s.Settings = cli.Version, append(s.Settings, v.Set...)
	for i := range g.Cells {
		if !g.Over(i) {
			s.Missing += w.Runs - g.Cells[i].Runs
		}
	}
	if cell, seed, found := s.FirstBroken(); found && !w.Scenario.Search.Drawn() {
		s.Command = v.command(cell.Settings, seed)
	}
	return &s
}
