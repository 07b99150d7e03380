package command

import (
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/cmd/internal/store"
	"github.com/lockstorm/lockstorm/cmd/internal/work"
	"github.com/lockstorm/lockstorm/reports"
)

// A testCommand holds the flags of test, and what has come of it so far.
type testCommand struct {
	seed    uint64
	runs    int
	workers int
	mutants bool
	claims  bool
	quiet   bool
	format  string
	colour  string
	junit   string
	store   string

	screen   reports.Screen
	subjects []cli.Subject
	suite    reports.Suite
	started  time.Time
	home     string // of the last result that was kept
}

func newTest() *cobra.Command {
	var t testCommand
	c := &cobra.Command{
		Use:   "test [GLOB…]",
		Short: "Run the catalogue, or part of it, as a test suite",
		RunE: func(c *cobra.Command, args []string) error {
			if err := t.complete(args); err != nil {
				return err
			}
			return t.run(c)
		},
	}
	f := c.Flags()
	f.Uint64Var(&t.seed, "seed", 1, "the first seed is `N`")
	f.IntVar(&t.runs, "runs", 100, "run `N` consecutive seeds of each")
	f.BoolVar(&t.mutants, "mutants", false, "run the mutants beside the reference: each must break a property that the reference keeps")
	f.BoolVar(&t.claims, "claims", false, "run the scenarios that test a claim, and print the claims")
	cli.FormatFlag(f, &t.format)
	cli.ColorFlag(f, &t.colour)
	f.StringVar(&t.store, "store", "", "keep in `DIR` a run of each scenario or mutant that was not as expected")
	f.StringVar(&t.junit, "junit", "", "write a JUnit report to `FILE`; - prints it, and nothing else")
	f.BoolVarP(&t.quiet, "quiet", "q", false, "print the last line only")
	work.AddWorkers(f, &t.workers)
	return c
}

func (t *testCommand) run(c *cobra.Command) error {
	out := c.OutOrStdout()
	file, err := openJUnit(t.junit)
	if err != nil {
		return err
	}
	if t.store != "" {
		if err := store.Probe(t.store); err != nil {
			return fmt.Errorf("--store: %s can't be written: %w", t.store, err)
		}
	}
	t.started, t.screen = time.Now(), cli.ScreenFor(out, t.colour)
	if err := t.runAll(out); err != nil {
		return err
	}
	store.LinkLatest(c.ErrOrStderr(), t.store, t.home)
	worst := t.suite.Conclude()
	if err := t.conclude(out); err != nil {
		return err
	}
	if err := writeJUnit(file, t.suite.JUnit()); err != nil {
		return err
	}
	writeGitHub(c, t.format == "text" && t.junit != "-", t.suite.Annotations(), t.suite.Document(t.claims).Markdown())
	return cli.ExitFor(worst)
}

// live reports whether lines are printed while the suite runs.
func (t *testCommand) live() bool {
	return t.format == "text" && !t.quiet && !t.claims && t.junit != "-"
}

// conclude prints what is printed once all has been run.
func (t *testCommand) conclude(out io.Writer) error {
	switch {
	case t.junit == "-":
		return cli.Print(out, string(t.suite.JUnit()))
	case t.format != "text":
		return cli.Write(out, t.suite.Document(t.claims), t.format, false)
	case t.quiet:
		return cli.Print(out, t.suite.Summary(time.Since(t.started))+"\n")
	case t.claims:
		if err := cli.WriteFor(t.screen, out, t.suite.Document(t.claims), t.format, false); err != nil {
			return err
		}
	}
	return cli.Print(out, t.suite.End(t.screen, time.Since(t.started)))
}
