package command

import (
	"cmp"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/cmd/internal/work"
)

// A countingCommand holds the flags of a command that counts something over many runs, and prints a table.
type countingCommand struct {
	runs, workers int
	seed          uint64
	format        string
	quiet         bool
}

// addFlags adds them, with what the runs are made for.
func (q *countingCommand) addFlags(c *cobra.Command, runs int, each string) {
	f := c.Flags()
	f.IntVar(&q.runs, "runs", runs, "make `N` runs for each "+each)
	f.Uint64Var(&q.seed, "seed", 1, "the first seed of each is `N`")
	work.AddWorkers(f, &q.workers)
	cli.FormatFlag(f, &q.format)
	f.BoolVarP(&q.quiet, "quiet", "q", false, "show no progress")
}

// check checks them. An interval is computed from how the runs differ, so there must be two.
func (q *countingCommand) check() error {
	if q.runs < 2 || q.runs > 1_000_000 {
		return fmt.Errorf("--runs: %d; give 2 to 1000000, because the interval comes from how runs differ", q.runs)
	}
	return cmp.Or(cli.CheckSeeds(q.seed, q.runs), work.CheckWorkers(&q.workers))
}

func (q *countingCommand) newProgress(c *cobra.Command, runs int) *work.Progress {
	return work.NewProgress(c.ErrOrStderr(), work.ModeFor(c.ErrOrStderr(), "auto", q.quiet), runs)
}
