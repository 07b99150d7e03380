package command

import (
	"fmt"
	"io"
	"runtime"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/cmd/internal/store"
	"github.com/lockstorm/lockstorm/cmd/internal/work"
	"github.com/lockstorm/lockstorm/reports/campaigns"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// keptMost is how many unexpected runs of many are kept. All of them can be made again.
const keptMost = 100

// runMany makes consecutive runs, keeps those that did not go as expected, and prints counts.
func (q *runCommand) runMany(out, errs io.Writer) error {
	if !q.noStore {
		switch err := store.Probe(q.store); {
		case err != nil && q.named:
			return store.Error(q.store, err)
		case err != nil:
			noteUnkept(errs, store.Error(q.store, err))
			q.noStore = true
		}
	}
	p := work.NewProgress(errs, work.ModeFor(errs, "auto", q.Quiet), q.Runs)
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
	if err := q.counts(out, t, len(kept)); err != nil {
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

// counts prints what came of many runs, in the format that the flags ask for.
func (q *runCommand) counts(out io.Writer, t campaign.Tally, kept int) error {
	x := campaigns.NewTally(&q.Scenario, q.Seed, t)
	x.Settings, x.Lockstorm, x.Kept = append(x.Settings, q.Set...), cli.Version, kept
	if q.noStore {
		x.Kept = 0
	}
	if len(t.Unexpected) > 0 {
		x.Command = q.Command(t.Unexpected[0])
	}
	return cli.WriteFor(cli.ScreenFor(out, q.Colour), out, x.Document(), q.Format, q.Quiet)
}
