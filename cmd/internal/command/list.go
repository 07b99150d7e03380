package command

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/reports/layout"
	"github.com/lockstorm/lockstorm/reports/onerun"
	"github.com/lockstorm/lockstorm/scenarios"
)

func newList() *cobra.Command {
	var colour, format string
	c := &cobra.Command{
		Use:   "list",
		Short: "List the scenarios",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if format == "json" {
				return cli.Print(c.OutOrStdout(), string(layout.JSON(onerun.ListJSON(scenarios.Catalogue()))))
			}
			_, err := fmt.Fprint(c.OutOrStdout(), onerun.List(cli.ScreenFor(c.OutOrStdout(), colour), scenarios.Catalogue()))
			return err
		},
	}
	cli.FormatFlag(c.Flags(), &format, "text", "json")
	cli.ColorFlag(c.Flags(), &colour)
	return c
}
