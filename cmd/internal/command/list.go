package command

import (
	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/reports/runs"
	"github.com/lockstorm/lockstorm/scenarios"
)

func newList() *cobra.Command {
	var colour, format string
	c := &cobra.Command{
		Use:   "list [GLOB|FILE|FOLDER…]",
		Short: "List the scenarios",
		RunE: func(c *cobra.Command, args []string) error {
			subjects, err := cli.Select(args)
			if err != nil {
				return err
			}
			all := make([]scenarios.Scenario, len(subjects))
			for i := range subjects {
				all[i] = subjects[i].Scenario
			}
			out := c.OutOrStdout()
			return cli.WriteFor(cli.ScreenFor(out, colour), out, runs.List(all), format, false)
		},
	}
	cli.FormatFlag(c.Flags(), &format)
	cli.ColorFlag(c.Flags(), &colour)
	return c
}
