package command

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/cmd/internal/store"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/campaigns"
	"github.com/lockstorm/lockstorm/reports/runs"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/scenarios/campaign/study"
)

// outcome makes the runs of a study, and returns what they show. Only one that counts has a figure.
func (q *studyCommand) outcome(c *cobra.Command, args []string, name string, s *study.Study, base *scenarios.Scenario) (
	d *reports.Document, figure func(reports.Rendering) []reports.File, err error) {
	if s.X.Halve != "" {
		d, err = q.halve(c, args, name, s, base)
		return d, nil, err
	}
	q.Study = s.File()
	job, err := s.Job(base)
	switch {
	case err != nil:
		return nil, nil, fmt.Errorf("%s: %w", name, cli.OneLine(err))
	case s.Measure == study.BlackBox:
		d, err = q.see(c, args, s, job)
		return d, nil, err
	}
	x, err := q.count(c, args, s, job)
	switch {
	case err != nil:
		return nil, nil, err
	case q.summary:
		d = campaigns.StudySummary(x)
	default:
		d = campaigns.Study(x)
	}
	return d, func(r reports.Rendering) []reports.File { return campaigns.StudyFigure(x, r) }, nil
}

// count makes the runs, counts them, and searches for the smallest schedule that breaks each cell.
func (q *studyCommand) count(c *cobra.Command, args []string, s *study.Study, job *campaign.Job) (
	*study.Result, error) {
	v, err := s.Survey(job)
	if err != nil {
		return nil, err
	}
	add := func(_ int, rows []campaign.Row) (bool, error) { v.AddAll(rows); return true, nil }
	if err := q.Do(c, args, job, add); err != nil {
		return nil, err
	}
	x := shown(s, v)
	if breaches := s.Broken(v); s.Least > 0 && len(breaches) > 0 && q.Rows == job.Rows() {
		err = q.shrink(job, breaches, s.Least, x)
	}
	return x, err
}

// shown returns what rows show of a study, with the command that makes the first run which broke a promise.
func shown(s *study.Study, v *campaign.Survey) *study.Result {
	x := s.Result(v)
	x.Lockstorm = cli.Version
	for _, b := range s.Broken(v) {
		if in, err := v.Job.In(b.Cell); err != nil || in.Search.Drawn() {
			continue
		}
		q := cli.Request{Named: s.Scenario}
		for _, a := range v.Cells[b.Cell].Cell {
			if a.Key == "scenario" {
				q.Named = string(a.Value)
			} else {
				q.Set = append(q.Set, a.String())
			}
		}
		if !slices.ContainsFunc(q.Set, func(set string) bool { return strings.HasPrefix(set, "faults=") }) {
			x.Command = q.Command(b.Seed)
			break
		}
	}
	return x
}

// shrink searches for the smallest schedule that breaks each cell, and keeps it where rows are kept.
func (q *studyCommand) shrink(job *campaign.Job, breaches []campaign.Breach, most int, x *study.Result) error {
	var all []*campaign.Counterexample
	q.Then("counterexamples", len(breaches), func(stop func() bool, done func()) {
		all = job.Shrink(breaches, most, q.Workers, stop, done)
	})
	for _, l := range all {
		switch {
		case l == nil:
		case q.Store == "":
			x.Breaks(l, "", "")
		default:
			file := filepath.Join(q.Store, "found", l.Name()+".yaml")
			named, command, err := store.WriteLeast(file, &l.Scenario, l.Seed)
			if err != nil {
				return q.Explain(err)
			}
			x.Breaks(l, named, command)
		}
	}
	return nil
}

// see makes the runs, and counts what a black box sees.
func (q *studyCommand) see(c *cobra.Command, args []string, s *study.Study, job *campaign.Job) (
	*reports.Document, error) {
	g := campaign.NewBlackBoxTable(job)
	defer g.Close()
	add := func(_ int, rows []campaign.Row) (bool, error) { g.AddAll(rows); return true, nil }
	if err := q.Do(c, args, job, add); err != nil {
		return nil, err
	}
	x := s.Views(g)
	x.Lockstorm = cli.Version
	return campaigns.Views(x), nil
}

// halve finds where promises begin to break, until a signal comes.
func (q *studyCommand) halve(c *cobra.Command, args []string, name string, s *study.Study, base *scenarios.Scenario) (
	*reports.Document, error) {
	if q.Store != "" {
		return nil, fmt.Errorf("--store: %s halves ranges, and keeps no rows", name)
	}
	if err := q.Ready(c, args); err != nil {
		return nil, err
	}
	all, err := s.Bounds(base)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, cli.OneLine(err))
	}
	add, end := q.Watch("runs")
	defer end()
	for i := range all {
		all[i].Stop = func() bool { return add(1) }
	}
	x := s.Edges(all)
	x.Lockstorm = cli.Version
	return runs.Edges(x), nil
}

// readStudy returns the text of a study: one that comes with the program, or a file.
func readStudy(name string) ([]byte, error) {
	if text, ok := study.Text(name); ok {
		return text, nil
	}
	text, err := os.ReadFile(name)
	if err != nil && !strings.ContainsAny(name, `./\`) {
		return nil, fmt.Errorf("there is no study %q, and no such file%s; %s study lists them", name,
			faults.Suggest(name, study.Names()), cli.Program)
	}
	return text, err
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
	if len(q.only) > 0 {
		if err := s.Only(q.only); err != nil {
			return nil, nil, fmt.Errorf("--only: %w", err)
		}
	}
	base, err := scenarios.Open(s.Scenario)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: scenario: %w", name, err)
	}
	return s, &base, nil
}

// listStudies prints the studies that come with the program.
func listStudies(w io.Writer, format string) error {
	t := cli.Table{Title: "The studies", Heads: []string{"study", "shows"}}
	for _, name := range study.Names() {
		text, _ := study.Text(name)
		s, err := study.Parse(name+".yaml", text)
		if err != nil {
			return err
		}
		t.Rows = append(t.Rows, []string{name, s.Title})
	}
	return cli.Write(w, t.Document(), format, false)
}
