package command

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/reports/campaigns"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

func (v *sweepCommand) complete(id string) error {
	if err := v.Request.Complete(id); err != nil {
		return err
	}
	for _, set := range v.Set {
		key, _, _ := strings.Cut(set, "=")
		v.Scenario.Hold(key)
	}
	return nil
}

// command returns the command that runs a seed with more settings.
func (v *sweepCommand) command(settings []string, seed uint64) string {
	q := cli.Request{Named: v.Named, Set: append(slices.Clip(v.Set), settings...)}
	return q.Command(seed)
}

func (v *sweepCommand) grid() (w *campaign.Sweep, err error) {
	w = &campaign.Sweep{Scenario: &v.Scenario, First: v.Seed, Runs: v.Runs, Properties: v.properties}
	if w.Tight, err = readTight(v.tight); err != nil {
		return nil, err
	}
	for _, text := range v.axes {
		a, err := campaign.ParseAxis(&v.Scenario, text)
		if err != nil {
			return nil, fmt.Errorf("--axis: %w", cli.OneLine(err))
		}
		w.Axes = append(w.Axes, a)
	}
	if err := w.Check(); err != nil {
		return nil, cli.OneLine(err)
	}
	return w, nil
}

// readTight reads a share as settings do, and returns it in millionths.
func readTight(text string) (millionths int, err error) {
	s := scenarios.Base()
	if err := s.Set("network.loss=" + text); err != nil || s.Network.Loss < 0 || s.Network.Loss > 1_000_000 {
		return 0, fmt.Errorf("--tight: %q is not a share of at most six decimals from 0 to 1, such as 0.01", text)
	}
	return int(s.Network.Loss), nil
}

// table is what the runs have shown, with the command that runs the first seed that broke something.
func (v *sweepCommand) table(w *campaign.Sweep, g *campaign.Grid) *campaigns.Sweep {
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
