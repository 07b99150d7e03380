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
	f.Uint64Var(&q.Seed, "seed", 1, "run with the seed `N`, which determines the workload and the schedule")
	f.StringArrayVar(&q.Set, "set", nil, "change the scenario: `KEY=VALUE`; may be repeated")
	f.StringVar(&q.scale, "scale", "", "multiply times by `X`, from 0.001 to 1; default: the smallest from 0.2 "+
		"that leaves this machine enough margin")
	f.IntVar(&q.options.Widen, "widen", 0, "multiply times of up to 100 ms by `N`; 0: 1 with --scale, "+
		"otherwise chosen with the scale")
	f.DurationVar(&q.options.Late, "late", 0, "assume that this machine is late by `D`; 0s: measure for half a "+
		"second")
	f.IntVar(&q.options.Attempts, "attempts", 3, "run up to `N` times while the verdict is unknown")
	f.DurationVar(&q.options.Margin, "margin", 0, "let the driver be late by `D`; 0s: half of the smallest gap "+
		"that the schedule relies on")
	f.StringVar(&q.options.Servers, "servers", "", "use servers of the kind `KIND`, if a lock has several: "+
		"replicas or sentinel")
	q.program = map[string]*string{}
	for _, p := range live.Programs() {
		q.program[p.Flag] = f.String(p.Flag, p.Default, p.Usage)
	}
	f.StringArrayVar(&q.adapter, "adapter", nil, "run `[NAME=]COMMAND` as a client, which speaks the line "+
		"protocol; default: Lockstorm's own locks")
	f.BoolVar(&q.compare, "agree", false, "compare live runs with simulated ones, and print the table")
	f.IntVar(&q.Runs, "runs", 1, "with --agree and --verdicts, run `N` seeds of each scenario live, from "+
		"--seed on")
	f.IntVar(&q.parallel, "parallel", 1, "with --agree and --verdicts, run `N` at a time, each with separate "+
		"servers; they delay each other")
	f.BoolVar(&q.mutants, "mutants", false, "with --agree, compare the known flaws of each scenario too")
	f.BoolVar(&q.options.AnyCourse, "any-order", false, "count runs in which clients acquire in another order than in "+
		"the simulator, where chance decides that; a late run is then unknown whatever it shows")
	f.BoolVar(&q.count, "verdicts", false, "count violations with Lockstorm's own lock and with each adapter, "+
		"and print the table")
	f.BoolVar(&q.examine, "doctor", false, "print what this machine has for live runs, what it lacks, and what "+
		"each lack costs")
	f.StringVar(&q.store, "store", "store", "store results in `DIR`")
	f.BoolVar(&q.resume, "resume", false, "with --verdicts, continue the unfinished table in --store")
	f.BoolVar(&q.noStore, "no-store", false, "store nothing")
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
		return errors.New("--resume: it needs --verdicts, without --no-store")
	}
	return cmp.Or(positive("parallel", q.parallel), positive("attempts", q.options.Attempts))
}

func positive(flag string, n int) error {
	if n < 1 {
		return fmt.Errorf("--%s: %d is not positive", flag, n)
	}
	return nil
}
