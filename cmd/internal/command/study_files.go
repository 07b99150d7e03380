package command

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
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

func writeFigures(dir string, files []reports.File) error {
	for _, f := range files {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, f.Name), f.Content, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// sourcesIn returns the repository that is given, or the one that the present directory is in.
func sourcesIn(given string) (string, error) {
	if given != "" {
		if !cli.HasModule(given) {
			return "", fmt.Errorf("--sources: %s has no go.mod of %s", given, cli.Module)
		}
		return filepath.Abs(given)
	}
	dir, err := cli.Repository()
	if err == nil {
		return dir, nil
	}
	var such string
	if version, is := cli.Released(); is {
		such = fmt.Sprintf(", such as those of this version, which Go keeps: --sources \"$(go list -m -f '{{.Dir}}' %s@%s)\"",
			cli.Module, version)
	}
	return "", fmt.Errorf("--all: %w: start in a clone or in unpacked sources, or give --sources%s", err, such)
}
