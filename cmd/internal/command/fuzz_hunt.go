package command

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/cmd/internal/store"
	"github.com/lockstorm/lockstorm/cmd/internal/work"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

func (q *fuzzCommand) complete(name string) (err error) {
	if err := q.check(); err != nil {
		return err
	}
	if err := q.Complete(name); err != nil {
		return err
	}
	if err := q.allow(); err != nil {
		return err
	}
	for _, name := range q.properties {
		if p, _ := checker.Lookup(name); p.Ticks && q.Scenario.Work.Tick == 0 {
			return fmt.Errorf("--property: no run has a finding on %s, because work.tick is 0s; name another promise", name)
		}
	}
	if q.watched, err = cli.Properties(q.properties); len(q.properties) == 0 {
		q.watched = campaign.Set(1)<<len(q.Scenario.Promises()) - 1
	}
	return err
}

func (q *fuzzCommand) check() error {
	switch {
	case q.given("for") && q.given("runs"):
		return fmt.Errorf("--for and --runs both say when to stop; give only one")
	case q.given("for") && q.lasting <= 0:
		return fmt.Errorf("--for: %s is not positive; give a time such as 1m", q.lasting)
	case q.stopAfter < 0:
		return fmt.Errorf("--stop-after: %d is negative; give 0 for no limit", q.stopAfter)
	case q.given("store") && q.Store == "":
		return fmt.Errorf("--store: the directory is missing; name one")
	case q.Quiet && q.format == "json":
		return fmt.Errorf("--quiet: it needs --format text, not json")
	}
	return q.CheckRuns()
}

// allow sets which faults may happen.
func (q *fuzzCommand) allow() error {
	own := &q.Scenario.Search
	if q.byDefault = !own.Drawn(); q.byDefault {
		*own = q.Scenario.DefaultSearch()
	}
	switch {
	case len(q.faults) == 1 && q.faults[0] == "none":
		own.Faults = nil
	case q.given("faults"):
		if len(q.faults) == 0 {
			return fmt.Errorf("--faults: the list is empty; for no faults, write --faults none")
		}
		if _, err := faults.KindsOf(q.faults); err != nil {
			return fmt.Errorf("--faults: %w", err)
		}
		own.Faults = q.faults
		if own.Most == 0 || own.Within == 0 {
			d := q.Scenario.DefaultSearch()
			own.Most, own.Within = d.Most, d.Within
		}
	}
	if why := q.Scenario.NothingStrikes(); why != "" {
		return fmt.Errorf("--faults: %s can't hit: %s", strings.Join(own.Faults, ", "), why)
	}
	return q.Scenario.Check()
}

// hunt makes the runs.
func (q *fuzzCommand) hunt(c *cobra.Command, args []string) (*campaign.Hunt, error) {
	job := work.Job(campaign.FuzzJob, &q.Scenario, []campaign.Cell{nil}, q.Seed, q.Runs)
	if q.lasting > 0 {
		q.last(job)
	}
	if err := job.Check(); err != nil {
		return nil, err
	}
	h := &campaign.Hunt{Job: job, Watched: q.watched, Most: q.stopAfter}
	h.Begin()
	return h, q.Do(c, args, job, func(_ int, rows []campaign.Row) (bool, error) { return h.AddAll(rows), nil })
}

// last sets up the job for --for. It has more seeds than any user will wait for, and its first blocks are made until
// the time is up. So the store has the beginning of one job, and more of it can be made later.
func (q *fuzzCommand) last(job *campaign.Job) {
	q.Until = time.Now().Add(q.lasting)
	job.Runs, job.Size = int(min(lastingMost, cli.SeedMax-q.Seed+1)), huntBlock
	if q.Store != "" {
		job.Size = keptBlock
	}
}

// home is where the smallest scenarios go: into the archive of rows, or where runs are stored.
func (q *fuzzCommand) home() string { return cmp.Or(q.Store, "store") }

func (q *fuzzCommand) storeError(err error) error {
	return fmt.Errorf("the store %s can't be written: %w; choose another with --store DIR", q.home(), err)
}

// keep writes the smallest scenarios.
func (q *fuzzCommand) keep(h *campaign.Hunt) error {
	found := filepath.Join(q.home(), "found")
	if q.Store == "" {
		found = filepath.Join(q.home(), store.Place(q.Scenario.ID), "found")
	}
	for i := range h.Signatures {
		g := &h.Signatures[i]
		if err := keepLeast(g, filepath.Join(found, g.Name()+".yaml"), q.again(h.Runs)); err != nil {
			return q.storeError(err)
		}
	}
	return nil
}

// keepLeast writes the smallest scenario of a signature, which the command found.
func keepLeast(g *campaign.Signature, file, command string) (err error) {
	least := g.Counterexample(command)
	g.Decided = campaign.Decide(&g.Shrinker.Least, g.Shrinker.Seed)
	g.File, g.Command, err = store.WriteLeast(file, &least, g.Shrinker.Seed)
	return err
}

const (
	huntBlock   = 100         // rows that --for makes between two looks at the clock
	keptBlock   = 1000        // the same with --store, where a block is a file
	lastingMost = 100_000_000 // the most runs that --for can reach
)
