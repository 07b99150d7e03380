package command

import (
	"fmt"
	"slices"
	"strings"

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
	f.StringVar(&q.options.Servers, "servers", "", "use servers of the kind `KIND`, if a lock has several: "+
		"replicas or sentinel")
	q.program = map[string]*string{}
	for _, p := range live.Programs() {
		q.program[p.Flag] = f.String(p.Flag, p.Default, p.Usage)
	}
	f.StringArrayVar(&q.adapter, "adapter", nil, "run `[NAME=]COMMAND` as a client, which speaks the line "+
		"protocol; default: Lockstorm's own locks")
	f.BoolVar(&q.compare, "agree", false, "compare live runs with simulated ones, and print the table")
	f.IntVar(&q.Runs, "runs", 1, "of several scenarios, run `N` seeds of each live, from --seed on")
	f.IntVar(&q.parallel, "parallel", 0, "of several runs, make `N` at a time, each with separate servers; they delay "+
		"each other; 0: one with --agree and --verdicts, otherwise as many as this machine keeps up with")
	f.StringVar(&q.lock, "lock", "", "with --adapter, run the scenarios for a lock of the kind `KIND`, such as "+
		"single or redlock")
	f.StringVar(&q.accept, "accept", "", "with --adapter, accept the broken promises that `FILE` names: lines "+
		"such as kleppmann/* belief storage")
	f.StringVar((*string)(&q.junit), "junit", "", "with --adapter, write a JUnit report to `FILE`")
	f.DurationVar(&q.lasting, "for", 0, "with --adapter, run for the time `D`, such as 5m, in place of --runs: one "+
		"seed of each in turn, and at least one")
	f.StringVar(&q.shard, "shard", "", "with --adapter, run one part of several: `I/N`, with I from 0")
	f.BoolVar(&q.mutants, "mutants", false, "with --agree, compare the known flaws of each scenario too")
	f.BoolVar(&q.count, "verdicts", false, "count violations with Lockstorm's own lock and with each adapter, "+
		"and print the table")
	f.BoolVar(&q.examine, "doctor", false, "print what this machine has for live runs, what it lacks, and what "+
		"each lack costs")
	f.StringVar(&q.store, "store", "store", "store results in `DIR`")
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
	case q.options.Attempts < 1:
		return fmt.Errorf("--attempts: %d is not positive", q.options.Attempts)
	case q.parallel < 0:
		return fmt.Errorf("--parallel: %d is negative", q.parallel)
	case q.lasting < 0:
		return fmt.Errorf("--for: %s is negative", q.lasting)
	}
	q.options.Cold = slices.ContainsFunc(q.Set, func(set string) bool { return strings.HasPrefix(set, "work.warm=") })
	return nil
}
