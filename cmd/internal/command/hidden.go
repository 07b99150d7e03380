package command

import (
	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/cmd/internal/store"
)

// newMan returns the command that writes man pages, which packages of the program need.
func newMan() *cobra.Command {
	return &cobra.Command{
		Use: "man DIR", Short: "Write man pages", Hidden: true,
		Args: cli.One("DIR", "such as man1"),
		RunE: func(c *cobra.Command, args []string) error { return store.WriteAll(args[0], cli.ManPages(c.Root())) },
	}
}
