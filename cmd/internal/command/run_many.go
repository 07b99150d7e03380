package command

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/cmd/internal/store"
	"github.com/lockstorm/lockstorm/cmd/internal/work"
	"github.com/lockstorm/lockstorm/reports/campaigns"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/scenarios/campaign/archive"
)

// rowFlags go with rows alone.
var rowFlags = []string{"resume"}

// checkRun checks the flags. It leaves a Store only where rows are kept.
func (q *runCommand) checkRun(c *cobra.Command, args []string) error {
	given := c.Flags().Changed
	q.named = given("store")
	q.store = cmp.Or(q.Store, "store")
	q.Printing.Quiet = q.Work.Quiet
	switch {
	case q.named && q.Store == "" && !q.noStore:
		return errors.New("--store: it names no directory; to keep nothing, say --no-store")
	case len(args) == 0 && !q.Resume:
		return errors.New("run takes one SCENARIO; lockstorm list names them. Without one, --resume finishes the rows " +
			"in --store")
	}
	if q.Format == "tla" && (q.Runs > 1 || len(args) == 0) {
		return errors.New("--format tla: it has the steps of one run; give a SCENARIO and a --seed, without --runs")
	}
	if len(args) > 0 && (q.Runs < 2 || q.noStore) {
		q.Store = ""
		for _, flag := range rowFlags {
			if given(flag) {
				return fmt.Errorf("--%s: it is for rows; give --store DIR and --runs N, with N above 1", flag)
			}
		}
	}
	if _, err := os.Lstat(filepath.Join(q.Store, "latest")); q.Store != "" && err == nil {
		return fmt.Errorf("--store: %s has single runs; name another directory for the rows of many", q.Store)
	}
	return q.Check()
}

// resume finishes the rows that any command began.
func (q *runCommand) resume(c *cobra.Command) error {
	for _, name := range []string{"seed", "runs", "set", "no-search", "format"} {
		if c.Flags().Changed(name) {
			return fmt.Errorf("--%s: what was begun in %s says that already; leave it out, or name the scenario too",
				name, q.Store)
		}
	}
	if err := q.CheckFlags(); err != nil {
		return err
	}
	a, err := openOwn(q.Store)
	if err != nil {
		return err
	}
	t := campaign.NewTally(a.Job.Scenario, a.Job.First)
	if err := q.Do(c, nil, a.Job, t.Count); err != nil {
		return err
	}
	return q.End(cli.Print(c.OutOrStdout(), rowCounts(&t, q.Store)), cli.AsExpected)
}

// openOwn opens an archive that this build of Lockstorm may add to.
func openOwn(dir string) (*archive.Archive, error) {
	a, err := work.Open(dir)
	if err != nil {
		return nil, fmt.Errorf("--store: %w", err)
	}
	if a.Manifest.Lockstorm != cli.Build() {
		return nil,
			fmt.Errorf("--store: %w",
				work.ExplainBuild(&archive.OtherBuild{Dir: dir, Made: a.Manifest.Lockstorm,
					Now: cli.Build()}))
	}
	return a, nil
}

// keptMost is how many unexpected runs of many are kept. All of them can be made again. Tests keep fewer.
var keptMost = 100

// runMany makes consecutive runs and prints counts. It keeps a row of each in the store that the user names; else it
// keeps the runs that did not go as expected.
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
	t := campaign.NewTally(&s, q.Seed)
	job := work.Job("rows", &s, []campaign.Cell{nil}, q.Seed, q.Runs)
	if err := q.Do(c, args, job, t.Count); err != nil {
		return err
	}
	kept, err := q.keepUnexpected(errs, t.Unexpected)
	if err == nil && t.Runs > 0 {
		err = q.counts(out, t, kept)
	}
	return q.End(err, cli.ExitFor(t.Verdict))
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
func rowCounts(t *campaign.Tally, dir string) string {
	return fmt.Sprintf("%d rows in %s: %d as expected, %d not, %d unknown\n", t.Runs, dir, t.Pass, t.Fail, t.Unknown)
}

// counts prints the outcome of many runs, in the format that the flags ask for.
func (q *runCommand) counts(out io.Writer, t campaign.Tally, kept int) error {
	t.Settings, t.Lockstorm, t.Kept = append(t.Settings, q.Set...), cli.Version, kept
	if len(t.Unexpected) > 0 {
		t.Command = q.Command(t.Unexpected[0])
	}
	d := campaigns.Tally(&t, q.Scenario.ProofNote())
	return cli.WriteFor(cli.ScreenFor(out, q.Colour), out, d, q.Format, q.Printing.Quiet)
}
