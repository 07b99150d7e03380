package command

import (
	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
)

// A sweepCommand holds the flags of sweep, which is a study that one writes on the command line.
type sweepCommand struct {
	studyCommand
	set, axes, properties []string
	asStudy               bool
}

func newSweep() *cobra.Command {
	var v sweepCommand
	c := &cobra.Command{
		Use:   "sweep SCENARIO|FILE --axis KEY=FROM..TO:lin|log:STEPS…",
		Short: "Measure how often promises break across settings",
		Args:  cli.One("SCENARIO", "lockstorm list names them"),
		RunE: func(c *cobra.Command, args []string) error {
			text, err := v.file(args[0])
			if err != nil {
				return err
			}
			if v.asStudy {
				_, err := c.OutOrStdout().Write(text)
				return err
			}
			return v.run(c, args, "sweep", text)
		},
	}
	f := c.Flags()
	f.StringArrayVar(&v.axes, "axis", nil, "the setting and its values: `KEY=VALUES`")
	f.StringSliceVar(&v.properties, "property", nil, "measure the property or figure `NAME`; may be given more than "+
		"once")
	f.IntVar(&v.runs, "runs", 100, "make `N` runs per cell")
	f.Uint64Var(&v.seed, "seed", 1, "the first seed per cell is `N`")
	f.StringArrayVar(&v.set, "set", nil, "change the scenario first: `KEY=VALUE`; may be given more than once")
	v.addFigures(c)
	f.BoolVar(&v.asStudy, "as-study", false, "print a file for lockstorm study with the same cells, and make no runs")
	cli.FormatFlag(f, &v.format)
	v.AddFlags(c)
	return c
}
