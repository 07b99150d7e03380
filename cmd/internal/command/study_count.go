package command

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/cmd/internal/store"
	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/scenarios/campaign/study"
)

// count makes the runs, counts them, and looks for the least that breaks each cell.
func (q *studyCommand) count(c *cobra.Command, args []string, base *scenarios.Scenario, r *reports.Study) error {
	job, err := r.Study.Job(base)
	if err != nil {
		return fmt.Errorf("%s: %w", args[0], cli.OneLine(err))
	}
	if r.Study.Measure == study.BlackBox {
		r.BlackBox = campaign.NewBlackBoxTable(job)
		defer r.BlackBox.Close()
		return q.Do(c, args, job, func(_ int, rows []campaign.Row) (bool, error) { r.BlackBox.AddAll(rows); return true, nil })
	}
	if r.Survey, err = r.Study.Survey(job); err != nil {
		return err
	}
	if err := q.Do(c, args, job, func(_ int, rows []campaign.Row) (bool, error) { r.Survey.AddAll(rows); return true, nil }); err != nil {
		return err
	}
	breaches := r.Study.Broken(r.Survey)
	if r.Study.Least == 0 || len(breaches) == 0 || q.Rows < job.Rows() {
		return nil
	}
	q.Then("counterexamples", len(breaches), func(stop func() bool, done func()) {
		r.Least = job.Shrink(breaches, r.Study.Least, q.Workers, stop, done)
	})
	for i, l := range r.Least {
		if q.Store == "" || l == nil {
			continue
		}
		file := filepath.Join(q.Store, "found", l.Name()+".yaml")
		named, command, err := store.WriteLeast(file, &l.Scenario, l.Seed)
		if err != nil {
			return q.Explain(err)
		}
		r.Kept = append(r.Kept, reports.Least{Place: i, File: named, Command: command})
	}
	return nil
}

// halve finds where promises begin to break, until a signal comes.
func (q *studyCommand) halve(c *cobra.Command, args []string, base *scenarios.Scenario, r *reports.Study) error {
	if q.Store != "" {
		return fmt.Errorf("--store: %s halves ranges, and keeps no rows", args[0])
	}
	if _, err := q.Ready(c, args); err != nil {
		return err
	}
	all, err := r.Study.Bounds(base)
	if err != nil {
		return fmt.Errorf("%s: %w", args[0], cli.OneLine(err))
	}
	add, end := q.Watch("runs")
	defer end()
	for i := range all {
		all[i].Stop = func() bool { return add(1) }
		r.Bounds = append(r.Bounds, reports.Bounds{Scenario: all[i].Scenario, Edges: all[i].Edges()})
	}
	return nil
}
