package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/cmd/internal/store"
	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/runs"
	"github.com/lockstorm/lockstorm/reports/suites"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/scenarios/live"
)

// A gate runs the scenarios that fit an adapter's lock as a test suite. Its verdict is against what our own lock of
// that kind keeps.
type gate struct {
	*liveCommand
	c      *cobra.Command
	screen reports.Screen
	suite  *suites.Suite
	trials []live.Trial
	sets   [][]string // the settings of each trial
	made   [][]live.Outcome
	unable []error // why a trial can't be made, as its adapter says
}

// gateFlags are the flags that only a suite has.
var gateFlags = []string{"lock", "junit", "for", "shard", "accept"}

// suited reports whether the command line asks for a suite, not for one run with its story.
func (q *liveCommand) suited(c *cobra.Command, args []string) bool {
	one := len(args) == 1 && q.Runs == 1
	if one && !scenarios.IsFile(args[0]) {
		_, one = scenarios.Find(args[0])
	}
	return len(q.adapter) > 0 && (!one || slices.ContainsFunc(gateFlags, c.Flags().Changed))
}

// gate runs the suite, and prints it.
func (q *liveCommand) gate(ctx context.Context, c *cobra.Command, args []string) error {
	g := &gate{liveCommand: q, c: c, screen: cli.ScreenFor(c.OutOrStdout(), q.Colour)}
	g.suite = suites.New(cli.Version, q.Seed, q.Runs)
	if err := cmp.Or(g.enter(args), q.junit.Clear("--junit")); err != nil {
		return err
	}
	began := time.Now()
	if err := g.run(ctx, began); err != nil {
		return err
	}
	took, left := g.conclude()
	worst := g.suite.Conclude()
	if g.suite.Len() == 0 {
		worst = scenarios.Unknown
		g.suite.Verdict = worst
	}
	if err := g.print(time.Since(began)); err != nil {
		return err
	}
	cases := suites.JUnit("lockstorm-full live", g.suite.Entries(), took, g.suite.Skipped...)
	if err := q.junit.Write("--junit", cases); err != nil {
		return err
	}
	store.WriteGitHub(c.OutOrStdout(), c.ErrOrStderr(), q.Format == "text", suites.Annotations(g.suite.Entries()),
		g.suite.Document().Markdown())
	switch {
	case ctx.Err() != nil:
		fmt.Fprintf(c.ErrOrStderr(), "%s: stopped with %d of %d scenarios left: %s\n", cli.Name, len(left),
			len(g.trials), strings.Join(left, " "))
		return cli.Exit(cli.Interrupted)
	case g.suite.Len() == 0:
		fmt.Fprintln(c.ErrOrStderr(), cli.Name+": nothing was tried, so nothing is known")
	}
	return cli.ExitFor(worst)
}

// enter enters into the suite what will be run, and what the lock can't do.
func (g *gate) enter(args []string) error {
	subjects, err := cli.Select(args)
	if err != nil {
		return err
	}
	if subjects, err = g.ofKind(subjects); err != nil {
		return err
	}
	for _, u := range subjects {
		s, set := u.Scenario, g.Set
		if s.Lock.Kind.String() != cmp.Or(g.lock, s.Lock.Kind.String()) {
			set = append([]string{"lock.kind=" + g.lock, "nodes=1"}, set...)
		}
		length, err := g.fits(&s, set)
		if err != nil {
			g.suite.Skip(&s, u.File, strings.ReplaceAll(err.Error(), "\n", "; "))
			continue
		}
		o := g.options
		if o.Accepted, err = g.accepted(s.ID); err != nil {
			return err
		}
		g.suite.Add(&s, u.File)
		g.trials = append(g.trials, live.Trial{Name: cmp.Or(u.File, s.ID), Scenario: s, Options: o, Length: length})
		g.sets = append(g.sets, set)
	}
	g.made, g.unable = make([][]live.Outcome, len(g.trials)), make([]error, len(g.trials))
	return nil
}

