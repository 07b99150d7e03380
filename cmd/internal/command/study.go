package command

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/cmd/internal/store"
	"github.com/lockstorm/lockstorm/cmd/internal/work"
	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/scenarios/campaign/study"
)

// A studyCommand holds the flags of study.
type studyCommand struct {
	work.Work
	format, figures, measure string
	size, letters            string
	rendering                reports.Rendering // its sizes are read from size and letters
	only                     []string
	runs, least              int
	seed                     uint64
	show, schema, summary    bool
}

func newStudy() *cobra.Command {
	var q studyCommand
	c := &cobra.Command{
		Use:   "study [NAME|FILE]",
		Short: "Run a study; print its table and figure",
		Args:  cli.AtMostOne("NAME or FILE", "lockstorm study lists them"),
		RunE: func(c *cobra.Command, args []string) error {
			if q.schema {
				return cli.Print(c.OutOrStdout(), string(study.Schema()))
			}
			if len(args) == 0 {
				return listStudies(c.OutOrStdout(), q.format)
			}
			return q.study(c, args)
		},
	}
	f := c.Flags()
	f.IntVar(&q.runs, "runs", 0, "make `N` runs per cell, in place of as many as the study says")
	f.Uint64Var(&q.seed, "seed", 0, "the first seed of each cell is `N`, in place of the one that the study says")
	f.StringVar(&q.measure, "measure", "", "measure `WORDS`, in place of what the study says, as its file does: "+
		"'storage, fenced'")
	f.IntVar(&q.least, "least", 0, "use up to `N` runs to find the smallest schedule that breaks a cell, in place of "+
		"what the study says; 0 for none")
	f.StringArrayVar(&q.only, "only", nil, "make only the lines whose names match `GLOB`; may be given more than once")
	f.BoolVar(&q.summary, "summary", false, "print one table in place of many: what broke which promise of each line")
	q.addFigures(c)
	f.BoolVar(&q.show, "show", false, "print the file of the study, to change it, and make no runs")
	f.BoolVar(&q.schema, "schema", false, "print the JSON Schema of study files, for an editor, and make no runs")
	cli.FormatFlag(f, &q.format)
	q.AddFlags(c)
	return c
}

// addFigures adds the flags that say where the figure goes, and how it looks.
func (q *studyCommand) addFigures(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&q.figures, "figures", "", "write the figure into `DIR`, as PNG, SVG, PDF and CSV")
	f.StringVar(&q.size, "size", "", "the `SIZE` of the figure, as a width or WIDTHxHEIGHT in mm, cm, in or pt, such "+
		"as 85mm or 3.3inx2in (default 85mm, and as high as need be)")
	f.StringVar(&q.letters, "font-size", "", "the `SIZE` of its letters, such as 8pt (default 7.2pt)")
	f.BoolVar(&q.rendering.NoCaption, "no-caption", false, "leave the caption out of the files")
}

// study finds the study, and makes its runs.
func (q *studyCommand) study(c *cobra.Command, args []string) error {
	text, err := readStudy(args[0])
	if err != nil {
		return err
	}
	if q.show {
		_, err := c.OutOrStdout().Write(text)
		return err
	}
	return q.run(c, args, args[0], text)
}

// run makes the runs of a study, whose file has a name, and prints what they show.
func (q *studyCommand) run(c *cobra.Command, args []string, name string, text []byte) error {
	s, base, err := q.read(c, name, text)
	if err != nil {
		return err
	}
	if q.figures != "" && (s.X.Halve != "" || s.Measure == study.BlackBox) {
		return fmt.Errorf("--figures: %s has a table, and no figure", name)
	}
	if q.size != "" {
		if err := q.rendering.SetSize(q.size); err != nil {
			return fmt.Errorf("--size: %w", err)
		}
	}
	if q.letters != "" {
		if err := q.rendering.SetLetters(q.letters); err != nil {
			return fmt.Errorf("--font-size: %w", err)
		}
	}
	d, figure, err := q.outcome(c, args, name, s, base)
	if err != nil {
		return err
	}
	if q.figures != "" {
		if err := store.WriteAll(q.figures, figure(q.rendering)); err != nil {
			return fmt.Errorf("--figures: %w", err)
		}
	}
	return q.End(cli.Write(c.OutOrStdout(), d, q.format, false), cli.AsExpected)
}
