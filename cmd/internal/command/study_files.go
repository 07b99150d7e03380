package command

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/reports"
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
			scenarios.Suggest(name, study.Names()), cli.Program)
	}
	return text, err
}

// studyItems returns the studies that come with the program, each with the flags that keep its rows and its figure. One that
// halves a range has no rows.
func studyItems() (all []string) {
	for _, name := range study.Names() {
		text, _ := study.Text(name)
		args := name
		if s, err := study.Parse(name+".yaml", text); err == nil && s.X.Halve == "" {
			if args += " --store rows"; s.Measure != study.BlackBox {
				args += " --figures figures"
			}
		}
		all = append(all, args)
	}
	return all
}

// listStudies prints the studies that come with the program.
func listStudies(w io.Writer, format string) error {
	t := reports.Table{Title: "The studies", Heads: []string{"study", "shows"}}
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
