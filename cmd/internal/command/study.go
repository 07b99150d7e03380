package command

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/cmd/internal/store"
	"github.com/lockstorm/lockstorm/cmd/internal/work"
	"github.com/lockstorm/lockstorm/reports/campaigns"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/scenarios/campaign/study"
)

// A studyCommand holds the flags of study.
type studyCommand struct {
	work.Work
	format, figures string
	runs            int
	show, schema    bool
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
	s, job, err := q.job(args[0], text)
	if err != nil {
		return err
	}
	r := campaigns.Campaign{Survey: campaign.Survey{Job: job}, Version: cli.Version}
	if _, share := s.Share(); !share {
		r.Survey.Figures = []string{s.Measure}
	}
	if err := r.Survey.Begin(); err != nil {
		return err
	}
	count := func(_ int, rows []campaign.Row) (bool, error) { r.Survey.AddAll(rows); return true, nil }
	if err := q.Do(c, args, job, count); err != nil {
		return err
	}
	d, figure := r.Study(s)
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

// job reads a study, and returns its runs.
func (q *studyCommand) job(name string, text []byte) (*study.Study, *campaign.Job, error) {
	s, err := study.Parse(name, text)
	if err != nil {
		return nil, nil, err
	}
	if q.runs != 0 {
		if s.Runs = q.runs; s.Runs < 1 {
			return nil, nil, fmt.Errorf("--runs: %d is not positive", s.Runs)
		}
	}
	base, err := scenarios.Open(s.Scenario)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: scenario: %w", name, err)
	}
	j, err := s.Job(&base)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", name, cli.OneLine(err))
	}
	return s, j, nil
}
