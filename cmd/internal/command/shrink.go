package command

import (
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/cmd/internal/store"
	"github.com/lockstorm/lockstorm/cmd/internal/work"
	"github.com/lockstorm/lockstorm/reports/campaigns"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// A shrinkCommand holds the flags of shrink.
type shrinkCommand struct {
	cli.Request
	property, out, format string
	quiet                 bool
}

func newShrink() *cobra.Command {
	var q shrinkCommand
	c := &cobra.Command{
		Use:   "shrink DIR|FILE",
		Short: "Reduce a violation to its smallest scenario",
		Args:  cli.One("DIR or FILE", "such as store/latest"),
		RunE: func(c *cobra.Command, args []string) error {
			seeded := c.Flags().Changed("seed")
			if err := q.check(); err != nil {
				return err
			}
			if err := q.complete(args[0], seeded); err != nil {
				return err
			}
			return q.run(c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	f := c.Flags()
	f.Uint64Var(&q.Seed, "seed", 1, "with FILE: run it with the seed `N`; with rows: shrink the run of that "+
		"seed")
	f.StringVar(&q.property, "property", "", "shrink the violation of the promise `NAME`, instead of the first "+
		"violation")
	f.IntVar(&q.Runs, "runs", 2000, "run at most `N` times")
	f.StringVar(&q.out, "out", "", "write the smallest scenario to `FILE`, instead of next to its origin")
	cli.FormatFlag(f, &q.format)
	f.BoolVarP(&q.quiet, "quiet", "q", false, "print one line")
	return c
}

func (q *shrinkCommand) check() error {
	switch {
	case q.Runs < 1:
		return fmt.Errorf("--runs: %d is not positive", q.Runs)
	case q.Seed > cli.SeedMax:
		return fmt.Errorf("--seed: seeds go up to %d", uint64(cli.SeedMax))
	case q.out != "" && !scenarios.IsFile(q.out):
		return fmt.Errorf("--out: %s is not a scenario file; its name must end in .yaml", q.out)
	}
	return nil
}

func (q *shrinkCommand) run(out, errs io.Writer) error {
	s := campaign.Shrinker{Least: q.Scenario, Seed: q.Seed, Property: q.property, Most: q.Runs}
	if plain, ok := scenarios.Find(q.Scenario.ID); ok { // settings go back to what they are in the catalogue
		s.Plain = &plain
	}
	signal := work.OnInterrupt(work.NewProgress(errs, work.ModeFor(errs, true), 0))
	defer signal.Release()
	s.Stop = signal.Came
	done := s.Run()
	least := s.Counterexample()
	if err := store.Write(q.out, least.Brief()); err != nil {
		return fmt.Errorf("the smallest scenario can't be written: %w; choose another place with --out FILE", err)
	}
	s.Prune() // as the file is
	r := cli.Request{Named: filepath.ToSlash(q.out)}
	d := campaigns.Shrink(q.Named, &q.Scenario, q.Seed, &s, done, r.Named, r.Command(s.Seed))
	if err := cli.Write(out, d, q.format, q.quiet); err != nil || done || !signal.Came() {
		return err
	}
	return cli.Exit(cli.Interrupted)
}
