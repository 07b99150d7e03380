package command

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/scenarios"
)

func newValidate() *cobra.Command {
	var format string
	c := &cobra.Command{
		Use:   "validate FILE…",
		Short: "Check scenario files",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return fmt.Errorf("%s takes one FILE or more; - is standard input", c.CommandPath())
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			var wrong []string
			t := cli.Table{Title: "Scenario files that are sound", Heads: []string{"file", "scenario"}}
			for _, arg := range args {
				if !scenarios.IsFile(arg) {
					wrong = append(wrong, arg+" is not a scenario file; its name must end in .yaml")
					continue
				}
				s, err := scenarios.Open(arg)
				if err != nil {
					wrong = append(wrong, err.Error())
					continue
				}
				t.Rows = append(t.Rows, []string{cli.Visible(arg), cli.Visible(s.Title)})
				t.Text += cli.Visible(arg+" is sound: "+s.Title) + "\n"
			}
			if t.Rows != nil {
				if err := cli.Write(c.OutOrStdout(), t.Document(), format, false); err != nil {
					return err
				}
			}
			if wrong != nil {
				return errors.New(strings.Join(wrong, "\n"))
			}
			return nil
		},
	}
	cli.FormatFlag(c.Flags(), &format)
	return c
}