// ofKind returns the part of the scenarios for locks of the kind, that belongs to the shard. A lock on one server
// is also tried where the scenario has Redlock.
func (g *gate) ofKind(all []cli.Subject) ([]cli.Subject, error) {
	var kinds []string
	for i := range all {
		if kind := all[i].Scenario.Lock.Kind.String(); !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
	}
	switch {
	case g.lock == "" && len(kinds) > 1:
		return nil, fmt.Errorf("--lock: these scenarios are for locks of the kinds %s; say which kind yours is",
			strings.Join(kinds, ", "))
	case g.lock != "" && !slices.Contains(scenarios.KindNames, g.lock):
		return nil, fmt.Errorf("--lock: there is no kind %q; give one of %s", g.lock,
			strings.Join(scenarios.KindNames, ", "))
	}
	all = slices.DeleteFunc(all, func(u cli.Subject) bool {
		kind := u.Scenario.Lock.Kind
		drawn := u.File == "" && u.Scenario.Search.Drawn()
		onOne := kind == scenarios.Redlock && g.lock == scenarios.Single.String()
		return drawn || g.lock != "" && kind.String() != g.lock && !onOne
	})
	return cli.Shard(all, g.shard)
}

// fits changes the scenario, and returns why the lock can't be tried there, or how long a simulated run is. A needed
// event must happen with our own lock of that kind.
func (g *gate) fits(s *scenarios.Scenario, set []string) (length time.Duration, err error) {
	if err := s.Change(set); err != nil && len(set) > len(g.Set) {
		return 0, errors.New("it needs more than one server")
	} else if err != nil {
		return 0, err
	}
	if err := cmp.Or(g.options.Check(s), live.CheckAdapter(s)); err != nil {
		return 0, err
	}
	res := scenarios.Run(*s, g.Seed)
	for _, f := range res.Seen {
		if f.Verdict != checker.Holds {
			return 0, fmt.Errorf("with a lock of the kind %s, %s does not happen", s.Lock.Kind, f.Property)
		}
	}
	return time.Duration(res.Evidence.End), nil
}

// run makes the runs: --runs of each, or a seed of each in turn until the time has passed, and one at least.
func (g *gate) run(ctx context.Context, began time.Time) (failed error) {
	plan := g.plan(g.trials, g.c.ErrOrStderr(), func(i int) string { return g.trials[i].Name })
	plan.Begun, plan.Parallel = nil, g.parallel
	if g.lasting > 0 {
		plan.Runs = 1
	}
	made := func(i int, outcomes []live.Outcome) {
		g.made[i] = append(g.made[i], outcomes...)
		if g.lasting == 0 {
			failed = cmp.Or(failed, g.judge(i))
		}
	}
	live.Make(ctx, g.trials, plan, made)
	within, end := context.WithDeadline(ctx, began.Add(g.lasting))
	defer end()
	for g.lasting > 0 && within.Err() == nil {
		plan.Seed++
		live.Make(within, g.trials, plan, made)
	}
	for i := range g.trials {
		if g.lasting > 0 {
			failed = cmp.Or(failed, g.judge(i))
		}
	}
	return failed
}

// judge enters the outcome of the runs of a scenario, if there are any, and prints its line. A run that could not be
// made is unknown.
func (g *gate) judge(i int) error {
	t, c := &g.trials[i], &g.suite.Scenarios[i]
	s := t.Scenario
	var all []*live.Result
	var wrong []string
	for _, o := range g.made[i] {
		switch {
		case o.Err == nil && o.Result.Missing == nil:
			all = append(all, o.Result)
		case o.Err == nil:
			g.unable[i] = fmt.Errorf("with this lock, what the scenario needs did not happen: %s",
				strings.Join(o.Result.Missing, ", "))
		case errors.As(o.Err, new(live.Unable)):
			g.unable[i] = o.Err
		case !errors.Is(o.Err, context.Canceled) && !errors.Is(o.Err, context.DeadlineExceeded):
			wrong = append(wrong, o.Err.Error())
		}
	}
	if len(all)+len(wrong) == 0 {
		return nil
	}
	s.Expect = live.Standard(all)
	tally := campaign.NewTally(&s, g.Seed)
	var worst *live.Result
	for _, r := range all {
		_, _ = tally.Count(0, []campaign.Row{campaign.RowOf(r.Result)})
		if worst == nil || r.Verdict > worst.Verdict {
			worst = r
		}
	}
	seed := g.Seed
	if tally.Verdict != scenarios.Pass {
		seed = tally.WorstSeed()
	}
	c.Ran(&s, tally, g.command(i, seed))
	if c.Verdict == scenarios.Unknown {
		c.Wrong = nil
		for _, doubt := range worst.Doubts {
			c.Wrong = append(c.Wrong, strings.TrimSuffix(doubt, "."))
		}
	}
	if c.Verdict != scenarios.Pass {
		g.suite.Tell(i, g.story(i, worst))
	}
	for _, text := range wrong {
		c.Runs, c.Unknown, c.Verdict = c.Runs+1, c.Unknown+1, max(c.Verdict, scenarios.Unknown)
		if !slices.Contains(c.Wrong, text) {
			c.Wrong = append(c.Wrong, text)
		}
	}
	if accepted := t.Options.Accepted; len(accepted) > 0 {
		c.Note = "accepted: " + strings.Join(accepted, ", ")
	}
	if g.Format != "text" || g.Quiet {
		return nil
	}
	return cli.Print(g.c.OutOrStdout(), suites.Line(g.screen, *g.suite, i))
}

