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
		Long: "Print a scenario of the catalogue as a complete file, with a comment on each value. Change it and run it.\n" +
			"For completion in an editor, put the schema beside it: lockstorm schema > scenario.schema.json",
		Example: "  lockstorm new kleppmann/gc-pause > my.yaml\n  lockstorm run my.yaml",
		Args:    cli.One("ID", "lockstorm list names them"),
		RunE: func(c *cobra.Command, args []string) error {
			s, known := scenarios.Find(args[0])
			if !known {
				return scenarios.UnknownScenario(args[0])
			}
			return cli.Print(c.OutOrStdout(), scenarios.SchemaLine("scenario.schema.json")+string(s.Commented()))
		},
	}
}
