package command

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/cmd/internal/store"
	"github.com/lockstorm/lockstorm/cmd/internal/work"
	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/suites"
)

// A testCommand holds the flags of test, and the results so far.
type testCommand struct {
	seed    uint64
	runs    int
	workers int
	mutants bool
	claims  bool
	quiet   bool
	format  string
	colour  string
	junit   store.ReportFile
	json    store.ReportFile
	store   string
	lasting time.Duration
	shard   string

	screen   reports.Screen
	subjects []cli.Subject
	suite    *suites.Suite
	took     []time.Duration // how long each took
	started  time.Time
	home     string // of the last result that was kept
	given    func(flag string) bool
	signal   *work.Interrupt
	left     []cli.Subject // what a signal left to be run
}

func newTest() *cobra.Command {
	var t testCommand
	c := &cobra.Command{
		Use:   "test [GLOB|FILE|FOLDER…]",
		Short: "Run scenarios as a test suite",
		RunE: func(c *cobra.Command, args []string) error {
			t.given = c.Flags().Changed
			if err := t.complete(args); err != nil {
				return err
			}
			return t.run(c)
		},
	}
	f := c.Flags()
	f.Uint64Var(&t.seed, "seed", 1, "the first seed is `N`")
	f.IntVar(&t.runs, "runs", 100, "run `N` consecutive seeds of each")
	f.DurationVar(&t.lasting, "for", 0, "run for the time `D` in all, such as 5m, in place of --runs: each gets its "+
		"share, and at least one run")
	f.StringVar(&t.shard, "shard", "", "run one part of several: `I/N`, with I from 0")
	f.BoolVar(&t.mutants, "mutants", false, "run the known flaws next to the reference: each must break a promise "+
		"that the reference keeps")
	f.BoolVar(&t.claims, "claims", false, "run the scenarios that test a claim, and print the claims")
	cli.FormatFlag(f, &t.format)
	cli.ColorFlag(f, &t.colour)
	f.StringVar(&t.store, "store", "", "keep in `DIR` a run of each scenario or mutant that was not as expected")
	f.StringVar((*string)(&t.junit), "junit", "", "write a JUnit report to `FILE`; - prints it, and nothing else")
	f.StringVar((*string)(&t.json), "json", "", "write what --format json prints to `FILE`, such as one in the "+
		"--store, for site")
	f.BoolVarP(&t.quiet, "quiet", "q", false, "print the last line only")
	work.AddWorkers(f, &t.workers)
	return c
}

func (t *testCommand) run(c *cobra.Command) error {
	out := c.OutOrStdout()
	if t.store != "" {
		if err := store.Probe(t.store); err != nil {
			return fmt.Errorf("--store: %s can't be written: %w", t.store, err)
		}
	}
	if err := errors.Join(t.junit.Clear("--junit"), t.json.Clear("--json")); err != nil {
		return err
	}
	t.started, t.screen = time.Now(), cli.ScreenFor(out, t.colour)
	t.signal = work.OnInterrupt(work.NewProgress(c.ErrOrStderr(), work.ModeFor(c.ErrOrStderr(), true), 0))
	defer t.signal.Release()
	if err := t.runAll(out); err != nil {
		return err
	}
	store.LinkLatest(c.ErrOrStderr(), t.store, t.home)
	if t.suite.Len() == 0 {
		return t.interrupted(c)
	}
	worst := t.suite.Conclude()
	if err := t.conclude(out); err != nil {
		return err
	}
	if err := t.writeReports(); err != nil {
		return err
	}
	store.WriteGitHub(c.OutOrStdout(), c.ErrOrStderr(), t.format == "text" && t.junit != "-",
		suites.Annotations(t.suite.Entries()), t.document().Markdown())
	if len(t.left) > 0 {
		return t.interrupted(c)
	}
	return cli.ExitFor(worst)
}

// live reports whether lines are printed while the suite runs.
func (t *testCommand) live() bool {
	return t.format == "text" && !t.quiet && !t.claims && t.junit != "-"
}
