package command

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/cmd/internal/store"
	"github.com/lockstorm/lockstorm/cmd/internal/work"
	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign/study"
)

// A studyCommand holds the flags of study.
type studyCommand struct {
	work.Work
	format, figures, measure string
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
	f.StringVar(&q.measure, "measure", "", "measure `WORDS`, in place of what the study says, as its file does: 'storage, fenced'")
	f.IntVar(&q.least, "least", 0, "use up to `N` runs to find the least schedule that breaks a cell, in place of what the study says; 0 for none")
	f.StringArrayVar(&q.only, "only", nil, "make only the lines whose names match `GLOB`; may be given more than once")
	f.BoolVar(&q.summary, "summary", false, "print one table in place of many: what broke which promise of each line")
	f.StringVar(&q.figures, "figures", "", "write the figure into `DIR`, as PNG, SVG, PDF and CSV")
	f.BoolVar(&q.show, "show", false, "print the file of the study, to change it, and make no runs")
	f.BoolVar(&q.schema, "schema", false, "print the JSON Schema of study files, for an editor, and make no runs")
	cli.FormatFlag(f, &q.format)
	q.AddFlags(c)
	return c
}

// study makes the runs of a study, and prints what they show.
func (q *studyCommand) study(c *cobra.Command, args []string) error {
	text, err := readStudy(args[0])
	if err != nil {
		return err
	}
	if q.show {
		_, err := c.OutOrStdout().Write(text)
		return err
	}
	s, base, err := q.read(c, args[0], text)
	if err != nil {
		return err
	}
	if q.figures != "" && (s.X.Halve != "" || s.Measure == study.BlackBox) {
		return fmt.Errorf("--figures: %s has a table, and no figure", args[0])
	}
	d, figure, err := q.outcome(c, args, s, base)
	if err != nil {
		return err
	}
	if q.figures != "" {
		if err := store.WriteAll(q.figures, figure()); err != nil {
			return fmt.Errorf("--figures: %w", err)
		}
	}
	if err := cli.Write(c.OutOrStdout(), d, q.format, false); err != nil {
		return err
	}
	return q.Exit(cli.AsExpected)
}

// outcome makes the runs of a study, and returns what they show. Only one that counts has a figure.
func (q *studyCommand) outcome(c *cobra.Command, args []string, s *study.Study, base *scenarios.Scenario) (*reports.Document,
	func() []reports.File, error) {
	switch {
	case s.X.Halve != "":
		x, err := q.halve(c, args, s, base)
		if err != nil {
			return nil, nil, err
		}
		return x.Document(), nil, nil
	case s.Measure == study.BlackBox:
		x, err := q.see(c, args, s, base)
		if err != nil {
			return nil, nil, err
		}
		return x.Document(), nil, nil
	}
	x, err := q.count(c, args, s, base)
	if err != nil {
		return nil, nil, err
	}
	if q.summary {
		return x.Summary(), x.Figure, nil
	}
	return x.Document(), x.Figure, nil
}
