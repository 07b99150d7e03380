package command

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/cmd/internal/work"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// A rowsCommand holds the flags of rows.
type rowsCommand struct {
	work.Work
	seed   uint64
	runs   int
	set    []string
	blocks []int

	verdicts [3]int
}

func newRows() *cobra.Command {
	var q rowsCommand
	c := &cobra.Command{
		Use:   "rows [SCENARIO|FILE]",
		Short: "Make many runs, and keep a row of each",
		Args:  cli.AtMostOne("SCENARIO", "lockstorm list names them"),
		RunE:  func(c *cobra.Command, args []string) error { return q.run(c, args) },
	}
	f := c.Flags()
	f.Uint64Var(&q.seed, "seed", 1, "the first seed is `N`")
	f.IntVar(&q.runs, "runs", 1000, "run `N` consecutive seeds")
	f.StringArrayVar(&q.set, "set", nil, "change the scenario: `KEY=VALUE`; may be given more than once")
	q.AddFlags(c)
	f.IntSliceVar(&q.blocks, "block", nil, "with --resume: make block `N` again and replace what is stored; may be given more "+
		"than once")
	return c
}

func (q *rowsCommand) run(c *cobra.Command, args []string) error {
	if q.Store == "" {
		return errors.New("name a directory for the rows: --store DIR")
	}
	if len(q.blocks) > 0 {
		return q.remake(c, args)
	}
	job, err := q.job(c, args)
	if err != nil {
		return err
	}
	if err := q.Do(c, args, job, q.count); err != nil {
		return err
	}
	if err := cli.Print(c.OutOrStdout(), q.counts()); err != nil {
		return err
	}
	return q.Exit(cli.AsExpected)
}

func (q *rowsCommand) count(_ int, rows []campaign.Row) (bool, error) {
	for i := range rows {
		q.verdicts[rows[i].Verdict]++
	}
	return true, nil
}

func (q *rowsCommand) counts() string {
	v := &q.verdicts
	return fmt.Sprintf("%d rows in %s: %d as expected, %d not, %d unknown\n", q.Rows, q.Store,
		v[scenarios.Pass], v[scenarios.Fail], v[scenarios.Unknown])
}

// job returns what is to be done: what the arguments say, or what was begun.
func (q *rowsCommand) job(c *cobra.Command, args []string) (*campaign.Job, error) {
	if len(args) == 0 {
		return q.begun(c)
	}
	s := cli.Request{Seed: q.seed, Runs: q.runs, Set: q.set}
	if err := s.Complete(args[0]); err != nil {
		return nil, err
	}
	job := work.Job("rows", &s.Scenario, []campaign.Cell{nil}, q.seed, q.runs)
	return job, job.Check()
}
