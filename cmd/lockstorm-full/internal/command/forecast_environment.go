package command

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/reports/site/forecasts"
	"github.com/lockstorm/lockstorm/scenarios/forecast/environment"
)

func newEnvironment() *cobra.Command {
	var format string
	c := &cobra.Command{
		Use:   "environment",
		Short: "Show how often faults occur, or derive it from logs",
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
	c.AddCommand(newEnvironmentShow(), newEnvironmentRead(), newEnvironmentSchema())
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

func newEnvironmentRead() *cobra.Command {
	var least time.Duration
	c := &cobra.Command{
		Use:   "read FORMAT FILE…",
		Short: "Derive causes of an environment from logs",
		Args:  cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("name a format and a file; lockstorm forecast environment read --help lists the " +
					"formats")
			}
			text, err := environment.Read(args[0], args[1:], least)
			if err != nil {
				return err
			}
			return cli.Print(c.OutOrStdout(), text)
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveDefault
			}
			return environment.Formats(), cobra.ShellCompDirectiveNoFileComp
		},
	}
	c.Flags().DurationVar(&least, "least", environment.Least, "leave out events smaller than `TIME`")
	c.Long = c.Short + ". The formats are\n\n"
	for _, f := range environment.Formats() {
		name, about, _ := strings.Cut(f, "\t")
		c.Long += fmt.Sprintf("  %-14s %s\n", name, about)
	}
	return c
}
