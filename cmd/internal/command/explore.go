package command

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/cmd/internal/store"
	"github.com/lockstorm/lockstorm/cmd/internal/work"
	"github.com/lockstorm/lockstorm/reports/campaigns"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign/explore"
)

// An exploreCommand holds the flags of explore.
type exploreCommand struct {
	work.Work
	named      string
	again      string // the command that repeats the exploration
	scenario   scenarios.Scenario
	seed       uint64
	set        []string
	properties []string
	format     string
	budget     int

	late       []string
	faults     []string
	once       []string
	deviations int
	unbounded  bool
	most       int
	given      func(flag string) bool
}

func newExplore() *cobra.Command {
	var q exploreCommand
	c := &cobra.Command{
		Use:   "explore SCENARIO|FILE",
		Short: "Run every schedule within limits",
		Args:  cli.One("SCENARIO", "lockstorm list names them"),
		RunE: func(c *cobra.Command, args []string) error {
			q.given = c.Flags().Changed
			q.again = cli.Again(c, args, "deviations", "unbounded", "most", "late", "fault", "once", "set", "property", "budget", "seed")
			if err := q.complete(args[0]); err != nil {
				return err
			}
			return q.run(c, args)
		},
	}
	f := c.Flags()
	f.SortFlags = false
	f.IntVar(&q.deviations, "deviations", 0, "let up to `N` messages be late, behind or lost, in place of the scenario's own bound")
	f.BoolVar(&q.unbounded, "unbounded", false, "let any number of messages be late, behind or lost, until no run comes to a "+
		"new state: for universes that are small enough")
	f.IntVar(&q.most, "most", 0, "let up to `N` faults strike, in place of the scenario's own bound")
	f.StringSliceVar(&q.late, "late", nil, "let a message be late by any of a `LIST` of times, such as 1ms,6ms")
	f.StringArrayVar(&q.faults, "fault", nil, "let the fault `FAULT` strike, such as 'pause clients for 30ms'; may be given "+
		"more than once")
	f.StringArrayVar(&q.once, "once", nil, "let `FAULT` strike besides, once at most; may be given more than once")
	f.StringArrayVar(&q.set, "set", nil, "change the scenario: `KEY=VALUE`; may be given more than once")
	f.StringSliceVar(&q.properties, "property", nil, "report the property `NAME` only; may be given more than once")
	f.IntVar(&q.budget, "budget", 0, "end after `N` schedules; 0 for no limit, which is refused where an estimate says that "+
		"there are too many")
	f.Uint64Var(&q.seed, "seed", 1, "draw tokens with the seed `N`")
	cli.FormatFlag(f, &q.format)
	q.AddFlags(c)
	f.Lookup("store").Usage = "keep what was found in `DIR`, so that the work can be resumed and shared"
	return c
}

func (q *exploreCommand) run(c *cobra.Command, args []string) error {
	u, err := explore.New(&q.scenario, q.seed, q.properties)
	if err == nil {
		err = u.Proves()
	}
	if err != nil {
		return cli.OneLine(q.placed(err))
	}
	if err := q.small(u); err != nil {
		return err
	}
	if err := store.Probe("store"); err != nil {
		return fmt.Errorf("the store can't be written: %w", err)
	}
	rep, err := q.explore(c, args, u)
	if err != nil {
		return err
	}
	if err := q.keep(u, rep); err != nil {
		return err
	}
	if err := cli.Write(c.OutOrStdout(), campaigns.Exploration(rep, q.again), q.format, false); err != nil {
		return err
	}
	switch {
	case q.Stopped:
		return q.ExitUnfinished("units")
	case rep.Shard != "":
		return cli.Exit(cli.AsExpected)
	}
	return cli.ExitFor(rep.Verdict())
}
