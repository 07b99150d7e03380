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
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign/explore"
)

func (q *exploreCommand) complete(name string) error {
	if err := q.check(); err != nil {
		return err
	}
	if err := q.Complete(name); err != nil {
		return err
	}
	x := &q.Scenario.Explore
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
	if err := q.Scenario.Check(); err != nil {
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
	case q.unbounded && q.given("deviations"):
		return errors.New("--unbounded and --deviations exclude each other; give only one")
	case q.budget < 0:
		return fmt.Errorf("--budget: %d is negative; give 0 for no limit", q.budget)
	}
	return cmp.Or(cli.CheckSeeds(q.Seed, 1), q.CheckFlags())
}

// placed returns the error with its places in the file, if it is one of the file alone.
func (q *exploreCommand) placed(err error) error {
	if q.Scenario.Explorable() == nil || len(q.Set) > 0 {
		return err
	}
	return cmp.Or(scenarios.Unexplorable(q.Named), err)
}

// An exploration without a budget has up to unboundedMost schedules, as estimates probes estimate them.
const (
	unboundedMost = 200_000_000
	estimates     = 100
)

// small rejects a universe of too many schedules without a budget.
func (q *exploreCommand) small(u *explore.Universe) error {
	if n := u.Estimate(estimates); n > unboundedMost && q.budget == 0 {
		return fmt.Errorf("there are about %d schedules within these limits, more than %d; give smaller limits, or "+
			"say how many to run with --budget N", n, unboundedMost)
	}
	return nil
}

// explore explores, and keeps what was found if there is a store.
func (q *exploreCommand) explore(c *cobra.Command, args []string, u *explore.Universe) (
	rep *explore.Report, err error) {
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
	case q.Scenario.Explore.Unbounded:
		return nil, errors.New("--store: an unbounded exploration has no parts " +
			"to store or divide; leave this out")
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

// mergeExploration puts shards of an exploration together, and prints what explore would have printed in that format.
func mergeExploration(c *cobra.Command, m explore.Merger, format string) error {
	all, err := m.Merge()
	var gap *explore.Gap
	switch {
	case errors.As(err, &gap):
		return fmt.Errorf("%w. Name the directories that have them, or merge without them, with --partial, and repeat "+
			"explore there with --resume", err)
	case err != nil:
		return explainMerge(explainUnit(err), m.Out)
	}
	fmt.Fprintf(c.ErrOrStderr(), cli.Name+": merged into %s: %d units\n", m.Out, all.Units)
	if all.Report == nil {
		return nil
	}
	q := exploreCommand{Request: cli.Request{Scenario: *all.Scenario, Seed: all.Manifest.Seed}, format: format,
		again: all.Manifest.Command}
	if err := q.keep(all.Universe, all.Report); err != nil {
		return err
	}
	d := campaigns.Exploration(all.Report, q.again)
	return cli.End(cli.Write(c.OutOrStdout(), d, q.format, false), cli.ExitFor(all.Report.Verdict()))
}

// keep writes the counterexamples.
func (q *exploreCommand) keep(u *explore.Universe, rep *explore.Report) (err error) {
	for i := range rep.Verdicts {
		v := &rep.Verdicts[i]
		if v.Verdict != checker.Violated || rep.Shard != "" { // there may be a shorter one in another shard
			continue
		}
		file := filepath.Join("store", store.Place(q.Scenario.ID), "explored", v.Property+".yaml")
		s := u.Counterexample(v)
		s.About = "Found by " + q.again + ". " + s.About
		if v.File, v.Command, err = store.WriteLeast(file, &s, q.Seed); err != nil {
			return fmt.Errorf("%s can't be written: %w", file, err)
		}
	}
	return nil
}
