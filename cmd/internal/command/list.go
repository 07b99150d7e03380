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
		Long: "List the scenarios of the catalogue, each with the promises that it is expected to break. A mutant is the lock with one\n" +
			"rule broken: \"lockstorm test --mutants\" runs them. A scenario with a search draws faults and settings from its seed.",
		Args: cobra.NoArgs,
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
