package command

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/cmd/internal/command"
	"github.com/lockstorm/lockstorm/cmd/internal/store"
	"github.com/lockstorm/lockstorm/cmd/internal/work"
	"github.com/lockstorm/lockstorm/reports/site"
	"github.com/lockstorm/lockstorm/reports/site/serve"
	"github.com/lockstorm/lockstorm/scenarios"
)

// A siteCommand holds the flags of site.
type siteCommand struct {
	work.Work // only its workers and its progress, for the page of the debate
	runs      int
	sources   string
	stores    []string
	suites    []string
	onlyStore bool
	force     bool
	playless  bool
}

func newSite() *cobra.Command {
	var h siteCommand
	c := &cobra.Command{
		Use:   "site DIR",
		Short: "Write all results as a static website",
		Args:  cli.One("DIR", "the directory of the site"),
		RunE: func(c *cobra.Command, args []string) error {
			if err := h.check(); err != nil {
				return err
			}
			return h.write(c, args[0])
		},
	}
	f := c.Flags()
	f.StringArrayVar(&h.stores, "store", nil, "show the runs, campaigns and suites in the store `DIR`; may be "+
		"repeated")
	f.StringArrayVar(&h.suites, "suite", nil, "show what test --json wrote into `FILE`; may be repeated")
	f.StringVar(&h.sources, "sources", "", "use the repository in `DIR`; default: the one around the current "+
		"directory")
	f.BoolVar(&h.onlyStore, "only-store", false, "leave out the pages that come with Lockstorm")
	f.BoolVar(&h.playless, "no-playground", false, "leave out the simulator for the browser, which Go builds")
	f.IntVar(&h.runs, "runs", 150, "run `N` seeds of each scenario for the page of the debate; 0 leaves it out")
	f.BoolVar(&h.force, "force", false, "write even into a directory that holds something else")
	work.AddWorkers(f, &h.Workers)
	h.AddProgress(c)
	return c
}

// check refuses what can't be done, before anything is run.
func (h *siteCommand) check() error {
	if h.onlyStore && len(h.stores)+len(h.suites) == 0 {
		return fmt.Errorf("--only-store: there is nothing to show; add --store DIR or --suite FILE")
	}
	if h.runs < 0 {
		return fmt.Errorf("--runs: %d is not positive", h.runs)
	}
	return nil
}

// write makes the site, and says where it begins.
func (h *siteCommand) write(c *cobra.Command, dir string) error {
	s := site.Site{Version: cli.Version}
	sources, err := "", error(nil)
	if !h.onlyStore {
		if sources, err = repository(h.sources); err != nil {
			return err
		}
	}
	for _, name := range h.stores {
		opened, err := serve.Open(name)
		if err != nil {
			return err
		}
		defer func() { _ = opened.Close() }()
		s.Stores = append(s.Stores, opened)
	}
	if s.Suites, err = suitesOf(h.suites, h.stores); err != nil {
		return err
	}
	old, err := siteAt(dir, h.force)
	if err != nil {
		return err
	}
	if err := store.Probe(dir); err != nil { // before the long work
		return unwritable(dir, err)
	}
	if !h.onlyStore {
		if s.Documents, err = documents(sources, dir, c.Root()); err != nil {
			return err
		}
	}
	worst := scenarios.Pass
	if !h.onlyStore && h.runs != 0 {
		if s.Debate, worst, err = command.Debate(c.ErrOrStderr(), h.runs, h.Work); err != nil {
			return err
		}
	}
	if !h.playless && !h.onlyStore {
		play(&s, sources, c.ErrOrStderr())
	}
	files, err := s.Files()
	if err != nil {
		return err
	}
	if err := putSite(dir, old, files); err != nil {
		return err
	}
	return cli.End(cli.Print(c.OutOrStdout(), summaryOf(dir, files)), cli.ExitFor(worst))
}
