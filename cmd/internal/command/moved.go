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
			Use: m.name, Short: m.says, Hidden: true, DisableFlagParsing: true,
			RunE: func(*cobra.Command, []string) error { return errors.New(m.name + ": " + m.says) },
		})
	}
}

const notDivided = "the rows of one job are not divided now; give each machine other seeds with --seed and --runs"

const notStored = "explorations are not stored or divided now; give smaller limits, or end early with --budget N"

const ofStudies = `a report has no figures of many runs now; "lockstorm study NAME --figures DIR" draws some, ` +
	`in any size`

const toOther = `give --csv, and convert what it prints as "lockstorm export --help" says`

// movedFlags has the flags that commands once had, and says where each is now.
var movedFlags = map[string]string{
	"study --all":       `"lockstorm-full paper" lists all of them, each with its command`,
	"explore --theorem": `it is "lockstorm-full theorem" now`,
	"explore --store":   notStored, "explore --resume": notStored,
	"explore --shard": notStored, "explore --shard-of": notStored,
	"run --shard": notDivided, "run --shard-of": notDivided, "fuzz --shard": notDivided, "fuzz --shard-of": notDivided,
	"sweep --shard": notDivided, "sweep --shard-of": notDivided,
	"study --shard": notDivided, "study --shard-of": notDivided,
	"export --parquet": toOther, "export --jsonl": toOther,
	"fuzz --guide":    "guided search was removed, because it found few flaws sooner; leave this out",
	"report --figure": ofStudies, "report --size": ofStudies,
	"report --font-size": ofStudies, "report --no-caption": ofStudies,
	"sweep --label": "the words are in the file that --as-study prints; change them there, and run it as a study",
}
