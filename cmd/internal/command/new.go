package command

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/scenarios"
)

func newNew() *cobra.Command {
	var schema bool
	c := &cobra.Command{
		Use:   "new ID",
		Short: "Print a commented scenario to start from",
		Args:  cli.AtMostOne("ID", "lockstorm list names them"),
		RunE: func(c *cobra.Command, args []string) error {
			switch {
			case schema && len(args) > 0:
				return fmt.Errorf("--schema: all scenarios have one schema; leave out %s", args[0])
			case schema:
				return cli.Print(c.OutOrStdout(), string(scenarios.Schema()))
			case len(args) == 0:
				return errors.New("new: the ID is missing; lockstorm list names them, and --schema prints the schema")
			}
			s, known := scenarios.Find(args[0])
			if !known {
				return scenarios.UnknownScenario(args[0])
			}
			return cli.Print(c.OutOrStdout(), cli.SchemaLine("scenario.schema.json")+string(s.Commented()))
		},
	}
	c.Flags().BoolVar(&schema, "schema", false, "print the JSON Schema of scenario files, for an editor")
	return c
}
