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
		Use:   "list",
		Short: "List the scenarios",
		Args:  cli.None,
		RunE: func(c *cobra.Command, _ []string) error {
			out := c.OutOrStdout()
			return cli.WriteFor(cli.ScreenFor(out, colour), out, runs.List(scenarios.Catalogue()), format, false)
		},
	}
	cli.FormatFlag(c.Flags(), &format)
	cli.ColorFlag(c.Flags(), &colour)
	return c
}
