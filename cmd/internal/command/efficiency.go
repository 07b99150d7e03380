package command

import (
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/cmd/internal/build"
	"github.com/lockstorm/lockstorm/cmd/internal/exit"
	"github.com/lockstorm/lockstorm/cmd/internal/input"
	"github.com/lockstorm/lockstorm/cmd/internal/work"
	"github.com/lockstorm/lockstorm/reports/campaigns"
	"github.com/lockstorm/lockstorm/reports/layout"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

func newEfficiency() *cobra.Command {
	var e campaign.Efficiency
	var format string
	var quiet bool
	c := &cobra.Command{
		Use:   "efficiency",
		Short: "Count how often a job is done twice, by lock and class of faults",
		Long: "Run the scenario efficiency/dedup, in which three workers compete for the same jobs, with a lock on one node, with\n" +
			"Redlock and with a lock like Redisson's, under no fault and under each class of faults alone. Count how many executions\n" +
			"began while another worker was still busy with the same job. Faults are frequent and long here: compare the locks\n" +
			"under the same faults; the rates are not a forecast.\n\n" +
			"The exit code is 0 whatever the counts.",
		Example: "  lockstorm efficiency\n  lockstorm efficiency --runs 5000 --format json",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			switch {
			case e.Runs < 2:
				return fmt.Errorf("--runs: %d are too few to see how runs scatter; give 2 or more", e.Runs)
			case e.First > input.SeedMax || e.First+uint64(e.Runs)-1 > input.SeedMax:
				return fmt.Errorf("--seed: seeds go up to %d", uint64(input.SeedMax))
			case !slices.Contains([]string{"text", "markdown", "json"}, format):
				return fmt.Errorf("--format: %q is none of text, markdown, json", format)
			}
			if err := work.CheckWorkers(&e.Workers); err != nil {
				return err
			}
			p := work.NewProgress(c.ErrOrStderr(), work.ModeFor(c.ErrOrStderr(), "auto", quiet), e.Total())
			e.Each = p.Result
			counts := e.Run()
			p.End()
			return printEfficiency(c.OutOrStdout(), &e, counts, format)
		},
	}
	f := c.Flags()
	f.SortFlags = false
	f.IntVar(&e.Runs, "runs", 1000, "make `N` runs for each lock and class of faults")
	f.Uint64Var(&e.First, "seed", 1, "the first seed of each is `N`")
	work.AddWorkers(f, &e.Workers)
	f.StringVar(&format, "format", "text", "print `text|markdown|json`")
	f.BoolVarP(&quiet, "quiet", "q", false, "show no progress")
	return c
}

func printEfficiency(out io.Writer, e *campaign.Efficiency, counts []campaign.Duplication, format string) error {
	x := campaigns.NewEfficiency(e, counts)
	x.Lockstorm = build.Version
	text := x.Document().Text(layout.Screen{})
	switch format {
	case "json":
		text = string(layout.JSON(x))
	case "markdown":
		text = x.Document().Markdown()
	}
	return exit.Print(out, text)
}
