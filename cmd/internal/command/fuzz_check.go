package command

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/faults"
)

func (q *fuzzCommand) complete(name string) (err error) {
	if err := q.check(); err != nil {
		return err
	}
	r := cli.Request{Set: q.set, Seed: q.seed, Runs: 1}
	if err := r.Complete(name); err != nil {
		return err
	}
	q.named, q.scenario = name, r.Scenario
	if err := q.allow(); err != nil {
		return err
	}
	q.watched, err = cli.Properties(q.properties)
	return err
}

func (q *fuzzCommand) check() error {
	switch {
	case q.runs < 1:
		return fmt.Errorf("--runs: %d is not positive", q.runs)
	case q.given("for") && q.given("runs"):
		return fmt.Errorf("--for and --runs both say when to end; give one of them")
	case q.given("for") && q.lasting <= 0:
		return fmt.Errorf("--for: %s is not positive; give a time such as 1m", q.lasting)
	case q.stopAfter < 0:
		return fmt.Errorf("--stop-after: %d is negative; give 0 for no limit", q.stopAfter)
	case q.given("store") && q.Store == "":
		return fmt.Errorf("--store: it names no directory")
	case q.Quiet && q.format == "json":
		return fmt.Errorf("--quiet goes with --format text, not with json")
	}
	return cli.CheckSeeds(q.seed, q.runs)
}

// allow sets which faults may strike.
func (q *fuzzCommand) allow() error {
	own := &q.scenario.Search
	if q.byDefault = !own.Drawn(); q.byDefault {
		*own = q.scenario.DefaultSearch()
	}
	switch {
	case len(q.faults) == 1 && q.faults[0] == "none":
		own.Faults = nil
	case q.given("faults"):
		if len(q.faults) == 0 {
			return fmt.Errorf("--faults: it names none; to allow none, say --faults none")
		}
		if _, err := faults.KindsOf(q.faults); err != nil {
			return fmt.Errorf("--faults: %w", err)
		}
		own.Faults = q.faults
		if own.Most == 0 || own.Within == 0 {
			d := q.scenario.DefaultSearch()
			own.Most, own.Within = d.Most, d.Within
		}
	}
	if why := q.scenario.NothingStrikes(); why != "" {
		return fmt.Errorf("--faults: none of %s can strike: %s", strings.Join(own.Faults, ", "), why)
	}
	return q.scenario.Check()
}

func (q *fuzzCommand) checkMutants() error {
	for _, flag := range []string{"for", "stop-after", "faults", "set", "property"} {
		if q.given(flag) {
			return fmt.Errorf("--%s does not go with --mutants, which takes each class of faults of each scenario by itself", flag)
		}
	}
	for _, flag := range []string{"store", "resume", "shard", "shard-of"} {
		if q.given(flag) {
			return fmt.Errorf("--%s does not go with --mutants, which keeps no rows", flag)
		}
	}
	if !q.given("runs") {
		q.runs = mutantRuns
	}
	q.Store = "store" // where nothing is written
	return cmp.Or(q.CheckFlags(), q.check())
}
