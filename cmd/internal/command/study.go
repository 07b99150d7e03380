package command

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/cmd/internal/store"
	"github.com/lockstorm/lockstorm/cmd/internal/work"
	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/scenarios/campaign/study"
)

// A studyCommand holds the flags of study.
type studyCommand struct {
	work.Work
	format, figures, measure, only string
	runs, least                    int
	seed                           uint64
	show, schema, summary          bool
	all                            allStudies
}

func newStudy() *cobra.Command {
	var q studyCommand
	c := &cobra.Command{
		Use:   "study [NAME|FILE]",
		Short: "Make the runs of a study, and its table and figure",
		Args:  cli.AtMostOne("NAME or FILE", "lockstorm study lists them"),
		RunE: func(c *cobra.Command, args []string) error {
			if err := q.all.check(c, args, q.runs); err != nil {
				return err
			}
			if q.all.all {
				return q.all.make(c, q.runs, q.format)
			}
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
	f.BoolVar(&q.summary, "summary", false, "print one table in place of many: what broke which promise of each line")
	f.StringVar(&q.figures, "figures", "", "write the figure into `DIR`, as PNG, SVG, PDF and CSV")
	f.BoolVar(&q.show, "show", false, "print the file of the study, to change it, and make no runs")
	f.BoolVar(&q.schema, "schema", false, "print the JSON Schema of study files, for an editor, and make no runs")
	cli.FormatFlag(f, &q.format)
	q.AddFlags(c)
	q.all.addFlags(c)
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
	r := reports.Study{Study: s, Version: cli.Version, Summary: q.summary}
	if s.X.Halve != "" {
		err = q.halve(c, args, base, &r)
	} else {
		err = q.count(c, args, base, &r)
	}
	if err != nil {
		return err
	}
	if q.figures != "" {
		if err := store.WriteAll(q.figures, r.Figure()); err != nil {
			return fmt.Errorf("--figures: %w", err)
		}
	}
	if err := cli.Write(c.OutOrStdout(), r.Document(), q.format, false); err != nil {
		return err
	}
	return q.Exit(cli.AsExpected)
}

// read reads a study, with what the flags change in it, and the scenario that its lines change.
func (q *studyCommand) read(c *cobra.Command, name string, text []byte) (*study.Study, *scenarios.Scenario, error) {
	s, err := study.Parse(name, text)
	if err != nil {
		return nil, nil, err
	}
	changed := c.Flags().Changed
	if changed("runs") {
		if s.Runs = q.runs; s.Runs < 1 {
			return nil, nil, fmt.Errorf("--runs: %d is not positive", s.Runs)
		}
	}
	if changed("seed") {
		s.Seed = q.seed
	}
	if changed("least") {
		if s.Least = q.least; s.Least < 0 {
			return nil, nil, fmt.Errorf("--least: %d is negative; give 0 to leave it out", s.Least)
		}
	}
	if err := cli.CheckSeeds(s.Seed, s.Runs); err != nil {
		return nil, nil, err
	}
	if q.measure != "" {
		if err := s.Remeasure(q.measure); err != nil {
			return nil, nil, fmt.Errorf("--measure: %w", err)
		}
	}
	if len(q.all.only) > 0 {
		if err := s.Only(q.all.only); err != nil {
			return nil, nil, fmt.Errorf("--only: %w", err)
		}
	}
	base, err := scenarios.Open(s.Scenario)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: scenario: %w", name, err)
	}
	return s, &base, nil
}

// count makes the runs, counts them, and looks for the least that breaks each cell.
func (q *studyCommand) count(c *cobra.Command, args []string, base *scenarios.Scenario, r *reports.Study) error {
	job, err := r.Study.Job(base)
	if err != nil {
		return fmt.Errorf("%s: %w", args[0], cli.OneLine(err))
	}
	if r.Study.Measure == study.BlackBox {
		r.BlackBox = campaign.NewBlackBoxTable(job)
		defer r.BlackBox.Close()
		return q.Do(c, args, job, func(_ int, rows []campaign.Row) (bool, error) { r.BlackBox.AddAll(rows); return true, nil })
	}
	if r.Survey, err = r.Study.Survey(job); err != nil {
		return err
	}
	if err := q.Do(c, args, job, func(_ int, rows []campaign.Row) (bool, error) { r.Survey.AddAll(rows); return true, nil }); err != nil {
		return err
	}
	breaches := r.Study.Broken(r.Survey)
	if r.Study.Least == 0 || len(breaches) == 0 || q.Rows < job.Rows() {
		return nil
	}
	q.Then("counterexamples", len(breaches), func(stop func() bool, done func()) {
		r.Least = job.Shrink(breaches, r.Study.Least, q.Workers, stop, done)
	})
	for i, l := range r.Least {
		if q.Store == "" || l == nil {
			continue
		}
		file := filepath.Join(q.Store, "found", l.Name()+".yaml")
		named, command, err := store.WriteLeast(file, &l.Scenario, l.Seed)
		if err != nil {
			return q.Explain(err)
		}
		r.Kept = append(r.Kept, reports.Least{Place: i, File: named, Command: command})
	}
	return nil
}

// halve finds where promises begin to break, until a signal comes.
func (q *studyCommand) halve(c *cobra.Command, args []string, base *scenarios.Scenario, r *reports.Study) error {
	if q.Store != "" {
		return fmt.Errorf("--store: %s halves ranges, and keeps no rows", args[0])
	}
	if _, err := q.Ready(c, args); err != nil {
		return err
	}
	all, err := r.Study.Bounds(base)
	if err != nil {
		return fmt.Errorf("%s: %w", args[0], cli.OneLine(err))
	}
	add, end := q.Watch("runs")
	defer end()
	for i := range all {
		all[i].Stop = func() bool { return add(1) }
		r.Bounds = append(r.Bounds, reports.Bounds{Scenario: all[i].Scenario, Edges: all[i].Edges()})
	}
	return nil
}
