package command

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/reports/campaigns"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// mutantRuns is how many seeds each ground has for a mutant, without --runs.
const mutantRuns = 500

// killAll searches for every mutant, for --mutants.
func (q *fuzzCommand) killAll(cmd *cobra.Command, args []string) error {
	if err := q.checkMutants(); err != nil {
		return err
	}
	grounds, err := grounds(args)
	if err != nil {
		return err
	}
	report, sought := campaigns.NewKills(q.seed, q.runs, grounds), q.mutantsOf(grounds)
	q.Errs = cmd.ErrOrStderr()
	q.Then("mutants", len(sought), func(stop func() bool, done func()) {
		for i := 0; i < len(sought) && !stop(); i++ {
			report.Add(sought[i].in, sought[i].in.Kill(sought[i].mutant))
			done()
		}
	})
	if err := cli.Write(cmd.OutOrStdout(), report.Document(), q.format, q.Quiet); err != nil {
		return err
	}
	if q.Stopped {
		fmt.Fprintf(q.Errs, cli.Name+": stopped after %d of %d mutants; nothing is kept\n", len(report.Mutants), len(sought))
		return cli.Exit(cli.Interrupted)
	}
	return cli.ExitFor(report.Verdict())
}

// A soughtMutant is a mutant, and the scenarios in which it is searched for.
type soughtMutant struct {
	mutant scenarios.Mutant
	in     *campaign.MutantSearch
}

// mutantsOf returns the mutants of each lock in the grounds, each with the grounds of its own kind of lock: a flaw of one
// lock is not searched for in another.
func (q *fuzzCommand) mutantsOf(grounds []campaign.Ground) (all []soughtMutant) {
	for len(grounds) > 0 {
		kind := family(&grounds[0].Scenario)
		other := func(g campaign.Ground) bool { return family(&g.Scenario) != kind }
		c := &campaign.MutantSearch{Grounds: slices.DeleteFunc(slices.Clone(grounds), other), First: q.seed, Runs: q.runs,
			Workers: q.Workers}
		related := slices.DeleteFunc(scenarios.Catalogue(), func(s scenarios.Scenario) bool { return family(&s) != kind })
		for _, m := range campaign.Mutants(related) {
			all = append(all, soughtMutant{m, c})
		}
		grounds = slices.DeleteFunc(slices.Clone(grounds), func(g campaign.Ground) bool { return !other(g) })
	}
	return all
}

// family returns the kind of a scenario's lock. A lock on one node counts as a Redlock of one.
func family(s *scenarios.Scenario) scenarios.Kind {
	if s.Lock.Kind == scenarios.Single {
		return scenarios.Redlock
	}
	return s.Lock.Kind
}

// grounds returns the grounds of the scenarios that the arguments name; without arguments, of all in the catalogue that have
// a search.
func grounds(args []string) (all []campaign.Ground, err error) {
	subjects, err := cli.Select(args)
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
