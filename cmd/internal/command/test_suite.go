package command

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/cmd/internal/store"
	"github.com/lockstorm/lockstorm/cmd/internal/work"
	"github.com/lockstorm/lockstorm/reports/layout"
	"github.com/lockstorm/lockstorm/reports/onerun"
	"github.com/lockstorm/lockstorm/reports/suites"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// enter enters into the suite what will be run.
func (t *testCommand) enter() error {
	t.suite = suites.Suite{
		SchemaVersion: layout.SchemaVersion, Lockstorm: cli.Version, Seed: t.seed, Runs: t.runs,
		Scenarios: []suites.Case{}, Mutants: []suites.MutantResult{},
	}
	if t.claims {
		t.subjects = slices.DeleteFunc(t.subjects, func(u cli.Subject) bool { return u.Scenario.Claim.Says == "" })
	}
	for i := range t.subjects {
		u := &t.subjects[i]
		if !t.mutants {
			t.suite.Scenarios = append(t.suite.Scenarios, suites.NewCase(&u.Scenario, u.File, t.runs))
			continue
		}
		for _, m := range u.Scenario.Mutants {
			t.suite.Mutants = append(t.suite.Mutants, suites.NewMutantResult(&u.Scenario, m, u.File, t.runs))
		}
	}
	switch { // a suite of nothing would be green
	case t.mutants && len(t.suite.Mutants) == 0:
		return fmt.Errorf("--mutants: none of these scenarios names a mutant; leave it out to run the scenarios themselves")
	case t.claims && len(t.suite.Scenarios) == 0:
		return fmt.Errorf("--claims: none of these scenarios names a claim; leave it out to run them all the same")
	}
	return nil
}

func (t *testCommand) runAll(out io.Writer) error {
	if err := t.printLive(out, suites.Head(t.screen, t.suite)); err != nil {
		return err
	}
	at := 0
	for i := range t.subjects {
		u := &t.subjects[i]
		tests := 1
		if t.mutants {
			tests = len(u.Scenario.Mutants)
		}
		for k := range tests {
			from := time.Now()
			var err error
			if t.mutants {
				err = t.kill(&t.suite.Mutants[at], u, u.Scenario.Mutants[k])
			} else {
				err = t.try(&t.suite.Scenarios[at], u)
			}
			if err != nil {
				return err
			}
			t.took = append(t.took, time.Since(from))
			if err := t.printLive(out, suites.Line(t.screen, t.suite, at)); err != nil {
				return err
			}
			at++
		}
	}
	return nil
}

// printLive prints a part of the text as soon as there is one.
func (t *testCommand) printLive(out io.Writer, text string) error {
	if !t.live() {
		return nil
	}
	return cli.Print(out, text)
}

func (t *testCommand) try(c *suites.Case, u *cli.Subject) (err error) {
	tally := campaign.Plan{Scenario: &u.Scenario, First: t.seed, Runs: t.runs, Workers: t.workers}.Run()
	seed := t.seed
	if tally.Worst != scenarios.Pass {
		seed = tally.WorstSeed
	}
	c.Ran(&u.Scenario, tally, t.command(u, seed, nil))
	if tally.Worst != scenarios.Pass {
		c.Story, err = t.story(u, seed, nil)
	}
	return err
}

// story keeps a run that was not as expected, if that was asked for, and returns its story.
func (t *testCommand) story(u *cli.Subject, seed uint64, set []scenarios.Assignment) (string, error) {
	if t.store == "" && t.junit == "" {
		return "", nil
	}
	q := t.request(u, set)
	q.Scenario = u.Scenario
	if err := q.Scenario.Change(q.Set); err != nil {
		return "", cli.Own(err) // the suite has run it
	}
	r := q.Run(seed)
	if t.store != "" {
		home, err := store.Keep(t.store, r, q.Measured(seed))
		if err != nil {
			return "", err
		}
		t.home = home
	}
	return onerun.Brief(layout.Screen{}, r, q.Making(seed)), nil
}

// kill runs a mutant and its reference. What is to be seen is the reference, if it did not survive; else the mutant.
func (t *testCommand) kill(d *suites.MutantResult, u *cli.Subject, m scenarios.Mutant) (err error) {
	k := campaign.Kill(&u.Scenario, m, t.seed, t.runs, t.workers)
	seed, set := k.Reference.WorstSeed, []scenarios.Assignment(nil)
	if k.Reference.Worst == scenarios.Pass {
		seed, set = t.seed, m.Set
		if k.Killed > 0 {
			seed = k.First
		}
	}
	if d.Ran(&u.Scenario, k, t.command(u, seed, set)); len(d.Wrong) > 0 {
		d.Story, err = t.story(u, seed, set)
	}
	return err
}

// command returns what runs a scenario, with settings, on one seed. In documents it names the program alone, so that they
// are the same however it was called.
func (t *testCommand) command(u *cli.Subject, seed uint64, set []scenarios.Assignment) string {
	q := t.request(u, set)
	return q.Command(seed)
}

func (t *testCommand) request(u *cli.Subject, set []scenarios.Assignment) (q cli.Request) {
	q.Named, q.NoSearch = cmp.Or(u.File, u.Scenario.ID), u.Scenario.Search.Drawn()
	for _, a := range set {
		q.Set = append(q.Set, a.String())
	}
	return q
}

// document returns the suite, or the claims that it tests.
func (t *testCommand) document() *layout.Document {
	if t.claims {
		return t.suite.Claims()
	}
	return t.suite.Document()
}

func (t *testCommand) complete(args []string) (err error) {
	if err := t.check(); err != nil {
		return err
	}
	if t.subjects, err = cli.Select(args); err != nil {
		return err
	}
	return t.enter()
}

func (t *testCommand) check() error {
	switch {
	case t.runs < 1:
		return fmt.Errorf("--runs: %d is not positive", t.runs)
	case t.mutants && t.claims:
		return fmt.Errorf("--mutants and --claims are two suites; give one of them")
	case t.claims && t.format == "json":
		return fmt.Errorf("--claims goes with --format text or markdown; the JSON has the claims in it without --claims")
	case t.quiet && t.format != "text":
		return fmt.Errorf("--quiet goes with --format text, not with %s", t.format)
	case t.junit == "-" && (t.format != "text" || t.quiet || t.claims):
		return fmt.Errorf("--junit -: the report takes all of the output; leave out --format, --quiet and --claims, or name a file")
	}
	return cmp.Or(cli.CheckSeeds(t.seed, t.runs), work.CheckWorkers(&t.workers))
}
