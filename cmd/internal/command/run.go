package command

import (
	"fmt"
	"io"
	"runtime"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/cmd/internal/store"
	"github.com/lockstorm/lockstorm/cmd/internal/work"
	"github.com/lockstorm/lockstorm/reports/campaigns"
	"github.com/lockstorm/lockstorm/reports/layout"
	"github.com/lockstorm/lockstorm/reports/onerun"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// A runCommand holds the flags of run.
type runCommand struct {
	cli.Request
	printing
	store   string
	noStore bool
	helpSet bool
	rest    func(done int) string // the command that makes the runs that are left after so many
}

// printing holds the flags that say how a result is printed.
type printing struct {
	format  string
	colour  string
	quiet   bool
	verbose bool
}

func newRun() *cobra.Command {
	var q runCommand
	c := &cobra.Command{
		Use:   "run SCENARIO|FILE",
		Short: "Run a scenario and judge it",
		Args:  cli.One("SCENARIO", "lockstorm list names them"),
		RunE: func(c *cobra.Command, args []string) error {
			if err := q.check(); err != nil {
				return err
			}
			if err := q.Complete(args[0]); err != nil {
				return err
			}
			if q.store == "" && !q.noStore {
				return fmt.Errorf("--store: it names no directory; to keep nothing, say --no-store")
			}
			q.rest = func(done int) string {
				return cli.Again(c, args, "seed="+strconv.FormatUint(q.Seed+uint64(done), 10), "set", "no-search", "runs="+strconv.Itoa(q.Runs-done), "store", "no-store")
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
	q.addFlags(c)
	return c
}

func (p *printing) addFlags(c *cobra.Command) {
	f := c.Flags()
	cli.FormatFlag(f, &p.format, "text", "markdown", "json")
	cli.ColorFlag(f, &p.colour)
	f.BoolVarP(&p.quiet, "quiet", "q", false, "print one line")
	f.BoolVarP(&p.verbose, "verbose", "v", false, "print everything: all events of each violation, figures and bounds")
}

func (p *printing) check() error {
	switch {
	case p.quiet && p.format == "markdown":
		return fmt.Errorf("--quiet goes with --format text or json, not with markdown")
	case p.verbose && (p.quiet || p.format != "text"):
		return fmt.Errorf("--verbose goes with --format text, and not with --quiet")
	}
	return nil
}

func (q *runCommand) run(out, errs io.Writer) error {
	switch {
	case q.helpSet:
		return cli.Print(out, onerun.Settings(cli.ScreenFor(out, q.colour), &q.Scenario))
	case q.Runs > 1:
		return q.runMany(out, errs)
	}
	return q.runOne(out, errs)
}

func (q *runCommand) runOne(out, errs io.Writer) error {
	r := q.Request.Run(q.Seed)
	m := q.Making(q.Seed)
	if !q.noStore || q.verbose || q.format != "text" { // otherwise nobody sees the bounds
		m = q.Measured(q.Seed)
	}
	home, err := q.keep(r, m)
	if err != nil {
		return err
	}
	store.LinkLatest(errs, q.store, home)
	return q.print(out, r, m)
}

// print prints a result, and ends the command with the exit code for its verdict.
func (p *printing) print(out io.Writer, r *scenarios.Result, m onerun.Making) error {
	if err := cli.Print(out, p.text(out, r, m)); err != nil {
		return err
	}
	return cli.ExitFor(r.Verdict)
}

// text returns a result in the format that the flags ask for.
func (p *printing) text(out io.Writer, r *scenarios.Result, m onerun.Making) string {
	switch {
	case p.format == "json":
		return string(layout.JSON(onerun.Describe(r, m)))
	case p.quiet:
		return onerun.Summary(r) + "\n"
	case p.format == "markdown":
		return onerun.Markdown(r, m)
	}
	m.Command = cli.Typed(m.Command)
	if p.verbose {
		return onerun.Text(cli.ScreenFor(out, p.colour), r, m)
	}
	m.Whole = m.Command + " --verbose"
	return onerun.Brief(cli.ScreenFor(out, p.colour), r, m)
}

// keptMost is how many unexpected runs of many are kept. All of them can be made again.
const keptMost = 100

// runMany makes consecutive runs, keeps those that did not go as expected, and prints counts.
func (q *runCommand) runMany(out, errs io.Writer) error {
	if !q.noStore {
		if err := store.Probe(q.store); err != nil {
			return store.Error(q.store, err)
		}
	}
	p := work.NewProgress(errs, work.ModeFor(errs, "auto", q.quiet), q.Runs)
	signal := work.OnInterrupt(p)
	defer signal.Release()
	t := campaign.Plan{
		Scenario: &q.Scenario, First: q.Seed, Runs: q.Runs, Workers: runtime.GOMAXPROCS(0), Each: p.Result, Stop: signal.Came,
		Drawn: q.Drawn(),
	}.Run()
	p.End()
	kept := t.Unexpected[:min(len(t.Unexpected), keptMost)]
	var home string
	for _, seed := range kept {
		var err error
		if home, err = q.keep(q.Request.Run(seed), q.Measured(seed)); err != nil {
			return err
		}
	}
	store.LinkLatest(errs, q.store, home)
	if t.Runs == 0 {
		return q.interrupted(errs, 0)
	}
	if err := cli.Print(out, q.counts(out, t, len(kept))); err != nil {
		return err
	}
	if t.Runs < q.Runs {
		return q.interrupted(errs, t.Runs)
	}
	return cli.ExitFor(t.Worst)
}

// interrupted prints how to make the runs that are left after a signal.
func (q *runCommand) interrupted(errs io.Writer, done int) error {
	fmt.Fprintf(errs, cli.Name+": stopped after %d of %d runs; what is printed is of these. For the rest:\n  %s\n"+
		"To have long work that can be resumed: %s rows or %s fuzz, with --store\n",
		done, q.Runs, cli.Typed(q.rest(done)), cli.Program, cli.Program)
	return cli.Exit(cli.Interrupted)
}

// counts returns what came of many runs, in the format that the flags ask for.
func (q *runCommand) counts(out io.Writer, t campaign.Tally, kept int) string {
	m := campaigns.NewTally(&q.Scenario, q.Seed, t)
	m.Settings, m.Lockstorm = append(m.Settings, q.Set...), cli.Version
	if !q.noStore {
		m.Kept = kept
	}
	if len(t.Unexpected) > 0 {
		m.Command = q.Command(t.Unexpected[0])
	}
	switch {
	case q.format == "json":
		return string(layout.JSON(m))
	case q.quiet:
		return campaigns.TallySummary(m) + "\n"
	case q.format == "markdown":
		return m.Document().Markdown()
	}
	m.Command = cli.Typed(m.Command)
	return m.Document().Text(cli.ScreenFor(out, q.colour))
}

// keep puts a result into the store and returns its directory, which is empty with --no-store.
func (q *runCommand) keep(r *scenarios.Result, m onerun.Making) (home string, err error) {
	if q.noStore {
		return "", nil
	}
	return store.Keep(q.store, r, m)
}
