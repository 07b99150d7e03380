package command

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/cmd/internal/work"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/scenarios/campaign/guide"
)

func (q *fuzzCommand) checkGuide() error {
	if !q.guide {
		return nil
	}
	for _, flag := range []string{"store", "resume", "shard", "shard-of"} {
		if q.given(flag) {
			return fmt.Errorf("--%s does not go with --guide: what is run follows from all runs before, so its rows can't be divided or made "+
				"again one by one; the same command makes the same runs", flag)
		}
	}
	return q.CheckFlags()
}

func (q *fuzzCommand) guided(c *cobra.Command, _ []string) (*campaign.Hunt, error) {
	switch s := &q.scenario; {
	case s.Hosted():
		return nil, errors.New("--guide: it makes its runs in this process, which a client library may end; leave it out for " + s.Lock.Kind.String())
	case !s.Search.Drawn():
		return nil, errors.New("--guide: nothing is drawn, so there is nothing to change; allow faults with --faults")
	}
	runs := q.runs
	if q.lasting > 0 {
		runs = lastingMost
	}
	job := work.Job(campaign.FuzzJob, &q.scenario, []campaign.Cell{nil}, q.seed, runs)
	if err := job.Check(); err != nil {
		return nil, err
	}
	h := &campaign.Hunt{Job: job, Watched: q.watched, Most: q.stopAfter}
	h.Begin()
	q.Errs = c.ErrOrStderr()
	add, end := q.Watch("guided runs")
	defer end()
	until := time.Now().Add(q.lasting)
	search := guide.Search{Scenario: &q.scenario, Seed: q.seed, Runs: runs, Workers: q.Workers, Watched: q.watched}
	search.Done = func(r *guide.Run) bool {
		more := h.AddRun(r.Number, &r.Universe, &r.Row)
		return !add(1) && more && (q.lasting == 0 || time.Now().Before(until))
	}
	search.Work()
	return h, nil
}
