package command

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/cmd/internal/store"
	"github.com/lockstorm/lockstorm/cmd/internal/work"
	"github.com/lockstorm/lockstorm/reports/debate"
)

// A debateCommand holds the flags of debate.
type debateCommand struct {
	work.Work // only its workers and its progress
	debate.Debate
	out, format string

	argument    string // the argument to test; empty for the usual one, with a step for each scenario that it lacks
	searchLeast int    // how many runs a search has at least
	shown       *work.Progress
}

// searchTimes is how many times more runs a search has, because each is short, and violations are rare in it.
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
			h.Command = cli.Again(c, nil, "runs="+strconv.Itoa(h.Runs), "seed="+strconv.FormatUint(h.Seed, 10),
				"format")
			if h.format != "html" && !c.Flags().Changed("out") {
				h.out = "-"
			}
			return h.hold(c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	f := c.Flags()
	f.IntVar(&h.Runs, "runs", 300, "run `N` consecutive seeds of each scenario, and 20 N of a search")
	f.Uint64Var(&h.Seed, "seed", 1, "start with the seed `N`")
	f.StringVar(&h.out, "out", "debate.html", "write the document to `FILE`; - prints it; other formats are "+
		"printed by default")
	cli.FormatFlag(f, &h.format)
	h.format, f.Lookup("format").DefValue = "html", "html"
	work.AddWorkers(f, &h.Workers)
	h.AddProgress(c)
	return c
}

// hold makes the runs, and writes the document.
func (h *debateCommand) hold(out, errs io.Writer) error {
	if err := h.run(errs); err != nil {
		return err
	}
	var text bytes.Buffer
	d := h.Document()
	if err := cli.Write(&text, d, h.format, false); err != nil {
		return err
	}
	printed := cli.ScreenFor(out, "never").Fitted(d.Summary+"\n") + h.out + "\n"
	if h.out == "-" {
		printed = text.String()
	} else if err := store.Replace(h.out, text.Bytes()); err != nil {
		return fmt.Errorf("--out: %s can't be written: %w; choose another file", h.out, err)
	}
	worst := h.warn(errs)
	return cli.End(cli.Print(out, printed), cli.ExitFor(worst))
}

// check rejects what can't be done, before anything is run.
func (h *debateCommand) check() error {
	if err := work.CheckWorkers(&h.Workers); err != nil {
		return err
	}
	switch {
	case h.Runs < 1:
		return fmt.Errorf("--runs: %d is not positive", h.Runs)
	case h.Runs > min(cli.SeedMax, math.MaxInt)/searchTimes ||
		h.Seed > cli.SeedMax-uint64(max(h.Runs*searchTimes, debate.MostRuns)):
		return fmt.Errorf("--seed: seeds go up to %d, and a search takes %d times as many as --runs",
			uint64(cli.SeedMax), searchTimes)
	case h.out == "":
		return fmt.Errorf("--out: the file is missing; name one, or - to print the document")
	case h.out == "-":
		return nil
	}
	return writable(h.out)
}
