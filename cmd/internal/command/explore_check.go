package command

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign/explore"
)

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
	case q.unbounded && q.given("deviations"):
		return errors.New("--unbounded and --deviations exclude each other; give one of them")
	case q.budget < 0:
		return fmt.Errorf("--budget: %d is negative; give 0 for no limit", q.budget)
	}
	return cmp.Or(cli.CheckSeeds(q.seed, 1), q.CheckFlags())
}

// placed returns the error with its places in the file, if it is one of the file alone.
func (q *exploreCommand) placed(err error) error {
	if q.scenario.Explorable() == nil || len(q.set) > 0 {
		return err
	}
	return cmp.Or(scenarios.Unexplorable(q.named), err)
}

// An exploration without a budget has up to unboundedMost schedules, by an estimate of so many probes.
const (
	unboundedMost = 200_000_000
	estimates     = 100
)

// small refuses a universe of too many schedules, unless it is said how many of them are to be run.
func (q *exploreCommand) small(u *explore.Universe) error {
	if n := u.Estimate(estimates); n > unboundedMost && q.budget == 0 {
		return fmt.Errorf("there are about %d schedules within these bounds, more than %d; give smaller bounds, or say how many to "+
			"run with --budget N", n, unboundedMost)
	}
	return nil
}
