package command

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/cmd/internal/work"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/scenarios/campaign/archive"
	"github.com/lockstorm/lockstorm/scenarios/campaign/study"
)

// A sweepCommand holds the flags of sweep.
type sweepCommand struct {
	axisFlags
	work.Work
	tight   string
	asStudy bool
}

func newSweep() *cobra.Command {
	var v sweepCommand
	c := &cobra.Command{
		Use:   "sweep SCENARIO|FILE --axis KEY=FROM..TO:lin|log:STEPS…",
		Short: "Measure how often promises break across settings",
		Args:  cli.One("SCENARIO", "lockstorm list names them"),
		RunE: func(c *cobra.Command, args []string) error {
			if err := v.complete(args[0]); err != nil {
				return err
			}
			return v.sweep(c, args)
		},
	}
	v.flags(c, 100)
	f := c.Flags()
	f.StringVar(&v.tight, "tight", "0.01", "a cell stops early when its intervals are no wider than `W`; 0 for never")
	f.BoolVar(&v.asStudy, "as-study", false, "print a file for lockstorm study with the same cells, and make no runs")
	cli.FormatFlag(f, &v.format)
	v.AddFlags(c)
	return c
}

// sweep makes the runs, and prints what was found.
func (v *sweepCommand) sweep(c *cobra.Command, args []string) error {
	w, err := v.grid()
	if err != nil {
		return err
	}
	if v.asStudy {
		return v.printStudy(c, w)
	}
	job := w.Job()
	if w.Tight == 0 {
		job.Size = archive.BlockSize(len(job.Cells), job.Runs)
	}
	g := job.Grid(w.Properties)
	if err := v.Do(c, args, job, g.Count); err != nil {
		return err
	}
	d := v.table(w, g).Document()
	if err := cli.Write(c.OutOrStdout(), d, v.format, false); err != nil {
		return err
	}
	return v.Exit(cli.AsExpected)
}

// printStudy prints the sweep as a study, of the property that is named, or else of the first that the scenario expects to break.
func (v *sweepCommand) printStudy(c *cobra.Command, w *campaign.Sweep) error {
	s, err := study.FromSweep(w)
	if err != nil {
		return fmt.Errorf("--as-study: %w", err)
	}
	if len(v.properties) > 1 {
		return fmt.Errorf("--as-study: a study measures one thing; name one --property, not %d", len(v.properties))
	}
	s.Scenario, s.Set, s.X.Log, s.Measure = v.Named, v.Set, strings.Contains(v.axes[len(v.axes)-1], ":log:"), "storage"
	if i := slices.IndexFunc(checker.Properties, func(p checker.Property) bool {
		return v.Scenario.Expected(p.Name) == checker.Violated
	}); i >= 0 {
		s.Measure = checker.Properties[i].Name
	}
	s.Measure = slices.Concat(v.properties, []string{s.Measure})[0]
	s.Title = fmt.Sprintf("How often %s breaks in %s, by %s", s.Measure, v.Named, w.Axes[len(w.Axes)-1].Key)
	_, err = c.OutOrStdout().Write(s.File())
	return err
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
