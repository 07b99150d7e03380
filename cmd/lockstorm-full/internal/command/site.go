package command

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/cmd/internal/command"
	"github.com/lockstorm/lockstorm/cmd/internal/store"
	"github.com/lockstorm/lockstorm/cmd/internal/work"
	"github.com/lockstorm/lockstorm/reports/site"
	"github.com/lockstorm/lockstorm/scenarios"
)

// A siteCommand holds the flags of site.
type siteCommand struct {
	work.Work // only its store, its workers and its progress, for the page of the debate
	runs      int
	sources   string
	address   string
	force     bool
	playless  bool
}

func newSite() *cobra.Command {
	var h siteCommand
	c := &cobra.Command{
		Use:   "site DIR",
		Short: "Write all results as a static website",
		Args:  cli.One("DIR", "name the output directory, such as public"),
		RunE: func(c *cobra.Command, args []string) error {
			if h.runs < 0 {
				return fmt.Errorf("--runs: %d is not positive", h.runs)
			}
			return h.write(c, args[0])
		},
	}
	f := c.Flags()
	f.StringVar(&h.sources, "sources", "", "use the repository in `DIR`; default: the one around the current "+
		"directory")
	f.StringVar(&h.address, "address", "", "the site will be at `URL`, so that previews of links have their picture")
	f.BoolVar(&h.playless, "no-playground", false, "leave out the simulator for the browser, which Go builds")
	f.IntVar(&h.runs, "runs", 150, "run `N` seeds of each scenario for the page of the debate; 0 leaves it out")
	f.StringVar(&h.Store, "store", "", "keep the debate's rows in `DIR`; this build reads those that it has kept")
	f.BoolVar(&h.force, "force", false, "write even into a directory that holds something else")
	work.AddWorkers(f, &h.Workers)
	h.AddProgress(c)
	return c
}

// write makes the site, and says where it begins.
func (h *siteCommand) write(c *cobra.Command, dir string) error {
	s := site.Site{Version: cli.Version, Address: h.address}
	sources, err := repository(h.sources)
	if err != nil {
		return err
	}
	old, err := siteAt(dir, h.force)
	if err != nil {
		return err
	}
	if err := store.Probe(dir); err != nil { // before the long work
		return unwritable(dir, err)
	}
	if s.Documents, err = documents(sources, dir, c.Root()); err != nil {
		return err
	}
	worst := scenarios.Pass
	if h.runs != 0 {
		if s.Debate, worst, err = command.Debate(c.ErrOrStderr(), h.runs, h.Work); err != nil {
			return err
		}
	}
	if !h.playless {
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
