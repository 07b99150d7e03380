package command

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign/study"
)

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
