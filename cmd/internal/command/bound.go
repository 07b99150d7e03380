package command

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/cmd/internal/work"
	"github.com/lockstorm/lockstorm/reports/runs"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

func newBound() *cobra.Command {
	var v boundCommand
	c := &cobra.Command{
		Use:   "bound SCENARIO|FILE [--axis KEY=FROM..TO]",
		Short: "Find where a property begins to break, and compare the bound from theory",
		Args:  cli.One("SCENARIO", "lockstorm list names them"),
		RunE: func(c *cobra.Command, args []string) error {
			if err := v.complete(args[0]); err != nil {
				return err
			}
			v.Errs = c.ErrOrStderr()
			return v.bound(c.OutOrStdout())
		},
	}
	v.flags(c, 10)
	cli.FormatFlag(c.Flags(), &v.format)
	v.AddProgress(c)
	return c
}

// A boundCommand holds the flags of bound.
type boundCommand struct {
	axisFlags
	work.Work // of which it has the progress, and the end by a signal
}

func (v *boundCommand) bound(out io.Writer) error {
	all, err := v.sought()
	if err != nil {
		return err
	}
	edges, of := v.measure(all)
	if v.Stopped {
		fmt.Fprintf(v.Errs, cli.Name+": stopped after %d of %d bounds\n", len(edges), of)
	}
	if len(edges) > 0 {
		err = v.printEdges(out, edges)
	}
	if err == nil && v.Stopped {
		return cli.Exit(cli.Interrupted)
	}
	return err
}

// measure finds all edges, until a signal comes, and returns how many there are to find.
func (v *boundCommand) measure(all []campaign.BoundSearch) (edges []campaign.Edge, of int) {
	add, end := v.Watch("runs")
	defer end()
	for i := range all {
		all[i].Stop = func() bool { return add(1) }
		edges, of = append(edges, all[i].Edges()...), of+all[i].Many()
	}
	return edges, of
}

func (v *boundCommand) printEdges(out io.Writer, edges []campaign.Edge) error {
	x := runs.NewEdges(&v.Scenario, v.Seed, v.Runs, edges)
	x.Lockstorm, x.Settings = cli.Version, append(x.Settings, v.Set...)
	return cli.Write(out, x.Document(), v.format, false)
}

// sought returns what is to be measured: along the axes, or all bounds that are stated.
func (v *boundCommand) sought() (all []campaign.BoundSearch, err error) {
	plain := campaign.BoundSearch{Scenario: &v.Scenario, Properties: v.properties, First: v.Seed, Seeds: v.Runs}
	if len(v.axes) == 0 {
		if err := plain.Check(); err != nil {
			return nil, err
		}
		if plain.Many() == 0 {
			return nil, fmt.Errorf("%s states no bound%s; name a setting and its ends: --axis KEY=FROM..TO", v.Named, among(v.properties))
		}
		return []campaign.BoundSearch{plain}, nil
	}
	for _, text := range v.axes {
		b := plain
		if b.Span, err = campaign.ParseSpan(&v.Scenario, text); err != nil {
			return nil, fmt.Errorf("--axis: %w", cli.OneLine(err))
		}
		if err := b.Check(); err != nil {
			return nil, cli.OneLine(err)
		}
		all = append(all, b)
	}
	return all, nil
}

// among returns the end of a sentence about some properties only.
func among(properties []string) string {
	if len(properties) == 0 {
		return ""
	}
	return " for " + strings.Join(properties, " or ")
}
