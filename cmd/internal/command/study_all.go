package command

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/cmd/internal/store"
	"github.com/lockstorm/lockstorm/cmd/internal/work/paper"
)

// An allStudies holds the flags with which study makes every table and figure of the repository again.
type allStudies struct {
	all          bool
	out, sources string
	only         []string
}

func (a *allStudies) addFlags(c *cobra.Command) {
	f := c.Flags()
	f.BoolVar(&a.all, "all", false, "every table and figure of the repository: list them, or with --out make them again")
	f.StringVar(&a.out, "out", "", "with --all: make them in `DIR`, go on if some are there, and put all into DIR.zip")
	f.StringArrayVar(&a.only, "only", nil, "only lines whose names fit `GLOB`, such as 'single*'; with --all, only items; may be given more than once")
	f.StringVar(&a.sources, "sources", "", "with --all: the repository is in `DIR`; that about the present directory, if not given")
}

// make lists the items, or makes them, writes the archive, and reports.
func (a *allStudies) make(c *cobra.Command, runs int, format string) error {
	sources, err := repository("--all", a.sources)
	if err != nil {
		return err
	}
	items, err := paper.Items(os.DirFS(sources), studyItems())
	if err != nil {
		return err
	}
	if items, err = paper.Select(items, a.only); err != nil {
		return err
	}
	if a.out == "" {
		return cli.Write(c.OutOrStdout(), paper.List(items).Document(), format, false)
	}
	program, err := os.Executable()
	if err != nil {
		return cli.Own(err)
	}
	m := paper.Remake{Sources: sources, Runs: runs, Program: program, Build: cli.Build(), Version: cli.Version, Log: c.ErrOrStderr(),
		Write: store.Write,
		Has: func(command, flag string) bool {
			found, _, err := c.Root().Find([]string{command})
			return err == nil && found.Flags().Lookup(flag) != nil
		}}
	if m.Dir, err = filepath.Abs(a.out); err != nil {
		return err
	}
	if quiet, _ := c.Flags().GetBool("quiet"); quiet {
		m.Log = io.Discard
	}
	ctx, end := signal.NotifyContext(c.Context(), os.Interrupt, syscall.SIGTERM)
	defer end()
	results, times, err := m.Make(ctx, items)
	if err != nil {
		return cli.Own(err)
	}
	file, err := m.Archive(results, times)
	if err != nil {
		return cli.Own(err)
	}
	t := m.Report(results, times)
	t.Notes = append(t.Notes, file)
	if err := cli.Write(c.OutOrStdout(), t.Document(), format, false); err != nil {
		return err
	}
	if ctx.Err() != nil {
		fmt.Fprintln(c.ErrOrStderr(), cli.Name+": start the same command again to go on")
		return cli.Exit(cli.Interrupted)
	}
	return cli.ExitFor(paper.Verdict(results))
}

// check refuses flags that want --all, and those that it has no use for.
func (a *allStudies) check(c *cobra.Command, args []string, runs int) error {
	for _, other := range strings.Fields("seed measure least summary figures show schema store resume shard shard-of workers") {
		if a.all && c.Flags().Changed(other) {
			return fmt.Errorf("--%s is for one study, and not for --all", other)
		}
	}
	switch {
	case !a.all && (a.out != "" || a.sources != ""):
		return errors.New("--out and --sources go with --all")
	case a.all && len(args) > 0:
		return fmt.Errorf("--all makes all of it; for one: %s study %s, or --only", cli.Program, args[0])
	case a.all && runs < 0:
		return fmt.Errorf("--runs: %d is not positive", runs)
	}
	return nil
}

// repository returns the folder of the sources: the one that --sources names, or the nearest at or above the present one.
func repository(wants, named string) (string, error) {
	dir, err := filepath.Abs(named)
	found := cli.Sources(dir)
	if named != "" && found != dir {
		return "", fmt.Errorf("--sources: %s has no go.mod of %s", named, cli.Module)
	}
	if err == nil && found == "" {
		err = fmt.Errorf("%s: this is no repository of Lockstorm: start in a clone or in unpacked sources, or give --sources", wants)
	}
	return found, err
}