// command returns the command that repeats a run of a scenario.
func (g *gate) command(i int, seed uint64) string {
	how := []string{"seed=" + strconv.FormatUint(seed, 10)}
	for _, set := range g.sets[i] {
		how = append(how, "set="+set)
	}
	how = append(how, "scale", "servers", "redis-server", "adapter")
	return cli.Typed(cli.Again(g.c, []string{g.trials[i].Name}, how...))
}

// story keeps a run, and returns its text.
func (g *gate) story(i int, r *live.Result) string {
	m := runs.Making{Version: cli.Version, Source: g.trials[i].Name, Settings: g.sets[i], Command: g.command(i, r.Seed)}
	if err := g.keep(g.c.ErrOrStderr(), r, m); err != nil {
		fmt.Fprintln(g.c.ErrOrStderr(), cli.Name+": the run is not kept:", err)
	}
	return runs.Document(r.Result, m, false).Text(reports.Screen{})
}

// conclude leaves the scenarios that were run. It returns how long each took, and those that a signal left.
func (g *gate) conclude() (took []time.Duration, left []string) {
	all := g.suite.Scenarios
	g.suite.Scenarios = []suites.Case{}
	for i := range all {
		t := &g.trials[i]
		switch {
		case all[i].Command == "" && g.unable[i] != nil:
			g.suite.Skip(&t.Scenario, all[i].File, g.unable[i].Error())
		case all[i].Command == "":
			left = append(left, t.Name)
		default:
			g.suite.Scenarios = append(g.suite.Scenarios, all[i])
			took = append(took, 0)
			for _, o := range g.made[i] {
				took[len(took)-1] += o.Took
			}
		}
	}
	return took, left
}

// print prints what is not printed yet.
func (g *gate) print(elapsed time.Duration) error {
	out := g.c.OutOrStdout()
	switch {
	case g.Format != "text":
		return cli.Write(out, g.suite.Document(), g.Format, false)
	case g.Quiet:
		return cli.Print(out, suites.Summary(*g.suite, elapsed)+"\n")
	}
	return cli.Print(out, suites.End(g.screen, *g.suite, elapsed))
}

// accepted returns the promises of a scenario that the team lets its lock break, by a file of lines such as
// "kleppmann/* belief storage # known".
func (g *gate) accepted(id string) (promises []string, err error) {
	if g.accept == "" {
		return nil, nil
	}
	text, err := os.ReadFile(g.accept)
	if err != nil {
		return nil, fmt.Errorf("--accept: %w", err)
	}
	for n, line := range strings.Split(string(text), "\n") {
		line, _, _ = strings.Cut(line, "#")
		words := strings.Fields(line)
		for i, word := range words {
			_, known := checker.Lookup(word)
			is, err := path.Match(words[0], id)
			switch {
			case i > 0 && !known:
				err = cli.NoProperty(word)
			case i > 0 && is:
				promises = append(promises, word)
			}
			if err != nil {
				return nil, fmt.Errorf("--accept: %s, line %d: %w", g.accept, n+1, err)
			}
		}
	}
	return promises, nil
}
