package command

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/campaigns"
	"github.com/lockstorm/lockstorm/scenarios/campaign/explore"
)

// scenarioFlags are those that --theorem does not go with.
var scenarioFlags = []string{"deviations", "unbounded", "most", "late", "fault", "once", "set", "property", "budget", "seed",
	"store", "resume", "shard", "shard-of"}

// tabulate explores each lock within each budget, and prints which promises break.
func (q *exploreCommand) tabulate(c *cobra.Command) error {
	if i := slices.IndexFunc(scenarioFlags, c.Flags().Changed); i >= 0 {
		return fmt.Errorf("--%s: --theorem explores locks and bounds of its own; leave it out", scenarioFlags[i])
	}
	if err := q.CheckFlags(); err != nil {
		return err
	}
	subjects, err := explore.Subjects(q.locks)
	if err != nil {
		return fmt.Errorf("--lock: %w", err)
	}
	q.Errs, q.again = c.ErrOrStderr(), cli.Again(c, nil, "theorem", "lock", "format")
	t, err := q.theorem(subjects)
	switch {
	case err != nil:
		return err
	case q.Stopped:
		fmt.Fprintln(q.Errs, "lockstorm: stopped; nothing is kept")
		return cli.Exit(cli.Interrupted)
	}
	return cli.Write(c.OutOrStdout(), t.Document(), q.format, false)
}

// theorem explores the cells, one after the other, each with all workers.
func (q *exploreCommand) theorem(subjects []explore.Subject) (*campaigns.Theorem, error) {
	t := &campaigns.Theorem{SchemaVersion: reports.SchemaVersion, Lockstorm: cli.Version, Command: q.again,
		Base: explore.TheoremBase}
	add, end := q.Watch("schedules")
	defer end()
	for i := range subjects {
		s := &subjects[i]
		var cells []explore.Cell
		for _, b := range s.Budgets() {
			cell, err := s.Explore(b, q.Workers, func() bool { return add(0) }, func(n int) { add(n) })
			if err != nil || q.Stopped {
				return nil, err
			}
			cells = append(cells, cell)
		}
		if err := t.Add(s, cells, cli.Quote); err != nil {
			return nil, err
		}
	}
	return t, nil
}
