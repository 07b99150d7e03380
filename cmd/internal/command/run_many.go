package command

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/cmd/internal/store"
	"github.com/lockstorm/lockstorm/cmd/internal/work"
	"github.com/lockstorm/lockstorm/reports/campaigns"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// keptMost is how many unexpected runs of many are kept. All of them can be made again.
const keptMost = 100

// runMany makes consecutive runs and prints counts. It keeps a row of each in the store that the user names; else it keeps
// the runs that did not go as expected.
func (q *runCommand) runMany(c *cobra.Command, args []string) error {
	out, errs := c.OutOrStdout(), c.ErrOrStderr()
	if !q.noStore {
		switch err := store.Probe(q.store); {
		case err != nil && q.named:
			return store.Error(q.store, err)
		case err != nil:
			noteUnkept(errs, store.Error(q.store, err))
			q.noStore = true
		}
	}
	s := q.Scenario
	if q.NoSearch {
		s.Search = scenarios.Search{}
	}
	t := campaign.NewTally(&s)
	job := work.Job("rows", &s, []campaign.Cell{nil}, q.Seed, q.Runs)
	if err := q.Do(c, args, job, t.Count); err != nil {
		return err
	}
	if q.Part { // what a part of the runs shows is no verdict
		if err := cli.Print(out, rowCounts(t.Verdicts, q.Store)); err != nil {
			return err
		}
		return q.Exit(cli.AsExpected)
	}
	kept, err := q.keepUnexpected(errs, t.Unexpected)
	if err == nil && t.Runs > 0 {
		err = q.counts(out, t, kept)
	}
	if err != nil {
		return err
	}
	return q.Exit(cli.ExitFor(t.Worst))
}

// keepUnexpected keeps the first runs that did not go as expected, unless there are rows, and returns how many.
func (q *runCommand) keepUnexpected(errs io.Writer, seeds []uint64) (kept int, err error) {
	if q.Store != "" || q.noStore {
		return 0, nil
	}
	var last string
	for _, seed := range seeds[:min(len(seeds), keptMost)] {
		if last, err = q.keep(q.Request.Run(seed), q.Measured(seed)); err != nil {
			return 0, err
		}
		kept++
	}
	store.LinkLatest(errs, q.store, last)
	return kept, nil
}

// rowCounts returns one line that says how many rows there are, by their verdicts.
func rowCounts(v [3]int, dir string) string {
	pass, fail, unknown := v[scenarios.Pass], v[scenarios.Fail], v[scenarios.Unknown]
	return fmt.Sprintf("%d rows in %s: %d as expected, %d not, %d unknown\n", pass+fail+unknown, dir, pass, fail, unknown)
}

// counts prints what came of many runs, in the format that the flags ask for.
func (q *runCommand) counts(out io.Writer, t campaign.Tally, kept int) error {
	x := campaigns.NewTally(&q.Scenario, q.Seed, t)
	x.Settings, x.Lockstorm, x.Kept = append(x.Settings, q.Set...), cli.Version, kept
	if len(t.Unexpected) > 0 {
		x.Command = q.Command(t.Unexpected[0])
	}
	return cli.WriteFor(cli.ScreenFor(out, q.Colour), out, x.Document(), q.Format, q.Printing.Quiet)
}
