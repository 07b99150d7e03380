package command

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/reports/campaigns"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// A blackBoxCommand holds the flags of blackbox.
type blackBoxCommand struct {
	countingCommand
	set, axes []string
}

func newBlackBox() *cobra.Command {
	var q blackBoxCommand
	c := &cobra.Command{
		Use:   "blackbox [SCENARIO|FILE…]",
		Short: "Count how much of what breaks a linearizability checker sees",
		RunE: func(c *cobra.Command, args []string) error {
			if err := q.check(); err != nil {
				return err
			}
			g := campaign.Sighting{First: q.seed, Runs: q.runs, Workers: q.workers}
			if err := q.choose(&g, args); err != nil {
				return err
			}
			p := q.newProgress(c, g.Total())
			g.Each = p.Result
			all := g.Run()
			p.End()
			x := campaigns.NewSighting(&g, all)
			x.Lockstorm = cli.Version
			return cli.Write(c.OutOrStdout(), x.Document(), q.format, false)
		},
	}
	q.addFlags(c, 1000, "scenario")
	f := c.Flags()
	f.StringArrayVar(&q.set, "set", nil, "change the scenarios that are named: `KEY=VALUE`; may be given more than once")
	f.StringArrayVar(&q.axes, "axis", nil, "a setting of the scenario that is named, and its values: `KEY=VALUES`, as for sweep")
	return c
}

// choose finds the scenarios to run: those that are named, or the catalogue, or the cells of a grid.
func (q *blackBoxCommand) choose(g *campaign.Sighting, args []string) error {
	switch {
	case len(args) == 0 && len(q.set) > 0:
		return errors.New("--set changes the scenarios that are named; name some")
	case len(q.axes) > 0 && len(args) != 1:
		return fmt.Errorf("--axis is a setting of one scenario; %d are named", len(args))
	case len(args) == 0:
		g.Scenarios = scenarios.Catalogue()
	}
	for _, name := range args {
		r := cli.Request{Set: q.set, Seed: q.seed, Runs: q.runs}
		if err := r.Complete(name); err != nil {
			return err
		}
		g.Scenarios = append(g.Scenarios, r.Scenario)
	}
	var axes []campaign.Axis
	for _, text := range q.axes {
		a, err := campaign.ParseAxis(&g.Scenarios[0], text)
		if err != nil {
			return fmt.Errorf("--axis: %w", cli.OneLine(err))
		}
		axes = append(axes, a)
	}
	if len(axes) == 0 {
		return nil
	}
	if err := g.Along(&g.Scenarios[0], axes); err != nil {
		return cli.OneLine(err)
	}
	return nil
}
