package command

import (
	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/reports/site/forecasts"
	"github.com/lockstorm/lockstorm/scenarios/forecast/environment"
)

func newEnvironment() *cobra.Command {
	var format string
	c := &cobra.Command{
		Use:   "environment",
		Short: "Show how often faults occur",
		Long:  help("forecast-environment"),
		Args:  cli.None,
		RunE: func(c *cobra.Command, _ []string) error {
			t := cli.Table{Title: "Environments", Heads: []string{"name", "what it is"}}
			for _, name := range environment.Names() {
				e, _ := environment.Find(name)
				t.Rows = append(t.Rows, []string{name, e.Title})
			}
			return cli.Write(c.OutOrStdout(), t.Document(), format, false)
		},
	}
	cli.FormatFlag(c.Flags(), &format)
	c.AddCommand(newEnvironmentShow(), newEnvironmentSchema())
	return c
}

func newEnvironmentShow() *cobra.Command {
	var format string
	var file bool
	c := &cobra.Command{
		Use:   "show NAME|FILE",
		Short: "Show how often each cause hits, how large it is, and who measured that",
		Args:  cli.One("environment", "lockstorm forecast environment lists them"),
		RunE: func(c *cobra.Command, args []string) error {
			e, err := environment.Open(args[0])
			if err != nil {
				return cli.OneLine(err)
			}
			if file {
				return cli.Print(c.OutOrStdout(), cli.SchemaLine("environment.schema.json")+string(e.YAML()))
			}
			return cli.Write(c.OutOrStdout(), forecasts.New(e, nil, cli.Version).Document(), format, false)
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return environment.Names(), cobra.ShellCompDirectiveDefault
		},
	}
	cli.FormatFlag(c.Flags(), &format)
	c.Flags().BoolVar(&file, "file", false, "print the file, so that you can change it")
	return c
}

func newEnvironmentSchema() *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON Schema of environment files",
		Args:  cli.None,
		RunE: func(c *cobra.Command, _ []string) error {
			return cli.Print(c.OutOrStdout(), string(environment.Schema()))
		},
	}
}
