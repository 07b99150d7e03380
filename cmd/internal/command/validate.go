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
	return &cobra.Command{
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
			for _, arg := range args {
				if !scenarios.IsFile(arg) {
					return fmt.Errorf("%s is not a scenario file; its name must end in .yaml", arg)
				}
				s, err := scenarios.Open(arg)
				if err != nil {
					wrong = append(wrong, err.Error())
					continue
				}
				if err := cli.Print(c.OutOrStdout(), cli.Visible(arg+" is sound: "+s.Title)+"\n"); err != nil {
					return err
				}
			}
			if wrong != nil {
				return errors.New(strings.Join(wrong, "\n"))
			}
			return nil
		},
	}
}
