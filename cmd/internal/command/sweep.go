package command

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/cmd/internal/work"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/scenarios/campaign/archive"
	"github.com/lockstorm/lockstorm/scenarios/campaign/study"
)

// A sweepCommand holds the flags of sweep.
type sweepCommand struct {
	cli.Request
	work.Work
	format, tight    string
	axes, properties []string
	asStudy          bool
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
	f := c.Flags()
	f.StringArrayVar(&v.axes, "axis", nil, "the setting and its values: `KEY=VALUES`")
	f.StringSliceVar(&v.properties, "property", nil, "report the property `NAME` only; may be given more than once")
	f.IntVar(&v.Runs, "runs", 100, "make `N` runs per value")
	f.Uint64Var(&v.Seed, "seed", 1, "the first seed per value is `N`")
	f.StringArrayVar(&v.Set, "set", nil, "change the scenario first: `KEY=VALUE`; may be given more than once")
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
	return v.End(cli.Write(c.OutOrStdout(), d, v.format, false), cli.AsExpected)
}

// printStudy prints the sweep as a study, of the property that is named, or else of the first that the scenario expects
// to break.
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
