package command

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/cmd/internal/store"
	"github.com/lockstorm/lockstorm/cmd/internal/work"
	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/runs"
	"github.com/lockstorm/lockstorm/reports/suites"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// A testJob is an entry of the suite, a scenario or a mutant of one, and how it is run.
type testJob struct {
	subject int                                 // its scenario
	run     func(i int) (whole bool, err error) // the i-th entry; whole is false if a signal ended it
}

// enter enters into the suite what will be run.
func (t *testCommand) enter() error {
	runs := t.runs
	if t.lasting > 0 {
		runs = 0 // they are counted once they are made
	}
	t.suite = suites.New(cli.Version, t.seed, runs)
	t.subjects = slices.DeleteFunc(t.subjects, func(u cli.Subject) bool {
		return u.Wrong == nil && (t.claims && u.Scenario.Claim.Says == "" || t.mutants && len(u.Scenario.Mutants) == 0)
	})
	if err := t.divide(); err != nil {
		return err
	}
	for k := range t.subjects {
		u := &t.subjects[k]
		add := func(run func(i int) (bool, error)) { t.jobs = append(t.jobs, testJob{k, run}) }
		switch {
		case u.Wrong != nil:
			t.suite.AddMistaken(u.File, cli.Name+" validate "+cli.Quote(u.File), u.Wrong)
			add(func(int) (bool, error) { return true, nil })
		case t.mutants:
			for _, m := range u.Scenario.Mutants {
				t.suite.AddMutant(&u.Scenario, m, u.File)
				add(func(i int) (bool, error) { return true, t.kill(i, u, m) })
			}
		default:
			t.suite.Add(&u.Scenario, u.File)
			add(func(i int) (bool, error) { return t.try(i, u) })
		}
	}
	return nil
}

// divide leaves the subjects of the shard. It rejects an empty suite, because that would pass.
func (t *testCommand) divide() error {
	all := len(t.subjects)
	switch {
	case t.mutants && all == 0:
		return fmt.Errorf("--mutants: these scenarios name no mutant; leave it out to run the scenarios " +
			"themselves")
	case t.claims && all == 0:
		return fmt.Errorf("--claims: these scenarios name no claim; leave it out to run them all the same")
	}
	var err error
	t.subjects, err = cli.Shard(t.subjects, t.shard)
	return err
}

