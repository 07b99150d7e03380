package command

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/cmd/internal/store"
	"github.com/lockstorm/lockstorm/cmd/internal/work"
	"github.com/lockstorm/lockstorm/reports/runs"
	"github.com/lockstorm/lockstorm/scenarios"
)

// A runCommand holds the flags of run.
type runCommand struct {
	cli.Request
	cli.Printing
	work.Work        // its Store is where rows are kept; empty for none
	store     string // where single runs are kept
	noStore   bool
	named     bool // the user says where to keep results
	helpSet   bool
}

func newRun() *cobra.Command {
	var q runCommand
	c := &cobra.Command{
		Use:   "run SCENARIO|FILE",
		Short: "Run a scenario and judge each promise",
		Args:  cli.AtMostOne("SCENARIO", "lockstorm list names them"),
		RunE: func(c *cobra.Command, args []string) error {
			if err := q.checkRun(c, args); err != nil {
				return err
			}
			if len(args) == 0 {
				return q.resume(c)
			}
			if err := q.Complete(args[0]); err != nil {
				return err
			}
			return q.run(c, args)
		},
	}
	f := c.Flags()
	f.Uint64Var(&q.Seed, "seed", 1, "run with seed `N`; all random choices follow from it")
	f.IntVar(&q.Runs, "runs", 1, "run `N` consecutive seeds, on all cores")
	f.StringArrayVar(&q.Set, "set", nil, "change the scenario: `KEY=VALUE`; may be given more than once")
	f.BoolVar(&q.NoSearch, "no-search", false, "leave out the random faults and settings of a scenario with a search")
	f.BoolVar(&q.helpSet, "help-set", false, "list what --set can change: keys, names, values and explanations")
	q.Work.AddFlags(c)
	kept := f.Lookup("store")
	kept.DefValue, kept.Usage = "store", "keep results in `DIR`; with --runs, a row of each run"
	f.BoolVar(&q.noStore, "no-store", false, "keep nothing")
	q.Printing.AddFlags(c)
	return c
}

func (q *runCommand) run(c *cobra.Command, args []string) error {
	out, errs := c.OutOrStdout(), c.ErrOrStderr()
	switch {
	case q.helpSet:
		return cli.Print(out, runs.Settings(cli.ScreenFor(out, q.Colour), &q.Scenario))
	case q.Runs > 1:
		return q.runMany(c, args)
	}
	return q.runOne(out, errs)
}

func (q *runCommand) runOne(out, errs io.Writer) error {
	r := q.Request.Run(q.Seed)
	m := q.Making(q.Seed)
	if !q.noStore || q.Verbose || q.Format != "text" { // otherwise the bounds are not shown
		m = q.Measured(q.Seed)
	}
	home, err := q.keep(r, m)
	if err != nil && q.named {
		return err
	}
	m.Page = q.Page(out, q.Seed)
	end := q.Print(out, r, m)
	if err != nil {
		noteUnkept(errs, err)
	}
	store.LinkLatest(errs, q.store, home)
	return end
}

// noteUnkept says that nothing was kept, where the user didn't ask for it. The verdict is still valid.
func noteUnkept(errs io.Writer, err error) { fmt.Fprintf(errs, cli.Name+": not kept: %v\n", err) }

// keep puts a result into the store and returns its directory, which is empty with --no-store.
func (q *runCommand) keep(r *scenarios.Result, m runs.Making) (home string, err error) {
	if q.noStore {
		return "", nil
	}
	return store.Keep(q.store, r, m)
}
