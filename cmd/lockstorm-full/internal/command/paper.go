package command

import (
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/cmd/internal/store"
	"github.com/lockstorm/lockstorm/reports/site/paper"
	"github.com/lockstorm/lockstorm/scenarios/campaign/study"
)

// A paperCommand holds the flags of paper.
type paperCommand struct {
	out, sources, program, format string
	only                          []string
	runs                          int
	quiet                         bool
}

func newPaper() *cobra.Command {
	var q paperCommand
	c := &cobra.Command{
		Use:   "paper",
		Short: "List every table and figure of the pages, or make them again",
		Args:  cli.None,
		RunE:  func(c *cobra.Command, _ []string) error { return q.make(c) },
	}
	f := c.Flags()
	f.StringVar(&q.out, "out", "", "make them in `DIR`")
	f.StringArrayVar(&q.only, "only", nil, "make only those that match `GLOB`, such as 'claims*'; may be "+
		"repeated")
	f.IntVar(&q.runs, "runs", 0, "run `N` times for each, instead of as often as the pages say")
	f.StringVar(&q.sources, "sources", "", "use the repository in `DIR`; default: the one around the current "+
		"directory")
	f.StringVar(&q.program, "program", "", "make them with the program `FILE`; default: the programs that Go "+
		"builds")
	cli.FormatFlag(f, &q.format)
	f.BoolVarP(&q.quiet, "quiet", "q", false, "show no progress")
	return c
}

// make lists the items, or makes them and reports the outcome.
func (q *paperCommand) make(c *cobra.Command) error {
	if q.runs < 0 {
		return fmt.Errorf("--runs: %d is not positive", q.runs)
	}
	sources, err := repository(q.sources)
	if err != nil {
		return err
	}
	items, err := paper.Items(os.DirFS(sources), studyItems())
	if err != nil {
		return err
	}
	if items, err = paper.Select(items, q.only); err != nil {
		return err
	}
	if q.out == "" {
		return cli.Write(c.OutOrStdout(), paper.List(items), q.format, false)
	}
	m := paper.Remake{Sources: sources, Runs: q.runs, Program: q.program, Log: c.ErrOrStderr(),
		Write: store.Write,
		Has: func(command, flag string) bool {
			found, _, err := c.Root().Find([]string{command})
			return err == nil && found.Flags().Lookup(flag) != nil
		}}
	if q.program != "" { // its folder is another for each item
		m.Program, err = filepath.Abs(q.program)
	}
	if err == nil {
		m.Dir, err = filepath.Abs(q.out)
	}
	if err != nil {
		return err
	}
	if q.quiet {
		m.Log = io.Discard
	}
	if err := m.Begin(); err != nil {
		return err
	}
	ctx, end := signal.NotifyContext(c.Context(), os.Interrupt, syscall.SIGTERM)
	defer end()
	results, err := m.Make(ctx, items)
	if err != nil {
		return cli.Own(err)
	}
	report := paper.Report(results)
	if err := store.Write(filepath.Join(m.Dir, "items.json"), []byte(report.JSON())); err != nil {
		return cli.Own(err)
	}
	if err := cli.Write(c.OutOrStdout(), report, q.format, false); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return cli.Exit(cli.Interrupted)
	}
	return cli.ExitFor(paper.Verdict(results))
}

// repository returns the folder of the sources: the one that --sources names, or the nearest at or above the present
// one.
func repository(named string) (string, error) {
	dir, err := filepath.Abs(named)
	found := cli.Sources(dir)
	switch {
	case err != nil:
		return "", err
	case named != "" && found != dir:
		return "", fmt.Errorf("--sources: %s has no go.mod of %s", named, cli.Module)
	case found == "":
		return "", fmt.Errorf("this directory has no sources of Lockstorm; start in a clone or in unpacked sources, or " +
			"name them with --sources DIR")
	}
	return found, nil
}

// studyItems returns the studies of the program, each with the flags that keep its rows and its figure. One that halves
// a range has no rows.
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
