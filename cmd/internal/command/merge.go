package command

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/cmd/internal/work"
	"github.com/lockstorm/lockstorm/scenarios/campaign/archive"
)

func newMerge() *cobra.Command {
	var m archive.Merger
	var format string
	c := &cobra.Command{
		Use:   "merge DIR… --store OUT",
		Short: "Combine results from several machines",
		Args:  cli.Several("DIR", "name the directories of the shards"),
		RunE: func(c *cobra.Command, args []string) error {
			if m.Out == "" {
				return errors.New("name a directory for the rows: --store OUT")
			}
			m.Dirs, m.Disk = args, work.Disk
			n, err := m.Merge()
			if err != nil {
				return explainMerge(err, m.Out)
			}
			t := cli.Table{
				Title: "What was merged", Heads: []string{"into", "blocks"}, Numbers: true, Rows: [][]string{{m.Out,
					strconv.Itoa(n)}},
				Text: fmt.Sprintf("merged into %s: %d blocks\n", m.Out, n),
			}
			return cli.Write(c.OutOrStdout(), t.Document(), format, false)
		},
	}
	c.Flags().StringVar(&m.Out, "store", "", "write the rows into `OUT`, which may hold some of them already")
	cli.FormatFlag(c.Flags(), &format)
	c.Flags().BoolVar(&m.Partial, "partial", false, "merge even if blocks are missing")
	return c
}

func explainMerge(err error, out string) error {
	if _, is := errors.AsType[*archive.Gap](err); is {
		return fmt.Errorf("%w. Name the directories that have them; or merge without them, and run them then:\n"+
			"  %s merge … --store %s --partial\n  %s run --resume --store %s", err, cli.Program, cli.Quote(out),
			cli.Program,
			cli.Quote(out))
	}
	if work.Unwritable(err) {
		return fmt.Errorf("--store: %s can't be written: %w; the merged rows are stored. Fix that, and merge again",
			out, err)
	}
	return work.Repair(work.ExplainBuild(err))
}
