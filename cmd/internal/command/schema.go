package command

import (
	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/scenarios"
)

func newSchema() *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON Schema of scenario files",
		Args:  cli.None,
		RunE: func(c *cobra.Command, _ []string) error {
			return cli.Print(c.OutOrStdout(), string(scenarios.Schema()))
		},
	}
}
