package command

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/cmd/internal/store"
	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/runs"
)

// A replayCommand holds the flags of replay.
type replayCommand struct {
	printing cli.Printing
}

func newReplay() *cobra.Command {
	var p replayCommand
	c := &cobra.Command{
		Use:   "replay DIR",
		Short: "Repeat a stored run and compare",
		Args:  cli.One("DIR", "such as store/latest"),
		RunE: func(c *cobra.Command, args []string) error {
			if err := p.printing.Check(); err != nil {
				return err
			}
			if isArchive(args[0]) {
				return fmt.Errorf("%s has the rows of many runs. The same build writes the same bytes: repeat the "+
					"command that made them with another --store, and compare the two directories with diff -r",
					args[0])
			}
			q, stored, err := store.Read(args[0])
			if err != nil {
				return err
			}
			r, m := q.Run(q.Seed), q.Measured(q.Seed)
			end := p.printing.Print(c.OutOrStdout(), r, m)
			if !errors.As(end, new(cli.Exit)) {
				return end
			}
			files := runs.Kept(r, m)
			note, err := store.Compare(args[0], stored, r.Hash(), files)
			if err != nil {
				return err
			}
			if p.printing.Format == "text" && !p.printing.Quiet {
				same := cmp.Or(note, fmt.Sprintf("Replayed: all %d files that the run leaves in %s are the same, byte "+
					"for byte; %s is not compared, for it names the build that stored them.", len(files), args[0],
					store.BuildFile))
				same = reports.Plain(same)
				screen := cli.ScreenFor(c.OutOrStdout(), p.printing.Colour)
				if err := cli.Print(c.OutOrStdout(), "\n"+screen.Wrap(same)); err != nil {
					return err
				}
			}
			return end
		},
	}
	p.printing.AddFlags(c)
	return c
}
