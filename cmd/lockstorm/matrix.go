package main

import (
	"fmt"
	"io"
	"runtime"
	"slices"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// A contest is what the flags of matrix ask for.
type contest struct {
	matrix campaign.Matrix
	format string
}

func newMatrix() *cobra.Command {
	var m contest
	c := &cobra.Command{
		Use:   "matrix",
		Short: "Measure which lock breaks under which faults",
		Long: "Hold each kind of lock, and its ancestors with a rule left out, against each class of faults alone, against none and\n" +
			"against all together, and say in which share of the runs each property breaks. Each run draws its own faults, as\n" +
			"the search of redlock/any has them. The first run that breaks a cell is shrunk to the least that breaks it.\n\n" +
			"The exit code is 0, whatever breaks: a matrix measures, and expects nothing.",
		Example: "  lockstorm matrix\n  lockstorm matrix --lock 'single*' --runs 1000 --property validity\n  lockstorm matrix --format markdown",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := m.check(); err != nil {
				return err
			}
			return m.run(c.OutOrStdout())
		},
	}
	f := c.Flags()
	f.SortFlags = false
	f.StringVar(&m.matrix.Locks, "lock", "*", "take locks whose names match `GLOB` alone")
	f.StringSliceVar(&m.matrix.Properties, "property", campaign.MatrixProperties, "look at `NAME` alone; may be given more than once")
	f.IntVar(&m.matrix.Runs, "runs", 200, "make `N` runs in each cell")
	f.Uint64Var(&m.matrix.First, "seed", 1, "the first seed of each cell is `N`")
	f.IntVar(&m.matrix.Workers, "workers", 0, "make `W` runs side by side; 0 for as many as there are cores")
	f.IntVar(&m.matrix.Shrink, "shrink", 500, "take up to `N` runs to shrink a cell's first run; 0 to leave that out")
	f.StringVar(&m.format, "format", "text", "print `text|markdown|json`")
	return c
}

// check checks what was asked for.
func (m *contest) check() error {
	x := &m.matrix
	switch {
	case x.Runs < 1:
		return fmt.Errorf("--runs: %d is not positive", x.Runs)
	case x.First > seedMax || x.First+uint64(x.Runs)-1 > seedMax:
		return fmt.Errorf("--seed: seeds go up to %d", uint64(seedMax))
	case x.Workers < 0:
		return fmt.Errorf("--workers: %d is negative; give 0 for as many as there are cores", x.Workers)
	case x.Shrink < 0:
		return fmt.Errorf("--shrink: %d is negative; give 0 to leave it out", x.Shrink)
	case !slices.Contains([]string{"text", "markdown", "json"}, m.format):
		return fmt.Errorf("--format: %q is none of text, markdown, json", m.format)
	}
	if x.Workers == 0 {
		x.Workers = runtime.GOMAXPROCS(0)
	}
	return x.Check()
}

func (m *contest) run(out io.Writer) error {
	x := reports.NewMatrix(&m.matrix, m.matrix.Run())
	x.Lockstorm = version
	var text string
	switch m.format {
	case "json":
		text = string(reports.JSON(x))
	case "markdown":
		text = reports.MatrixMarkdown(x)
	default:
		text = reports.MatrixText(x)
	}
	if _, err := io.WriteString(out, text); err != nil {
		return breach{fmt.Errorf("can't print: %w", err)}
	}
	return nil
}
