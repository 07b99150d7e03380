package command

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/cmd/internal/build"
	"github.com/lockstorm/lockstorm/cmd/internal/exit"
	"github.com/lockstorm/lockstorm/cmd/internal/input"
	"github.com/lockstorm/lockstorm/cmd/internal/store"
	"github.com/lockstorm/lockstorm/reports/onerun"
	"github.com/lockstorm/lockstorm/scenarios"
)

func newReport() *cobra.Command {
	var out string
	var figures []string
	c := &cobra.Command{
		Use:   "report DIR",
		Short: "Draw a stored run or campaign: a page, pictures, and files for other tools",
		Long: "Run the scenario and seed of a stored result again, see that it is the same, and draw it: report.html, a page that\n" +
			"needs nothing else; timeline.svg and sequence.svg; sequence.mmd, for Mermaid; trace.perfetto.json, for Perfetto and\n" +
			"Chrome's tracing. They go into DIR, beside the result, unless you say otherwise. DIR is a directory of the store.\n\n" +
			"If DIR has the rows of many runs, as rows, fuzz and others keep with --store, the report is of all of them: report.html,\n" +
			"with what the runs let one claim, figures, and the least scenario of each way to break a property. Each figure is in\n" +
			"figures/ too, as SVG, PNG and PDF, for a column of a journal and for a slide, and its data as CSV. What is there and\n" +
			"was not made by a report is left alone. Of a sweep or a matrix, its table is printed again.",
		Example: "  lockstorm run kleppmann/gc-pause\n" +
			"  lockstorm report store/latest\n" +
			"  lockstorm report store/kleppmann/gc-pause/1 --out /tmp/gc-pause\n" +
			"  lockstorm fuzz redlock/any --store rows\n" +
			"  lockstorm report rows --figure split-votes",
		Args: input.One("DIR", "such as store/latest"),
		RunE: func(c *cobra.Command, args []string) error {
			if c.Flags().Changed("out") && out == "" {
				return fmt.Errorf("--out: it names no directory; without it, the files go into DIR")
			}
			dir := args[0]
			if isArchive(dir) {
				return reportRows(c.OutOrStdout(), dir, cmp.Or(out, dir), figures)
			}
			if len(figures) > 0 {
				return fmt.Errorf("--figure: %s has no rows of many runs, and one run has no such figure", dir)
			}
			return redraw(c.OutOrStdout(), dir, out)
		},
	}
	c.Flags().StringVar(&out, "out", "", "write the files into `DIR` instead, which is made if need be")
	c.Flags().StringSliceVar(&figures, "figure", nil, "of many runs: draw the figure `NAME` of runs too, such as held; may be given more than once")
	return c
}

// reportRows prints the table of rows, and writes their report. On an error it prints nothing.
func reportRows(printed io.Writer, dir, out string, figures []string) error {
	var text bytes.Buffer
	if err := printRows(&text, dir); err != nil {
		return err
	}
	if err := reportCampaign(&text, dir, out, figures); err != nil {
		return err
	}
	if _, err := text.WriteTo(printed); err != nil {
		return exit.Own(fmt.Errorf("can't print: %w", err))
	}
	return nil
}

// redraw draws the result stored in dir.
func redraw(printed io.Writer, dir, out string) error {
	q, stored, err := store.Read(dir)
	if err != nil {
		return err
	}
	r, m := scenarios.Run(q.Scenario, q.Seed), q.Measured(q.Seed)
	if r.Hash() != stored.Hash {
		return otherHash(dir, stored.Lockstorm)
	}
	if out == "" {
		out = dir
	}
	files := onerun.Pictures(r, m)
	if err := store.WriteAll(out, files); err != nil {
		return fmt.Errorf("the report can't be written: %w; choose another directory with --out DIR", err)
	}
	for _, f := range files {
		if _, err := fmt.Fprintln(printed, filepath.Join(out, f.Name)); err != nil {
			return exit.Own(fmt.Errorf("can't print: %w", err))
		}
	}
	return nil
}

// otherHash is the error that the run is not the one that was stored.
func otherHash(dir, by string) error {
	file := filepath.Join(dir, "result.json")
	if by != build.Version {
		return fmt.Errorf("%s has the hash of another run than its scenario and seed give now; it was stored by version %s, and this is %s", file, by, build.Version)
	}
	return fmt.Errorf("%s has the hash of another run than its scenario and seed give; if nobody has changed it, this is a fault of "+
		"Lockstorm's own: please report it", file)
}
