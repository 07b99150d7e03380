package command

import (
	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/scenarios"
)

func newNew() *cobra.Command {
	return &cobra.Command{
		Use:   "new ID",
		Short: "Print a scenario as a commented file, to start your own from",
		Args:  cli.One("ID", "lockstorm list names them"),
		RunE: func(c *cobra.Command, args []string) error {
			s, known := scenarios.Find(args[0])
			if !known {
				return scenarios.UnknownScenario(args[0])
			}
			return cli.Print(c.OutOrStdout(), scenarios.SchemaLine("scenario.schema.json")+string(s.Commented()))
		},
	}
}
