package command

import (
	"fmt"
	"io"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/cmd/internal/store"
	"github.com/lockstorm/lockstorm/reports/runs"
	"github.com/lockstorm/lockstorm/scenarios"
)

// A runCommand holds the flags of run.
type runCommand struct {
	cli.Request
	cli.Printing
	store   string
	noStore bool
	named   bool // the user says where to keep results
	helpSet bool
	rest    func(done int) string // the command that makes the runs that are left after so many
}

func newRun() *cobra.Command {
	var q runCommand
	c := &cobra.Command{
		Use:   "run SCENARIO|FILE",
		Short: "Run a scenario and judge it",
		Args:  cli.One("SCENARIO", "lockstorm list names them"),
		RunE: func(c *cobra.Command, args []string) error {
			if err := q.Check(); err != nil {
				return err
			}
			if err := q.Complete(args[0]); err != nil {
				return err
			}
			if q.store == "" && !q.noStore {
				return fmt.Errorf("--store: it names no directory; to keep nothing, say --no-store")
			}
			q.named = c.Flags().Changed("store")
			q.rest = func(done int) string {
				return cli.Again(c, args, "seed="+strconv.FormatUint(q.Seed+uint64(done), 10), "set", "no-search",
					"runs="+strconv.Itoa(q.Runs-done), "store", "no-store")
			}
			return q.run(c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	f := c.Flags()
	f.Uint64Var(&q.Seed, "seed", 1, "run with seed `N`; all random choices follow from it")
	f.IntVar(&q.Runs, "runs", 1, "run `N` consecutive seeds, on all cores")
	f.StringArrayVar(&q.Set, "set", nil, "change the scenario: `KEY=VALUE`; may be given more than once")
	f.BoolVar(&q.NoSearch, "no-search", false, "run a scenario that has a search without the faults and settings that it draws")
	f.BoolVar(&q.helpSet, "help-set", false, "list what --set can change, with the present values")
	f.StringVar(&q.store, "store", "store", "keep results in `DIR`")
	f.BoolVar(&q.noStore, "no-store", false, "keep nothing")
	q.AddFlags(c)
	return c
}

func (q *runCommand) run(out, errs io.Writer) error {
	switch {
	case q.helpSet:
		return cli.Print(out, runs.Settings(cli.ScreenFor(out, q.Colour), &q.Scenario))
	case q.Runs > 1:
		return q.runMany(out, errs)
	}
	return q.runOne(out, errs)
}

func (q *runCommand) runOne(out, errs io.Writer) error {
	r := q.Request.Run(q.Seed)
	m := q.Making(q.Seed)
	if !q.noStore || q.Verbose || q.Format != "text" { // otherwise nobody sees the bounds
		m = q.Measured(q.Seed)
	}
	home, err := q.keep(r, m)
	if err != nil && q.named {
		return err
	}
	end := q.Print(out, r, m)
	if err != nil {
		noteUnkept(errs, err)
	}
	store.LinkLatest(errs, q.store, home)
	return end
}

// noteUnkept says that nothing was kept, where the user didn't ask for it: the verdict stands.
func noteUnkept(errs io.Writer, err error) { fmt.Fprintf(errs, cli.Name+": not kept: %v\n", err) }

// keep puts a result into the store and returns its directory, which is empty with --no-store.
func (q *runCommand) keep(r *scenarios.Result, m runs.Making) (home string, err error) {
	if q.noStore {
		return "", nil
	}
	return store.Keep(q.store, r, m)
}
