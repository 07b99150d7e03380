package command

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/cmd/internal/work"
	"github.com/lockstorm/lockstorm/reports/site/theorem"
)

// A theoremCommand holds the flags of theorem.
type theoremCommand struct {
	work.Work
	locks, format string
}

func newTheorem() *cobra.Command {
	var q theoremCommand
	c := &cobra.Command{
		Use:   "theorem",
		Short: "Explore a table of locks: which faults break which promise",
		Args:  cli.None,
		RunE:  func(c *cobra.Command, _ []string) error { return q.run(c) },
	}
	f := c.Flags()
	f.StringVar(&q.locks, "lock", "*", "explore only locks whose names match `GLOB`")
	cli.FormatFlag(f, &q.format)
	work.AddWorkers(f, &q.Workers)
	q.AddProgress(c)
	return c
}

func (q *theoremCommand) run(c *cobra.Command) error {
	if err := q.CheckFlags(); err != nil {
		return err
	}
	subjects, err := theorem.Subjects(q.locks)
	if err != nil {
		return fmt.Errorf("--lock: %w", err)
	}
	q.Errs = c.ErrOrStderr()
	again := strings.TrimPrefix(cli.Again(c, nil, "lock", "format"), cli.Name)
	t := &theorem.Table{SchemaVersion: checker.SchemaVersion, Lockstorm: cli.Version, Command: "lockstorm-full" + again,
		Base: theorem.Base}
	if err := q.explore(t, subjects); err != nil {
		return err
	}
	if q.Stopped {
		fmt.Fprintln(q.Errs, cli.Name+": stopped; nothing is kept")
		return cli.Exit(cli.Interrupted)
	}
	return cli.Write(c.OutOrStdout(), t.Document(), q.format, false)
}

// explore explores the cells, one after the other, each with all workers.
func (q *theoremCommand) explore(t *theorem.Table, subjects []theorem.Subject) error {
	add, end := q.Watch("schedules")
	defer end()
	for i := range subjects {
		s := &subjects[i]
		var cells []theorem.Cell
		for _, b := range s.Budgets() {
			cell, err := s.Explore(b, q.Workers, func() bool { return add(0) }, func(n int) { add(n) })
			if err != nil || q.Stopped {
				return err
			}
			cells = append(cells, cell)
		}
		if err := t.Add(s, cells, cli.Quote); err != nil {
			return err
		}
	}
	return nil
}
