package command

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/cmd/internal/work"
	"github.com/lockstorm/lockstorm/scenarios/campaign/archive"
	"github.com/lockstorm/lockstorm/scenarios/campaign/table"
)

func newExport() *cobra.Command {
	var asCSV bool
	var file string
	c := &cobra.Command{
		Use:   "export --csv|--jsonl FILE DIR",
		Short: "Export stored runs as a table",
		Args:  cli.One("DIR", "such as the one that lockstorm run --runs 1000 --store DIR made"),
		RunE: func(c *cobra.Command, args []string) error {
			if asCSV == (file != "") {
				return errors.New("choose --csv or --jsonl FILE")
			}
			a, err := work.Open(args[0])
			if err != nil {
				return err
			}
			warnOfGaps(c.ErrOrStderr(), a)
			t, err := table.New(a)
			switch {
			case err != nil:
				return err
			case asCSV:
				return work.Repair(printTo(c.OutOrStdout(), t.CSV))
			}
			return work.Repair(saveAs(file, t.JSON))
		},
	}
	c.Flags().BoolVar(&asCSV, "csv", false, "print CSV")
	c.Flags().StringVar(&file, "jsonl", "", "write JSON lines, compressed with gzip, to `FILE`")
	return c
}

// warnOfGaps prints a warning if rows are missing.
func warnOfGaps(errs io.Writer, a *archive.Archive) {
	if missing := a.Missing(); len(missing) > 0 {
		fmt.Fprintf(errs, cli.Name+": %d of %d blocks of %s are not made yet, and their rows are not in the table\n",
			len(missing), a.Job.Blocks(), a.Dir)
	}
}

func printTo(out io.Writer, write func(io.Writer) error) error {
	w := bufio.NewWriterSize(out, 1<<16)
	return errors.Join(write(w), w.Flush())
}

// saveAs writes a file under another name and renames it, so that a table is always complete.
func saveAs(file string, write func(io.Writer) error) error {
	temporary := file + ".writing"
	f, err := os.Create(temporary)
	if err != nil {
		return fmt.Errorf("the table can't be written: %w", err)
	}
	err = errors.Join(printTo(f, write), f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(temporary, file)
	}
	if err != nil {
		os.Remove(temporary)
		return fmt.Errorf("the table can't be written: %w", err)
	}
	return nil
}
