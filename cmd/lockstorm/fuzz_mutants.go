package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/cmd/lockstorm/internal/exit"
	"github.com/lockstorm/lockstorm/cmd/lockstorm/internal/input"
	"github.com/lockstorm/lockstorm/reports/campaigns"
	"github.com/lockstorm/lockstorm/reports/layout"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// catchRuns is how many seeds each ground has for a mutant, unless --runs says otherwise.
const catchRuns = 500

// catchAll is for --mutants.
func (q *search) catchAll(cmd *cobra.Command, args []string) error {
	if err := q.checkCatch(); err != nil {
		return err
	}
	grounds, err := grounds(args)
	if err != nil {
		return err
	}
	told, prey := campaigns.NewCatches(q.seed, q.runs, grounds), q.prey(grounds)
	q.Errs = cmd.ErrOrStderr()
	q.Then("mutants", len(prey), func(stop func() bool, done func()) {
		for i := 0; i < len(prey) && !stop(); i++ {
			told.Add(prey[i].in, prey[i].in.Kill(prey[i].mutant))
			done()
		}
	})
	if err := q.tellCatches(cmd.OutOrStdout(), told); err != nil {
		return exit.Own(fmt.Errorf("can't print: %w", err))
	}
	if q.Stopped {
		fmt.Fprintf(q.Errs, "lockstorm: stopped after %d of %d mutants; nothing is kept\n", len(told.Mutants), len(prey))
		return exit.Code(exit.Interrupted)
	}
	return exit.For((told.Verdict()))
}

// A quarry is a mutant, and where it is searched for.
type quarry struct {
	mutant scenarios.Mutant
	in     *campaign.MutantSearch
}

// prey lists the mutants of each lock that the grounds have, to be searched for on those of their own kind: nobody looks for
// a flaw of one lock in another.
func (q *search) prey(grounds []campaign.Ground) (all []quarry) {
	for len(grounds) > 0 {
		kind := kin(&grounds[0].Scenario)
		other := func(g campaign.Ground) bool { return kin(&g.Scenario) != kind }
		c := &campaign.MutantSearch{Grounds: slices.DeleteFunc(slices.Clone(grounds), other), First: q.seed, Runs: q.runs, Workers: q.Workers}
		akin := slices.DeleteFunc(scenarios.Catalogue(), func(s scenarios.Scenario) bool { return kin(&s) != kind })
		for _, m := range campaign.Mutants(akin) {
			all = append(all, quarry{m, c})
		}
		grounds = slices.DeleteFunc(slices.Clone(grounds), func(g campaign.Ground) bool { return !other(g) })
	}
	return all
}

// kin is the kind of a scenario's lock. A lock on one node is a Redlock of one.
func kin(s *scenarios.Scenario) scenarios.Kind {
	if s.Lock.Kind == scenarios.Single {
		return scenarios.Redlock
	}
	return s.Lock.Kind
}

// checkCatch refuses what does not go with --mutants.
func (q *search) checkCatch() error {
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
	format := q.format
	if format == "markdown" {
		q.format = "text"
	}
	if !q.given("runs") {
		q.runs = catchRuns
	}
	q.Store = "store" // where nothing is written
	err := cmp.Or(q.CheckFlags(), q.check(), input.CheckFormat(q.format, "text", "json"))
	q.format = format
	return err
}

// grounds are those of the scenarios that the arguments name; without any, of those of the catalogue that have a search.
func grounds(args []string) (all []campaign.Ground, err error) {
	subjects, err := input.Select(args)
	if err != nil {
		return nil, err
	}
	for i := range subjects {
		s := &subjects[i].Scenario
		if s.Search.Drawn() {
			all = append(all, campaign.Grounds(s)...)
		} else if slices.Contains(args, s.ID) || subjects[i].File != "" {
			return nil, fmt.Errorf("%s has no search block; name a scenario such as redlock/any", s.ID)
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("none of these scenarios has a search block; name one such as redlock/any")
	}
	return all, nil
}

func (q *search) tellCatches(out io.Writer, told campaigns.Catches) (err error) {
	switch {
	case q.format == "json":
		_, err = out.Write(layout.JSON(told))
	case q.format == "markdown":
		_, err = io.WriteString(out, told.Document().Markdown())
	case q.Quiet:
		_, err = fmt.Fprintln(out, campaigns.CatchesSummary(told))
	default:
		_, err = io.WriteString(out, told.Document().Text(layout.Screen{}))
	}
	return err
}
