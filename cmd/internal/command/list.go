package command

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/cmd/internal/screen"
	"github.com/lockstorm/lockstorm/reports/onerun"
	"github.com/lockstorm/lockstorm/scenarios"
)

func newList() *cobra.Command {
	colour := "auto"
	c := &cobra.Command{
		Use:   "list",
		Short: "List the scenarios",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := screen.CheckColour(colour); err != nil {
				return err
			}
			_, err := fmt.Fprint(c.OutOrStdout(), onerun.List(screen.For(c.OutOrStdout(), colour), scenarios.Catalogue()))
			return err
		},
	}
	screen.AddFlag(c.Flags(), &colour)
	return c
}
