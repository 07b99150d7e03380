package command

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/cmd/internal/work"
	"github.com/lockstorm/lockstorm/scenarios/campaign/archive"
	"github.com/lockstorm/lockstorm/scenarios/campaign/table"
)

func newExport() *cobra.Command {
	var asCSV bool
	c := &cobra.Command{
		Use:   "export --csv DIR",
		Short: "Export stored runs as a table",
		Args:  cli.One("DIR", "such as the one that lockstorm run --runs 1000 --store DIR made"),
		RunE: func(c *cobra.Command, args []string) error {
			if !asCSV {
				return errors.New("say --csv, the only format; other programs make JSON or Parquet of it")
			}
			a, err := work.Open(args[0])
			if err != nil {
				return err
			}
			warnOfGaps(c.ErrOrStderr(), a)
			t, err := table.New(a)
			if err != nil {
				return err
			}
			w := bufio.NewWriterSize(c.OutOrStdout(), 1<<16)
			return work.Repair(errors.Join(t.CSV(w), w.Flush()))
		},
	}
	c.Flags().BoolVar(&asCSV, "csv", false, "print CSV")
	return c
}

// warnOfGaps prints a warning if rows are missing.
func warnOfGaps(errs io.Writer, a *archive.Archive) {
	if missing := a.Missing(); len(missing) > 0 {
		fmt.Fprintf(errs, cli.Name+": %d of %d blocks of %s are not made yet, and their rows are not in the table\n",
			len(missing), a.Job.Blocks(), a.Dir)
	}
}
