package command

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/cmd/internal/store"
	"github.com/lockstorm/lockstorm/cmd/internal/work"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/reports/campaigns"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

func (q *fuzzCommand) complete(name string) (err error) {
	if err := q.check(); err != nil {
		return err
	}
	if err := q.Complete(name); err != nil {
		return err
	}
	if err := q.allow(); err != nil {
		return err
	}
	for _, name := range q.properties {
		if p, _ := checker.Lookup(name); p.Ticks && q.Scenario.Work.Tick == 0 {
			return fmt.Errorf("--property: no run has a finding on %s, because work.tick is 0s; name another promise", name)
		}
	}
	if q.watched, err = cli.Properties(q.properties); len(q.properties) == 0 {
		q.watched = campaign.Set(1)<<len(q.Scenario.Promises()) - 1
	}
	return err
}

func (q *fuzzCommand) check() error {
	switch {
	case q.given("for") && q.given("runs"):
		return fmt.Errorf("--for and --runs both say when to stop; give only one")
	case q.given("for") && q.lasting <= 0:
		return fmt.Errorf("--for: %s is not positive; give a time such as 1m", q.lasting)
	case q.stopAfter < 0:
		return fmt.Errorf("--stop-after: %d is negative; give 0 for no limit", q.stopAfter)
	case q.given("store") && q.Store == "":
		return fmt.Errorf("--store: the directory is missing; name one")
	case q.Quiet && q.format == "json":
		return fmt.Errorf("--quiet: it needs --format text, not json")
	}
	return q.CheckRuns()
}

// allow sets which faults may happen.
func (q *fuzzCommand) allow() error {
	own := &q.Scenario.Search
	if q.byDefault = !own.Drawn(); q.byDefault {
		*own = q.Scenario.DefaultSearch()
	}
	switch {
	case len(q.faults) == 1 && q.faults[0] == "none":
		own.Faults = nil
	case q.given("faults"):
		if len(q.faults) == 0 {
			return fmt.Errorf("--faults: the list is empty; for no faults, write --faults none")
		}
		if _, err := faults.KindsOf(q.faults); err != nil {
			return fmt.Errorf("--faults: %w", err)
		}
		own.Faults = q.faults
		if own.Most == 0 || own.Within == 0 {
			d := q.Scenario.DefaultSearch()
			own.Most, own.Within = d.Most, d.Within
		}
	}
	if why := q.Scenario.NothingStrikes(); why != "" {
		return fmt.Errorf("--faults: %s can't hit: %s", strings.Join(own.Faults, ", "), why)
	}
	return q.Scenario.Check()
}

func (q *fuzzCommand) checkMutants() error {
	for _, flag := range []string{"for", "stop-after", "faults", "set", "property"} {
		if q.given(flag) {
			return fmt.Errorf("--%s: leave it out with --mutants, which tries each class of faults itself", flag)
		}
	}
	for _, flag := range append([]string{"store"}, rowFlags...) {
		if q.given(flag) {
			return fmt.Errorf("--%s: leave it out with --mutants, which stores no rows", flag)
		}
	}
	if !q.given("runs") {
		q.Runs = mutantRuns
	}
	q.Store = "store" // where nothing is written
	return cmp.Or(q.CheckFlags(), q.check())
}

// hunt makes the runs.
func (q *fuzzCommand) hunt(c *cobra.Command, args []string) (*campaign.Hunt, error) {
	job := work.Job(campaign.FuzzJob, &q.Scenario, []campaign.Cell{nil}, q.Seed, q.Runs)
	if q.lasting > 0 {
		q.last(job)
	}
	if err := job.Check(); err != nil {
		return nil, err
	}
	h := &campaign.Hunt{Job: job, Watched: q.watched, Most: q.stopAfter}
	h.Begin()
	return h, q.Do(c, args, job, func(_ int, rows []campaign.Row) (bool, error) { return h.AddAll(rows), nil })
}

// last sets up the job for --for. It has more seeds than any user will wait for, and its first blocks are made until
// the time is up. So the store has the beginning of one job, and more of it can be made later.
func (q *fuzzCommand) last(job *campaign.Job) {
	q.Until = time.Now().Add(q.lasting)
	job.Runs, job.Size = int(min(lastingMost, cli.SeedMax-q.Seed+1)), huntBlock
	if q.Store != "" {
		job.Size = keptBlock
	}
}

