package command

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/cmd/internal/store"
	"github.com/lockstorm/lockstorm/cmd/internal/work"
	"github.com/lockstorm/lockstorm/reports/campaigns"
	"github.com/lockstorm/lockstorm/reports/layout"
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
	table      bool
	locks      string

	late       []string
	faults     []string
	once       []string
	deviations int
	unbounded  bool
	most       int
	given      func(flag string) bool
}

// An exploration without a budget has up to unboundedMost schedules, by an estimate of so many probes.
const (
	unboundedMost = 200_000_000
	estimates     = 100
)

func newExplore() *cobra.Command {
	var q exploreCommand
	c := &cobra.Command{
		Use:   "explore SCENARIO|FILE | --theorem",
		Short: "Run every schedule within bounds: what holds, holds in all of them",
		Args: func(c *cobra.Command, args []string) error {
			if q.table {
				return cobra.NoArgs(c, args)
			}
			return cli.One("SCENARIO", "lockstorm list names them; or give --theorem")(c, args)
		},
		RunE: func(c *cobra.Command, args []string) error {
			if q.table {
				return q.tabulate(c)
			}
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
	f.BoolVar(&q.unbounded, "unbounded", false, "let any number of messages be late, behind or lost, until no run comes to a new state: for universes that are small enough")
	f.IntVar(&q.most, "most", 0, "let up to `N` faults strike, in place of the scenario's own bound")
	f.StringSliceVar(&q.late, "late", nil, "let a message be late by any of a `LIST` of times, such as 1ms,6ms")
	f.StringArrayVar(&q.faults, "fault", nil, "let the fault `FAULT` strike, such as 'pause clients for 30ms'; may be given more than once")
	f.StringArrayVar(&q.once, "once", nil, "let `FAULT` strike besides, once at most; may be given more than once")
	f.StringArrayVar(&q.set, "set", nil, "change the scenario: `KEY=VALUE`; may be given more than once")
	f.StringSliceVar(&q.properties, "property", nil, "report the property `NAME` only; may be given more than once")
	f.IntVar(&q.budget, "budget", 0, "end after `N` schedules; 0 for no limit, which is refused where an estimate says that there are too many")
	f.Uint64Var(&q.seed, "seed", 1, "draw tokens with the seed `N`")
	f.BoolVar(&q.table, "theorem", false, "in place of a scenario, explore each lock of a table within budgets of faults, and print which break which promise")
	f.StringVar(&q.locks, "lock", "*", "with --theorem: take locks whose names match `GLOB` alone")
	cli.FormatFlag(f, &q.format, "text", "json", "markdown", "html")
	q.AddFlags(c)
	f.Lookup("format").Usage = "print `text|json`, or with --theorem text|json|markdown|html"
	f.Lookup("store").Usage = "keep what was found in `DIR`, so that the work can be resumed and shared"
	return c
}

func (q *exploreCommand) complete(name string) error {
	if err := q.check(); err != nil {
		return err
	}
	r := cli.Request{Set: q.set, Seed: q.seed, Runs: 1}
	if err := r.Complete(name); err != nil {
		return err
	}
	q.named, q.scenario = name, r.Scenario
	x := &q.scenario.Explore
	if q.given("deviations") {
		x.Deviations, x.Unbounded = q.deviations, false
	}
	if q.unbounded {
		x.Deviations, x.Unbounded = 0, true
	}
	if q.given("most") {
		x.Most = q.most
	}
	if q.given("late") {
		x.Late = values(q.late)
	}
	if q.given("fault") || q.given("once") {
		x.Faults, x.Once = values(q.faults), values(q.once)
	}
	if err := q.scenario.Check(); err != nil {
		return cli.OneLine(err)
	}
	return nil
}

func values(words []string) (all []scenarios.Value) {
	for _, w := range words {
		all = append(all, scenarios.Value(w))
	}
	return all
}

func (q *exploreCommand) check() error {
	switch {
	case q.given("lock"):
		return errors.New("--lock goes with --theorem")
	case q.unbounded && q.given("deviations"):
		return errors.New("--unbounded and --deviations exclude each other; give one of them")
	case q.budget < 0:
		return fmt.Errorf("--budget: %d is negative; give 0 for no limit", q.budget)
	}
	return cmp.Or(cli.CheckSeeds(q.seed, 1), q.CheckFlags(), cli.CheckFormat(q.format, "text", "json"))
}

// placed returns the error with its places in the file, if it is one of the file alone.
func (q *exploreCommand) placed(err error) error {
	if q.scenario.Explorable() == nil || len(q.set) > 0 {
		return err
	}
	return cmp.Or(scenarios.Unexplorable(q.named), err)
}

func (q *exploreCommand) run(c *cobra.Command, args []string) error {
	u, err := explore.New(&q.scenario, q.seed, q.properties)
	if err != nil {
		return cli.OneLine(q.placed(err))
	}
	if n := u.Estimate(estimates); n > unboundedMost && q.budget == 0 {
		return fmt.Errorf("there are about %d schedules within these bounds, more than %d; give smaller bounds, or say how many to run with --budget N", n, unboundedMost)
	}
	if err := store.Probe("store"); err != nil {
		return fmt.Errorf("the store can't be written: %w", err)
	}
	rep, err := q.explore(c, args, u)
	if err != nil {
		return err
	}
	report, err := q.keep(u, rep)
	if err != nil {
		return err
	}
	if err := cli.Print(c.OutOrStdout(), q.text(report)); err != nil {
		return err
	}
	switch {
	case q.Stopped:
		return q.ExitUnfinished("units")
	case rep.Shard != "":
		return cli.Exit(cli.AsExpected)
	}
	return cli.ExitFor(report.Verdict())
}

// explore explores, and keeps what was found if there is a store.
func (q *exploreCommand) explore(c *cobra.Command, args []string, u *explore.Universe) (rep *explore.Report, err error) {
	shard, err := q.Ready(c, args)
	if err != nil {
		return nil, err
	}
	add, end := q.Watch("schedules")
	defer end()
	x := explore.Exploration{
		Universe: u, Workers: q.Workers, Budget: q.budget,
		Stop: func() bool { return add(0) },
		Did:  func(_, schedules int) { add(schedules) },
	}
	switch {
	case q.Store == "":
		return x.Run(), nil
	case q.scenario.Explore.Unbounded:
		return nil, errors.New("--store: an exploration without a bound is one piece of work, so there are no parts to keep or to share; leave it out")
	}
	rep, err = x.RunStored(&explore.Store{
		Dir: q.Store, Resume: q.Resume, Shard: shard, Lockstorm: cli.Build(), Command: q.again, Disk: work.Disk,
	})
	return rep, q.Explain(explainUnit(err))
}

// explainUnit adds to an error about a damaged unit how to make it again.
func explainUnit(err error) error {
	if _, is := errors.AsType[*explore.Damage](err); is {
		return fmt.Errorf("%w. Remove the file, and repeat the command with --resume", err)
	}
	return err
}

// mergeExploration puts shards of an exploration together, and prints what explore would have printed.
func mergeExploration(c *cobra.Command, m explore.Merger) error {
	all, err := m.Merge()
	var gap *explore.Gap
	switch {
	case errors.As(err, &gap):
		return fmt.Errorf("%w. Name the directories that have them, or merge without them, with --partial, and repeat explore there with --resume", err)
	case err != nil:
		return explainMerge(explainUnit(err), m.Out)
	}
	fmt.Fprintf(c.ErrOrStderr(), cli.Name+": merged into %s: %d units\n", m.Out, all.Units)
	if all.Report == nil {
		return nil
	}
	q := exploreCommand{scenario: *all.Scenario, seed: all.Manifest.Seed, format: "text", again: all.Manifest.Command}
	report, err := q.keep(all.Universe, all.Report)
	if err != nil {
		return err
	}
	if err := cli.Print(c.OutOrStdout(), q.text(report)); err != nil {
		return err
	}
	return cli.ExitFor(report.Verdict())
}

func (q *exploreCommand) keep(u *explore.Universe, rep *explore.Report) (campaigns.Exploration, error) {
	report := campaigns.NewExploration(&q.scenario, q.again, rep)
	for i := range rep.Verdicts {
		v := &rep.Verdicts[i]
		if v.Verdict != checker.Violated || rep.Shard != "" { // there may be a shorter one in another shard
			continue
		}
		file := filepath.Join("store", store.Place(q.scenario.ID), "explored", v.Property+".yaml")
		s := u.Counterexample(v)
		s.About = "Found by " + q.again + ". " + s.About
		if err := store.Write(file, s.Brief()); err != nil {
			return report, fmt.Errorf("%s can't be written: %w", file, err)
		}
		r := cli.Request{Named: filepath.ToSlash(file)}
		report.Kept(i, r.Named, r.Command(q.seed))
	}
	return report, nil
}

func (q *exploreCommand) text(report campaigns.Exploration) string {
	if q.format == "json" {
		return string(layout.JSON(report))
	}
	return campaigns.ExplorationText(report, cli.Typed)
}
