package command

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/cmd/internal/store"
	"github.com/lockstorm/lockstorm/cmd/internal/work"
	"github.com/lockstorm/lockstorm/reports/campaigns"
	"github.com/lockstorm/lockstorm/scenarios/campaign/explore"
)

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
		return nil, errors.New("--store: an exploration without a bound is one piece of work, so there are no parts to keep or to " +
			"share; leave it out")
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
		return fmt.Errorf("%w. Name the directories that have them, or merge without them, with --partial, and repeat explore "+
			"there with --resume", err)
	case err != nil:
		return explainMerge(explainUnit(err), m.Out)
	}
	fmt.Fprintf(c.ErrOrStderr(), cli.Name+": merged into %s: %d units\n", m.Out, all.Units)
	if all.Report == nil {
		return nil
	}
	q := exploreCommand{scenario: *all.Scenario, seed: all.Manifest.Seed, format: format, again: all.Manifest.Command}
	if err := q.keep(all.Universe, all.Report); err != nil {
		return err
	}
	if err := cli.Write(c.OutOrStdout(), campaigns.Exploration(all.Report, q.again), q.format, false); err != nil {
		return err
	}
	return cli.ExitFor(all.Report.Verdict())
}

// keep writes the counterexamples.
func (q *exploreCommand) keep(u *explore.Universe, rep *explore.Report) (err error) {
	for i := range rep.Verdicts {
		v := &rep.Verdicts[i]
		if v.Verdict != checker.Violated || rep.Shard != "" { // there may be a shorter one in another shard
			continue
		}
		file := filepath.Join("store", store.Place(q.scenario.ID), "explored", v.Property+".yaml")
		s := u.Counterexample(v)
		s.About = "Found by " + q.again + ". " + s.About
		if v.File, v.Command, err = store.WriteLeast(file, &s, q.seed); err != nil {
			return fmt.Errorf("%s can't be written: %w", file, err)
		}
	}
	return nil
}
