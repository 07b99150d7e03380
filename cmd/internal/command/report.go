package command

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/cmd/internal/store"
	"github.com/lockstorm/lockstorm/reports/onerun"
)

func newReport() *cobra.Command {
	var out string
	var look figureFlags
	c := &cobra.Command{
		Use:   "report DIR",
		Short: "Draw a stored run or campaign: a page, pictures, and files for other tools",
		Long: "Run the scenario and seed of a stored result again, check that it is the same, and draw it: report.html, a page that\n" +
			"needs no other file; timeline.svg and sequence.svg; sequence.mmd, for Mermaid; trace.perfetto.json, for Perfetto and\n" +
			"Chrome's tracing. They go into DIR, beside the result, or where --out says. DIR is a directory of the store.\n\n" +
			"If DIR has the rows of many runs, as rows, fuzz and others keep with --store, the report is of all of them: report.html,\n" +
			"with the conclusions that the runs support, figures, and the least scenario of each way to break a property. Each figure is in\n" +
			"figures/ too, as SVG, PNG and PDF, sized for a journal column and for a slide, with its data as CSV. Files that report\n" +
			"did not make are left alone. For a sweep or a matrix, its table is printed again.\n\n" +
			"For a paper, --label sets the words of labels, --size and --font-size fit figures to its columns, --no-caption omits the\n" +
			"caption, and --text writes text in a font in place of outlines. PNGs state their resolution.",
		Example: "  lockstorm run kleppmann/gc-pause\n" +
			"  lockstorm report store/latest\n" +
			"  lockstorm report store/kleppmann/gc-pause/1 --out /tmp/gc-pause\n" +
			"  lockstorm fuzz redlock/any --store rows\n" +
			"  lockstorm report rows --figure split-votes\n" +
			"  lockstorm report rows --label lock.ttl='lease time' --label belief='two holders' --size 85mmx60mm --no-caption --text",
		Args: cli.One("DIR", "such as store/latest"),
		RunE: func(c *cobra.Command, args []string) error {
			if c.Flags().Changed("out") && out == "" {
				return fmt.Errorf("--out: it names no directory; without it, the files go into DIR")
			}
			dir := args[0]
			if isArchive(dir) {
				return reportRows(c.OutOrStdout(), dir, cmp.Or(out, dir), &look)
			}
			for _, name := range figureFlagNames {
				if c.Flags().Changed(name) {
					return fmt.Errorf("--%s: %s has no rows of many runs, and one run has no such figure", name, dir)
				}
			}
			return redraw(c.OutOrStdout(), dir, out)
		},
	}
	c.Flags().StringVar(&out, "out", "", "write the files into `DIR` instead, which is made if need be")
	look.add(c)
	return c
}

// reportRows prints the table of rows, and writes their report. On an error it prints nothing.
func reportRows(printed io.Writer, dir, out string, look *figureFlags) error {
	var text bytes.Buffer
	if err := printRows(&text, dir); err != nil {
		return err
	}
	if err := reportCampaign(&text, dir, out, look); err != nil {
		return err
	}
	return cli.Print(printed, text.String())
}

func redraw(printed io.Writer, dir, out string) error {
	q, stored, err := store.Read(dir)
	if err != nil {
		return err
	}
	r, m := q.Run(q.Seed), q.Measured(q.Seed)
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
	text := ""
	for _, f := range files {
		text += filepath.Join(out, f.Name) + "\n"
	}
	return cli.Print(printed, text)
}

func otherHash(dir, by string) error {
	file := filepath.Join(dir, "result.json")
	if by != cli.Version {
		return fmt.Errorf("%s has the hash of another run than its scenario and seed give now; it was stored by version %s, and this is %s", file, by, cli.Version)
	}
	return fmt.Errorf("%s has the hash of another run than its scenario and seed give; if nobody has changed it, this is a fault of "+
		"Lockstorm's own: please report it", file)
}
