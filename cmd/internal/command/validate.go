package command

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
)

func newValidate() *cobra.Command {
	var format string
	c := &cobra.Command{
		Use:   "validate FILE|FOLDER…",
		Short: "Check scenario files",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return fmt.Errorf("%s takes one FILE or FOLDER or more; - is standard input", c.CommandPath())
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			subjects := cli.Files(args)
			t := cli.Table{Title: "Scenario files that are sound", Heads: []string{"file", "scenario"}}
			for _, u := range subjects {
				if u.Wrong == nil {
					t.Rows = append(t.Rows, []string{cli.Visible(u.File), cli.Visible(u.Scenario.Title)})
					t.Text += cli.Visible(u.File+" is sound: "+u.Scenario.Title) + "\n"
				}
			}
			if t.Rows != nil {
				if err := cli.Write(c.OutOrStdout(), t.Document(), format, false); err != nil {
					return err
				}
			}
			return cli.Mistakes(subjects)
		},
	}
	cli.FormatFlag(c.Flags(), &format)
	return c
}
