package command

import (
	"bytes"
	"fmt"
	"io"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/cmd/internal/work"
	"github.com/lockstorm/lockstorm/reports/debate"
	"github.com/lockstorm/lockstorm/scenarios"
)

// A debateCommand holds the flags of debate.
type debateCommand struct {
	runs     int
	seed     uint64
	workers  int
	out      string
	format   string
	quiet    bool
	progress string
	again    string // the command that makes the document again

	argument    string               // what is put to the test, if it is not the usual one
	rest        []scenarios.Scenario // steps are added for those that the argument lacks
	searchLeast int                  // runs that a search has at least
	boundSeeds  int                  // seeds with which a bound is measured: it takes many runs for each
	debate      debate.Debate
	shown       *work.Progress
}

// searchTimes is how many times more runs a search has, for each is short, and what it looks for is rare.
const searchTimes = 20

func newDebate() *cobra.Command {
	h := usualDebate()
	c := &cobra.Command{
		Use:   "debate",
		Short: "Write the Redlock debate with every claim measured",
		Args:  cli.None,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := h.check(); err != nil {
				return err
			}
			h.again = cli.Again(c, nil, "runs="+strconv.Itoa(h.runs), "seed="+strconv.FormatUint(h.seed, 10), "format")
			if h.format != "html" && !c.Flags().Changed("out") {
				h.out = "-"
			}
			h.rest = scenarios.Catalogue()
			return h.hold(c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	f := c.Flags()
	f.IntVar(&h.runs, "runs", 300, "run `N` consecutive seeds of each scenario, and 20 N of a search")
	f.Uint64Var(&h.seed, "seed", 1, "the first seed is `N`")
	f.StringVar(&h.out, "out", "debate.html", "write the document to `FILE`; - prints it, as other formats are without --out")
	cli.FormatFlag(f, &h.format)
	h.format, f.Lookup("format").DefValue = "html", "html"
	work.AddWorkers(f, &h.workers)
	cli.ChoiceFlag(f, &h.progress, "progress", "auto", "show progress on stderr: `auto|json|none`")
	f.BoolVarP(&h.quiet, "quiet", "q", false, "show no progress")
	return c
}

func (h *debateCommand) hold(out, errs io.Writer) error {
	if err := h.begin(); err != nil {
		return err
	}
	h.try(errs)
	var text bytes.Buffer
	d := h.debate.Document()
	if err := cli.Write(&text, d, h.format, false); err != nil {
		return err
	}
	if err := h.write(out, text.Bytes()); err != nil {
		return err
	}
	worst := h.warn(errs)
	if h.out != "-" {
		if err := cli.Print(out, d.Summary+"\n"+h.out+"\n"); err != nil {
			return err
		}
	}
	return cli.ExitFor(worst)
}

// check refuses what can't be done, before anything is run.
func (h *debateCommand) check() error {
	if err := work.CheckWorkers(&h.workers); err != nil {
		return err
	}
	switch {
	case h.runs < 1:
		return fmt.Errorf("--runs: %d is not positive", h.runs)
	case h.runs > cli.SeedMax/searchTimes || h.seed > cli.SeedMax-uint64(max(h.runs*searchTimes, h.searchLeast)):
		return fmt.Errorf("--seed: seeds go up to %d, and a search takes %d times as many as --runs", uint64(cli.SeedMax), searchTimes)
	case h.out == "":
		return fmt.Errorf("--out: it names no file; - prints the document")
	case h.out == "-":
		return nil
	}
	return writable(h.out)
}
