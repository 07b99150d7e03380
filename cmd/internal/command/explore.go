package command

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/cmd/internal/store"
	"github.com/lockstorm/lockstorm/cmd/internal/work"
	"github.com/lockstorm/lockstorm/reports/campaigns"
	"github.com/lockstorm/lockstorm/scenarios/campaign/explore"
)

// An exploreCommand holds the flags of explore.
type exploreCommand struct {
	cli.Request
	work.Work
	again      string // the command that repeats the exploration
	properties []string
	format     string
	budget     int

	late, faults, once []string
	deviations, most   int
	unbounded          bool
	given              func(flag string) bool
}

func newExplore() *cobra.Command {
	q := exploreCommand{Request: cli.Request{Runs: 1}}
	c := &cobra.Command{
		Use:   "explore SCENARIO|FILE",
		Short: "Run every schedule within limits",
		Args:  cli.One("SCENARIO", "lockstorm list names them"),
		RunE: func(c *cobra.Command, args []string) error {
			q.given = c.Flags().Changed
			q.again = cli.Again(c, args, "deviations", "unbounded", "most", "late", "fault", "once", "set", "property",
				"budget", "seed")
			if err := q.complete(args[0]); err != nil {
				return err
			}
			return q.run(c)
		},
	}
	f := c.Flags()
	f.SortFlags = false
	f.IntVar(&q.deviations, "deviations", 0, "let up to `N` messages be late, reordered or lost, instead of "+
		"the scenario's limit")
	f.BoolVar(&q.unbounded, "unbounded", false, "let any number of messages be late, reordered or lost, until "+
		"no run reaches a new state; for small scenarios")
	f.IntVar(&q.most, "most", 0, "let up to `N` faults hit, instead of the scenario's limit")
	f.StringSliceVar(&q.late, "late", nil, "let a message be late by any of a `LIST` of times, such as 1ms,6ms")
	f.StringArrayVar(&q.faults, "fault", nil, "let the fault `FAULT` hit, such as 'pause clients for 30ms'; "+
		"may be repeated")
	f.StringArrayVar(&q.once, "once", nil, "let `FAULT` hit too, at most once; may be repeated")
	f.StringArrayVar(&q.Set, "set", nil, "change the scenario: `KEY=VALUE`; may be repeated")
	f.StringSliceVar(&q.properties, "property", nil, "report only violations of the promise `NAME`; may be repeated")
	f.IntVar(&q.budget, "budget", 0, "stop after `N` schedules; 0: no limit, rejected if the estimate is too "+
		"high")
	f.Uint64Var(&q.Seed, "seed", 1, "choose tokens with the seed `N`")
	cli.FormatFlag(f, &q.format)
	work.AddWorkers(f, &q.Workers)
	q.AddProgress(c)
	return c
}

func (q *exploreCommand) run(c *cobra.Command) error {
	u, err := explore.New(&q.Scenario, q.Seed, q.properties)
	if err == nil {
		err = u.Proves()
	}
	if err != nil {
		return q.placed(err)
	}
	if err := q.small(u); err != nil {
		return err
	}
	if err := store.Probe("store"); err != nil {
		return fmt.Errorf("the store can't be written: %w", err)
	}
	rep := q.explore(c, u)
	if err := q.keep(u, rep); err != nil {
		return err
	}
	if err := cli.Write(c.OutOrStdout(), campaigns.Exploration(rep, q.again), q.format, false); err != nil {
		return err
	}
	if q.Stopped {
		fmt.Fprintln(q.Errs, cli.Name+": stopped; to end sooner, give smaller limits, or --budget N")
		return cli.Exit(cli.Interrupted)
	}
	return cli.ExitFor(rep.Verdict())
}
