package command

import (
	"cmp"
	"fmt"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/cmd/internal/store"
	"github.com/lockstorm/lockstorm/cmd/internal/work"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// hunt makes the runs, or those of a shard.
func (q *fuzzCommand) hunt(c *cobra.Command, args []string) (*campaign.Hunt, error) {
	job := work.Job(campaign.FuzzJob, &q.scenario, []campaign.Cell{nil}, q.seed, q.runs)
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

// last sets up the job for --for. It has more seeds than anybody will wait for, and its first blocks are made until the time
// is over. So what is kept is the beginning of one job, and more of it can be made later.
func (q *fuzzCommand) last(job *campaign.Job) {
	q.Until = time.Now().Add(q.lasting)
	job.Runs, job.Size = int(min(lastingMost, cli.SeedMax-q.seed+1)), huntBlock // see openEnded
	if q.Store != "" {
		job.Size = keptBlock
	}
}

// home is where the least scenarios go: into the archive of rows, or where runs are stored.
func (q *fuzzCommand) home() string { return cmp.Or(q.Store, "store") }

func (q *fuzzCommand) storeError(err error) error {
	return fmt.Errorf("the store %s can't be written: %w; choose another with --store DIR", q.home(), err)
}

// found is the directory of the least scenarios.
func (q *fuzzCommand) found() string {
	if q.Store != "" {
		return filepath.Join(q.Store, "found")
	}
	return filepath.Join(q.home(), store.Place(q.scenario.ID), "found")
}

// keep writes the least scenarios.
func (q *fuzzCommand) keep(h *campaign.Hunt) error {
	for i := range h.Signatures {
		g := &h.Signatures[i]
		if err := keepLeast(g, filepath.Join(q.found(), g.Name()+".yaml"), q.again(h.Runs)); err != nil {
			return q.storeError(err)
		}
	}
	return nil
}

const (
	huntBlock   = 100         // rows that --for makes between two looks at the clock
	keptBlock   = 1000        // the same with --store, where a block is a file
	lastingMost = 100_000_000 // runs that --for may come to
)

// openEnded reports whether a job is that of a search for a time, which comes to its end nowhere: what it has not made is not
// missing.
func openEnded(j *campaign.Job) bool {
	return j.Kind == campaign.FuzzJob && j.Runs == int(min(lastingMost, cli.SeedMax-j.First+1))
}
