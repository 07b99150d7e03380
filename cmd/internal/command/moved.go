package command

import (
	"errors"
	"slices"

	"github.com/spf13/cobra"
)

// inFull says where the commands of other modules are.
const inFull = "it is a command of lockstorm-full; to install that, in a clone: go -C cmd/lockstorm-full install ."

// moved has the commands that this program once had, and says where each is now.
var moved = []struct{ name, says string }{
	{"rows", `it is "lockstorm run SCENARIO --runs N --store DIR" now`},
	{"metrics", `its figures are in "lockstorm run SCENARIO --format json"; those of many runs, kept by ` +
		`"lockstorm run SCENARIO --runs N --store DIR", are in "lockstorm export --csv DIR"`},
	{"schema", `it is "lockstorm new --schema" now`},
	{"environment", `it is "lockstorm-full forecast environment" now`},
	{"merge", "the rows of one job are not divided now; give each machine other seeds, and join the tables that " +
		`"lockstorm export --csv" prints`},
	{"man", `man pages are not made now; "lockstorm COMMAND --help" has their text`},
	{"matrix", `it is "lockstorm study matrix" now`},
	{"efficiency", `it is "lockstorm study efficiency" now`},
	{"calibrate", `it is "lockstorm study calibration" now`},
	{"bound", `it is "lockstorm study bounds" now`},
	{"blackbox", `it is "lockstorm study blackbox" now`},
	{"forecast", inFull}, {"live", inFull}, {"paper", inFull}, {"serve", inFull}, {"site", inFull}, {"theorem", inFull},
}

// addMoved lets each command that moved say where it is now, unless the program has the command.
func addMoved(root *cobra.Command) {
	for _, m := range moved {
		if slices.ContainsFunc(root.Commands(), func(c *cobra.Command) bool { return c.Name() == m.name }) {
			continue
		}
		root.AddCommand(&cobra.Command{
			Use: m.name, Short: named(m.says), Hidden: true, DisableFlagParsing: true,
			RunE: func(*cobra.Command, []string) error { return errors.New(m.name + ": " + m.says) },
		})
	}
}