// home is where the smallest scenarios go: into the archive of rows, or where runs are stored.
func (q *fuzzCommand) home() string { return cmp.Or(q.Store, "store") }

func (q *fuzzCommand) storeError(err error) error {
	return fmt.Errorf("the store %s can't be written: %w; choose another with --store DIR", q.home(), err)
}

// keep writes the smallest scenarios.
func (q *fuzzCommand) keep(h *campaign.Hunt) error {
	found := filepath.Join(q.home(), "found")
	if q.Store == "" {
		found = filepath.Join(q.home(), store.Place(q.Scenario.ID), "found")
	}
	for i := range h.Signatures {
		g := &h.Signatures[i]
		if err := keepLeast(g, filepath.Join(found, g.Name()+".yaml"), q.again(h.Runs)); err != nil {
			return q.storeError(err)
		}
	}
	return nil
}

// keepLeast writes the smallest scenario of a signature, which the command found.
func keepLeast(g *campaign.Signature, file, command string) (err error) {
	least := g.Counterexample(command)
	g.Decided = campaign.Decide(&g.Least.Least, g.Least.Seed)
	g.File, g.Command, err = store.WriteLeast(file, &least, g.Least.Seed)
	return err
}

const (
	huntBlock   = 100         // rows that --for makes between two looks at the clock
	keptBlock   = 1000        // the same with --store, where a block is a file
	lastingMost = 100_000_000 // the most runs that --for can reach
)

// mutantRuns is how many seeds each ground has for a mutant, without --runs.
const mutantRuns = 500

// killAll searches for every mutant, as --mutants asks.
func (q *fuzzCommand) killAll(cmd *cobra.Command, args []string) error {
	if err := q.checkMutants(); err != nil {
		return err
	}
	grounds, err := grounds(args)
	if err != nil {
		return err
	}
	report, sought := campaign.NewMutantFinds(q.Seed, q.Runs, grounds), q.mutantsOf(grounds)
	q.Errs = cmd.ErrOrStderr()
	q.Then("mutants", len(sought), func(stop func() bool, done func()) {
		for i := 0; i < len(sought) && !stop(); i++ {
			report.Mutants = append(report.Mutants, sought[i].in.Kill(sought[i].mutant))
			done()
		}
	})
	if err := cli.Write(cmd.OutOrStdout(), campaigns.Kills(&report), q.format, q.Quiet); err != nil {
		return err
	}
	if q.Stopped {
		fmt.Fprintf(q.Errs, cli.Name+": stopped after %d of %d mutants; nothing is kept\n", len(report.Mutants),
			len(sought))
		return cli.Exit(cli.Interrupted)
	}
	return cli.ExitFor(report.Verdict())
}

// A soughtMutant is a mutant, and the scenarios in which it is searched for.
type soughtMutant struct {
	mutant scenarios.Mutant
	in     *campaign.MutantSearch
}

// mutantsOf returns the mutants of each lock in the grounds, each with the grounds of its kind of lock: a flaw of one
// lock is not searched for in another.
func (q *fuzzCommand) mutantsOf(grounds []campaign.Ground) (all []soughtMutant) {
	for len(grounds) > 0 {
		kind := family(&grounds[0].Scenario)
		c := &campaign.MutantSearch{First: q.Seed, Runs: q.Runs, Workers: q.Workers}
		grounds = slices.DeleteFunc(slices.Clone(grounds), func(g campaign.Ground) bool {
			related := family(&g.Scenario) == kind
			if related {
				c.Grounds = append(c.Grounds, g)
			}
			return related
		})
		other := func(s scenarios.Scenario) bool { return family(&s) != kind }
		related := slices.DeleteFunc(scenarios.Catalogue(), other)
		for _, m := range campaign.Mutants(related) {
			all = append(all, soughtMutant{m, c})
		}
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

// grounds returns the grounds of the scenarios that the arguments name; without arguments, of all in the catalogue that
// have a search.
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
