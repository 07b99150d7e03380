package command

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/cmd/internal/store"
	"github.com/lockstorm/lockstorm/reports/campaigns"
	"github.com/lockstorm/lockstorm/reports/runs"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/scenarios/campaign/study"
)

// job returns the runs of a study.
func (q *studyCommand) job(args []string, s *study.Study, base *scenarios.Scenario) (*campaign.Job, error) {
	job, err := s.Job(base)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", args[0], cli.OneLine(err))
	}
	return job, nil
}

// count makes the runs, counts them, and looks for the least that breaks each cell.
func (q *studyCommand) count(c *cobra.Command, args []string, s *study.Study, base *scenarios.Scenario) (*campaigns.Study, error) {
	job, err := q.job(args, s, base)
	if err != nil {
		return nil, err
	}
	v, err := s.Survey(job)
	if err != nil {
		return nil, err
	}
	if err := q.Do(c, args, job, func(_ int, rows []campaign.Row) (bool, error) { v.AddAll(rows); return true, nil }); err != nil {
		return nil, err
	}
	x := campaigns.NewStudy(s, v)
	x.Lockstorm = cli.Version
	if breaches := s.Broken(v); s.Least > 0 && len(breaches) > 0 && q.Rows == job.Rows() {
		err = q.shrink(job, breaches, s.Least, &x)
	}
	return &x, err
}

// shrink looks for the least that breaks each cell, and keeps it where rows are kept.
func (q *studyCommand) shrink(job *campaign.Job, breaches []campaign.Breach, most int, x *campaigns.Study) error {
	var all []*campaign.Counterexample
	q.Then("counterexamples", len(breaches), func(stop func() bool, done func()) {
		all = job.Shrink(breaches, most, q.Workers, stop, done)
	})
	for _, l := range all {
		switch {
		case l == nil:
		case q.Store == "":
			x.Breaks(l, "", "")
		default:
			file := filepath.Join(q.Store, "found", l.Name()+".yaml")
			named, command, err := store.WriteLeast(file, &l.Scenario, l.Seed)
			if err != nil {
				return q.Explain(err)
			}
			x.Breaks(l, named, command)
		}
	}
	return nil
}

// see makes the runs, and counts what a black box sees.
func (q *studyCommand) see(c *cobra.Command, args []string, s *study.Study, base *scenarios.Scenario) (*campaigns.BlackBox, error) {
	job, err := q.job(args, s, base)
	if err != nil {
		return nil, err
	}
	g := campaign.NewBlackBoxTable(job)
	defer g.Close()
	err = q.Do(c, args, job, func(_ int, rows []campaign.Row) (bool, error) { g.AddAll(rows); return true, nil })
	x := campaigns.NewBlackBox(s, g)
	x.Lockstorm = cli.Version
	return &x, err
}

// halve finds where promises begin to break, until a signal comes.
func (q *studyCommand) halve(c *cobra.Command, args []string, s *study.Study, base *scenarios.Scenario) (*runs.Edges, error) {
	if q.Store != "" {
		return nil, fmt.Errorf("--store: %s halves ranges, and keeps no rows", args[0])
	}
	if _, err := q.Ready(c, args); err != nil {
		return nil, err
	}
	all, err := s.Bounds(base)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", args[0], cli.OneLine(err))
	}
	add, end := q.Watch("runs")
	defer end()
	var lines []runs.Line
	for i := range all {
		all[i].Stop = func() bool { return add(1) }
		lines = append(lines, runs.Line{Scenario: all[i].Scenario, Edges: all[i].Edges()})
	}
	x := runs.NewEdges(s, lines)
	x.Lockstorm = cli.Version
	return &x, nil
}