func (t *testCommand) runAll(out io.Writer) error {
	if err := t.printLive(out, suites.Head(t.screen, *t.suite)); err != nil {
		return err
	}
	for i, j := range t.jobs {
		begun := time.Now()
		var whole bool
		var err error
		if !t.signal.Came() {
			whole, err = j.run(i)
		}
		switch {
		case err != nil:
			return err
		case !whole:
			t.left = t.subjects[j.subject:]
			t.suite.CutAt(i)
			return nil
		}
		t.took = append(t.took, time.Since(begun))
		if err := t.printLive(out, suites.Line(t.screen, *t.suite, i)); err != nil {
			return err
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

// try makes the runs of a scenario, and reports whether a signal let it end.
func (t *testCommand) try(i int, u *cli.Subject) (whole bool, err error) {
	p := campaign.Plan{Scenario: &u.Scenario, First: t.seed, Runs: t.runs, Workers: t.workers, Stop: t.signal.Came}
	if t.lasting > 0 {
		p.Runs, p.Batch, p.Stop = forever, 1, t.share(len(t.subjects)-i)
	}
	hit := make([]atomic.Bool, len(u.Scenario.Search.Draw)) // by line
	lines := u.Scenario.Search.Draw
	if p.Drawn = len(lines) > 0; p.Drawn {
		p.Each = func(r *scenarios.Result) {
			for _, line := range r.HitLines() {
				hit[line].Store(true)
			}
		}
	}
	tally := p.Run()
	if t.signal.Came() && tally.Runs < p.Runs {
		return false, nil
	}
	seed := t.seed
	if tally.Verdict != scenarios.Pass {
		seed = tally.WorstSeed()
	}
	t.suite.Scenarios[i].Ran(&u.Scenario, tally, t.request(u, nil).Command(seed))
	var unhit []string
	for k, line := range lines {
		if !hit[k].Load() {
			unhit = append(unhit, line)
		}
	}
	t.suite.Scenarios[i].Unhit(unhit)
	if tally.Verdict != scenarios.Pass {
		return true, t.tell(i, u, seed, nil)
	}
	t.suite.Scenarios[i].Vain(u.Scenario, seed)
	return true, nil
}

// forever is the number of runs where only time ends them.
const forever = 1_000_000_000

// share returns what ends the runs of one scenario of those left: a signal, or the end of its share of the remaining
// time. Before the first run it ends nothing.
func (t *testCommand) share(left int) (stop func() bool) {
	ends := time.Now().Add(time.Until(t.started.Add(t.lasting)) / time.Duration(left))
	begun := 0
	return func() bool {
		begun++
		return t.signal.Came() || begun > 1 && time.Now().After(ends)
	}
}

// interrupted prints how to run what a signal left: with the same flags, except --shard, --junit and --json.
func (t *testCommand) interrupted(c *cobra.Command) error {
	rest := cli.AsTyped(c, cli.NamesOf(t.left), "shard", "junit", "json")
	done := len(t.subjects) - len(t.left)
	of := fmt.Sprintf("stopped after %d of %d scenarios; what is printed is of these. For the rest", done,
		len(t.subjects))
	if done == 0 {
		of = "stopped before any scenario was through, so that nothing is known of one. For all of them"
	}
	fmt.Fprintf(c.ErrOrStderr(), "%s: %s:\n  %s\n", cli.Name, of, rest)
	return cli.Exit(cli.Interrupted)
}

// tell adds the story of an unexpected run to the i-th scenario of the suite, and keeps the run if a flag asks for
// that.
func (t *testCommand) tell(i int, u *cli.Subject, seed uint64, set []scenarios.Assignment) (err error) {
	if t.store == "" && t.junit == "" {
		return nil
	}
	q := t.request(u, set)
	q.Scenario = u.Scenario
	if err := q.Scenario.Change(q.Set); err != nil {
		return cli.Own(err) // the suite has run it
	}
	r := q.Run(seed)
	if t.store != "" {
		if t.home, err = store.Keep(t.store, r, q.Measured(seed)); err != nil {
			return err
		}
	}
	t.suite.Tell(i, runs.Document(r, q.Making(seed), false).Text(reports.Screen{}))
	return nil
}

// kill runs a mutant and its reference. It shows the reference if that broke a promise, else the mutant.
func (t *testCommand) kill(i int, u *cli.Subject, m scenarios.Mutant) error {
	k := campaign.Kill(&u.Scenario, m, t.seed, t.runs, t.workers)
	seed, set := k.Reference.WorstSeed(), []scenarios.Assignment(nil)
	if k.Reference.Verdict == scenarios.Pass {
		seed, set = t.seed, m.Set
		if k.Killed > 0 {
			seed = k.First
		}
	}
	mutant := &t.suite.Mutants[i]
	if mutant.Ran(&u.Scenario, k, t.request(u, set).Command(seed)); len(mutant.Wrong) > 0 {
		return t.tell(i, u, seed, set)
	}
	return nil
}

// request returns what runs a scenario with settings. Its command names the program alone, so that documents are the
// same however it was called.
func (t *testCommand) request(u *cli.Subject, set []scenarios.Assignment) *cli.Request {
	q := &cli.Request{Named: cmp.Or(u.File, u.Scenario.ID), NoSearch: u.Scenario.Search.Drawn() && len(u.Scenario.Search.Draw) == 0}
	for _, a := range set {
		q.Set = append(q.Set, a.String())
	}
	return q
}

func (t *testCommand) complete(args []string) (err error) {
	if err := t.check(); err != nil {
		return err
	}
	if t.subjects, err = cli.SelectAll(args); err != nil {
		return err
	}
	if t.mutants { // a file with mistakes has none
		if err := cli.Mistakes(t.subjects); err != nil {
			return err
		}
	}
	return t.enter()
}

func (t *testCommand) check() error {
	switch {
	case t.runs < 1:
		return fmt.Errorf("--runs: %d is not positive", t.runs)
	case t.lasting < 0 || t.given("for") && t.lasting == 0:
		return fmt.Errorf("--for: %v is not a time to run for", t.lasting)
	case t.lasting > 0 && t.given("runs"):
		return fmt.Errorf("--for and --runs: one of them says how long; give one")
	case t.lasting > 0 && t.mutants:
		return fmt.Errorf("--for: a mutant says how many runs it may take; with --mutants, give --runs")
	case t.mutants && t.claims:
		return fmt.Errorf("--mutants and --claims are two suites; give one of them")
	case t.claims && t.format == "json":
		return fmt.Errorf("--claims goes with --format text or markdown; the JSON has the claims in it without " +
			"--claims")
	case t.quiet && t.format != "text":
		return fmt.Errorf("--quiet goes with --format text, not with %s", t.format)
	case t.junit == "-" && (t.format != "text" || t.quiet || t.claims):
		return fmt.Errorf("--junit -: the report takes all of the output; leave out --format, --quiet and --claims, " +
			"or name a file")
	case t.json == "-":
		return fmt.Errorf("--json -: name a file; --format json prints it")
	}
	return cmp.Or(cli.CheckSeeds(t.seed, t.runs), work.CheckWorkers(&t.workers))
}

// writeReports writes the files that the flags ask for.
func (t *testCommand) writeReports() error {
	var whole bytes.Buffer
	if err := cli.Write(&whole, t.suite.Document(), "json", false); err != nil {
		return err
	}
	return errors.Join(t.junit.Write("--junit", t.cases()), t.json.Write("--json", whole.Bytes()))
}

// conclude prints the end of the report once everything has been run.
func (t *testCommand) conclude(out io.Writer) error {
	switch {
	case t.junit == "-":
		return cli.Print(out, string(t.cases()))
	case t.format != "text":
		return cli.Write(out, t.document(), t.format, false)
	case t.quiet:
		return cli.Print(out, suites.Summary(*t.suite, time.Since(t.started))+"\n")
	case t.claims:
		if err := cli.WriteFor(t.screen, out, t.document(), t.format, false); err != nil {
			return err
		}
	}
	return cli.Print(out, suites.End(t.screen, *t.suite, time.Since(t.started)))
}

// document is the suite, or the claims that it tests.
func (t *testCommand) document() *reports.Document {
	if t.claims {
		return t.suite.Claims()
	}
	return t.suite.Document()
}

// cases returns the suite as JUnit XML.
func (t *testCommand) cases() []byte {
	return suites.JUnit("lockstorm test", t.suite.Entries(), t.took)
}
