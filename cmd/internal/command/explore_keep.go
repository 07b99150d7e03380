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
	return cmp.Or(cli.CheckSeeds(q.Seed, 1), work.CheckWorkers(&q.Workers))
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

// explore explores, and shows progress. A signal stops it between two units.
func (q *exploreCommand) explore(c *cobra.Command, u *explore.Universe) *explore.Report {
	q.Errs = c.ErrOrStderr()
	add, end := q.Watch("schedules")
	defer end()
	x := explore.Exploration{
		Universe: u, Workers: q.Workers, Budget: q.budget,
		Stop: func() bool { return add(0) },
		Did:  func(_, schedules int) { add(schedules) },
	}
	return x.Run()
}

// keep writes the counterexamples.
func (q *exploreCommand) keep(u *explore.Universe, rep *explore.Report) (err error) {
	for i := range rep.Verdicts {
		v := &rep.Verdicts[i]
		if v.Verdict != checker.Violated {
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
