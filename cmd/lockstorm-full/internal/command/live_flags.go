package command

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/scenarios/live"
)

// addOwnFlags adds the flags that live alone has.
func (q *liveCommand) addOwnFlags(c *cobra.Command) {
	f := c.Flags()
	f.SortFlags = false
	f.Uint64Var(&q.Seed, "seed", 1, "run with seed `N`: what the workload and the schedule draw follows from it")
	f.StringArrayVar(&q.Set, "set", nil, "change the scenario: `KEY=VALUE`; may be given more than once")
	f.StringVar(&q.scale, "scale", "", "multiply times by `X`, from 0.001 to 1; without it, by the least from 0.2 on "+
		"that leaves the margin which this machine needs")
	f.IntVar(&q.options.Widen, "widen", 0, "multiply times of up to a tenth of a second by `N`; 0 is 1 with --scale, "+
		"and else chosen as that is")
	f.DurationVar(&q.options.Late, "late", 0, "how late this machine is, a `D`; 0s watches it for half a second")
	f.IntVar(&q.options.Attempts, "attempts", 3, "make a run up to `N` times while its verdict is unknown")
	f.DurationVar(&q.options.Margin, "margin", 0, "how late the driver may be, a `D`; 0s is half of the smallest gap "+
		"that the schedule relies on")
	f.StringVar(&q.options.Servers, "servers", "", "run on servers of the kind `KIND` where a lock has more than one: "+
		"replicas or sentinel")
	q.program = map[string]*string{}
	for _, p := range live.Programs() {
		q.program[p.Flag] = f.String(p.Flag, p.Default, p.Usage)
	}
	f.StringArrayVar(&q.adapter, "adapter", nil, "the `[NAME=]COMMAND` to run as a client, which speaks the line "+
		"protocol; without it, Lockstorm's own locks")
	f.BoolVar(&q.compare, "agree", false, "compare live runs with simulated ones, and print the table")
	f.IntVar(&q.Runs, "runs", 1, "with --agree and --verdicts, make `N` live runs of each scenario, of the seeds from "+
		"--seed on")
	f.IntVar(&q.parallel, "parallel", 1, "with --agree and --verdicts, make `N` runs at once, each with servers of "+
		"its own; what is late counts in each")
	f.BoolVar(&q.mutants, "mutants", false, "with --agree, compare the mutants of each scenario too")
	f.BoolVar(&q.count, "verdicts", false, "count what breaks with Lockstorm's own lock and with each adapter, and "+
		"print the table")
	f.BoolVar(&q.examine, "doctor", false, "print what this machine has for live runs, what it lacks, and what each "+
		"lack costs")
	f.StringVar(&q.store, "store", "store", "keep results in `DIR`")
	f.BoolVar(&q.resume, "resume", false, "with --verdicts, go on with the table in --store that was not finished")
	f.BoolVar(&q.noStore, "no-store", false, "keep nothing")
}

// checkOwn checks and reads the flags that live alone has.
func (q *liveCommand) checkOwn() (err error) {
	if q.scale != "" {
		if q.options.Scale, err = live.ParseScale(q.scale); err != nil {
			return fmt.Errorf("--scale: %w", err)
		}
	}
	switch {
	case q.options.Widen < 0 || q.options.Widen > 1000:
		return fmt.Errorf("--widen: %d is not from 0 to 1000", q.options.Widen)
	case q.options.Late < 0:
		return fmt.Errorf("--late: %s is negative", q.options.Late)
	case q.options.Margin < 0:
		return fmt.Errorf("--margin: %s is negative", q.options.Margin)
	case q.resume && (!q.count || q.noStore):
		return errors.New("--resume goes with --verdicts, and not with --no-store")
	}
	return cmp.Or(positive("parallel", q.parallel), positive("attempts", q.options.Attempts))
}

func positive(flag string, n int) error {
	if n < 1 {
		return fmt.Errorf("--%s: %d is not positive", flag, n)
	}
	return nil
}
