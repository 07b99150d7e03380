package command

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/cmd/internal/store"
	"github.com/lockstorm/lockstorm/cmd/internal/work"
	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/runs"
)

// A replayCommand holds the flags of replay.
type replayCommand struct {
	printing  cli.Printing
	work.Work // for the rows of a campaign
}

func newReplay() *cobra.Command {
	var p replayCommand
	c := &cobra.Command{
		Use:   "replay DIR",
		Short: "Repeat a stored run or campaign and compare",
		Args:  cli.One("DIR", "such as store/latest"),
		RunE: func(c *cobra.Command, args []string) error {
			if err := p.printing.Check(); err != nil {
				return err
			}
			if isArchive(args[0]) {
				return p.replayRows(c, args)
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
	work.AddWorkers(c.Flags(), &p.Workers)
	cli.ChoiceFlag(c.Flags(), &p.Progress, "progress", "auto", "of a campaign: show progress on stderr: "+
		"`auto|json|none`")
	return c
}
