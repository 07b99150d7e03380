package command

import (
	"fmt"
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
	f.StringVar(&q.sources, "sources", "", "use the repository in `DIR`; default: the one around the current "+
		"directory")
	f.StringVar(&q.program, "program", "", "make them with the program `FILE`; default: the programs that Go "+
		"builds")
	cli.FormatFlag(f, &q.format)
	return c
}

// make lists the items, or makes them and reports the outcome.
func (q *paperCommand) make(c *cobra.Command) error {
	sources, err := repository(q.sources)
	if err != nil {
		return err
	}
	items, err := paper.Items(os.DirFS(sources), study.Names())
	if err != nil {
		return err
	}
	if items, err = paper.Select(items, q.only); err != nil {
		return err
	}
	if q.out == "" {
		return cli.Write(c.OutOrStdout(), paper.List(items), q.format, false)
	}
	m := paper.Remake{Sources: sources, Program: q.program, Write: store.Write, Out: c.OutOrStdout()}
	if q.program != "" { // its folder is another for each item
		m.Program, err = filepath.Abs(q.program)
	}
	if err == nil {
		m.Dir, err = filepath.Abs(q.out)
	}
	if err != nil {
		return err
	}
	if err := m.Begin(); err != nil {
		return err
	}
	ctx, end := signal.NotifyContext(c.Context(), os.Interrupt, syscall.SIGTERM)
	defer end()
	counts, err := m.Make(ctx, items)
	if err != nil {
		return cli.Own(err)
	}
	same, other, bad := counts[paper.Equal], counts[paper.Differs], counts[paper.Failed]
	fmt.Fprintf(m.Out, "%d items: %d equal, %d differ, %d made with nothing to compare, %d failed\n", len(items), same, other,
		counts[paper.Made], bad)
	switch {
	case ctx.Err() != nil:
		return cli.Exit(cli.Interrupted)
	case other+bad > 0:
		return cli.Exit(cli.NotAsExpected)
	}
	return nil
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
