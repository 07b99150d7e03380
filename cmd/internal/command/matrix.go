package command

import (
	"cmp"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/cmd/internal/work"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/scenarios/campaign/archive"
)

// A matrixCommand holds the flags of matrix.
type matrixCommand struct {
	work.Work
	matrix    campaign.Matrix
	format    string
	summary   bool
	sentences bool
}

func newMatrix() *cobra.Command {
	var m matrixCommand
	c := &cobra.Command{
		Use:   "matrix",
		Short: "Measure which lock breaks under which faults",
		Args:  cli.None,
		RunE: func(c *cobra.Command, args []string) error {
			if err := m.check(); err != nil {
				return err
			}
			return m.run(c, args)
		},
	}
	f := c.Flags()
	f.StringVar(&m.matrix.Locks, "lock", "*", "take only locks whose names match `GLOB`")
	f.StringSliceVar(&m.matrix.Properties, "property", campaign.MatrixProperties,
		"report the property `NAME` only; may be given more than once")
	f.IntVar(&m.matrix.Runs, "runs", 200, "make `N` runs in each cell")
	f.Uint64Var(&m.matrix.First, "seed", 1, "the first seed of each cell is `N`")
	f.IntVar(&m.matrix.Shrink, "shrink", 200, "use up to `N` runs to shrink the first run of each cell; 0 to shrink none")
	cli.FormatFlag(f, &m.format)
	f.BoolVar(&m.summary, "summary", false, "print one table in place of many: which classes of faults broke which promise of "+
		"each lock")
	f.BoolVar(&m.sentences, "sentences", false, "print a line for each cell, with the sentence that it supports, in place of "+
		"the tables")
	m.AddFlags(c)
	f.Lookup("store").Usage = "keep the rows in `DIR`, so that the work can be resumed, shared and exported, and what breaks a " +
		"cell in its found"
	return c
}

func (m *matrixCommand) check() error {
	x := &m.matrix
	switch {
	case m.summary && m.sentences:
		return fmt.Errorf("--summary and --sentences are two forms of the same; give one of them")
	case x.Runs < 1:
		return fmt.Errorf("--runs: %d is not positive", x.Runs)
	case x.Shrink < 0:
		return fmt.Errorf("--shrink: %d is negative; give 0 to leave it out", x.Shrink)
	}
	return cmp.Or(cli.CheckSeeds(x.First, x.Runs), x.Check())
}

// run makes the runs, shrinks, and prints what was found.
func (m *matrixCommand) run(c *cobra.Command, args []string) error {
	job := m.matrix.Job()
	job.Size = archive.BlockSize(len(job.Cells), job.Runs)
	if err := job.Check(); err != nil {
		return err
	}
	g := job.Grid(m.matrix.Properties)
	if err := m.Do(c, args, job, g.Count); err != nil {
		return err
	}
	plots := m.matrix.Plots(g.Spots)
	if m.Rows == job.Rows() {
		m.matrix.Workers = m.Workers
		m.shrink(plots)
	}
	x, err := m.keep(plots)
	if err != nil {
		return err
	}
	if err := cli.Write(c.OutOrStdout(), m.document(x), m.format, false); err != nil {
		return err
	}
	return m.Exit(cli.AsExpected)
}
