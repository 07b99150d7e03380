package command

import (
	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/reports/campaigns"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

func newEfficiency() *cobra.Command {
	var q countingCommand
	c := &cobra.Command{
		Use:   "efficiency",
		Short: "Count how often a job is done twice, by lock and class of faults",
		Args:  cli.None,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := q.check(); err != nil {
				return err
			}
			e := campaign.Efficiency{First: q.seed, Runs: q.runs, Workers: q.workers}
			p := q.newProgress(c, e.Total())
			e.Each = p.Result
			counts := e.Run()
			p.End()
			x := campaigns.NewEfficiency(&e, counts)
			x.Lockstorm = cli.Version
			return cli.Write(c.OutOrStdout(), x.Document(), q.format, false)
		},
	}
	q.addFlags(c, 1000, "lock and class of faults")
	return c
}
