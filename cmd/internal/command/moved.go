package command

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"
)

// moved has the commands that this program once had, each with what does its work now.
var moved = []struct{ name, now string }{
	{"rows", "lockstorm run SCENARIO --runs N --store DIR"},
	{"metrics", "lockstorm run SCENARIO --runs N --format openmetrics"},
	{"schema", "lockstorm new --schema"},
	{"environment", "lockstorm forecast environment"},
	{"matrix", "lockstorm study matrix"},
	{"efficiency", "lockstorm study efficiency"},
	{"calibrate", "lockstorm study calibration"},
	{"bound", "lockstorm study bounds"},
	{"blackbox", "lockstorm study blackbox"},
	{"live", "lockstorm-full live"},
	{"serve", "lockstorm-full serve"},
	{"site", "lockstorm-full site"},
}

// addMoved lets each command that moved say where it is now, unless the program has the command.
func addMoved(root *cobra.Command) {
	for _, m := range moved {
		if slices.ContainsFunc(root.Commands(), func(c *cobra.Command) bool { return c.Name() == m.name }) {
			continue
		}
		says := fmt.Sprintf("%s: it is %q now", m.name, m.now)
		root.AddCommand(&cobra.Command{
			Use: m.name, Short: "lockstorm " + says, Hidden: true, DisableFlagParsing: true,
			RunE: func(*cobra.Command, []string) error { return errors.New(says) },
		})
	}
}
