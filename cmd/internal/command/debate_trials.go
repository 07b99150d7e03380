package command

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/cmd/internal/store"
	"github.com/lockstorm/lockstorm/cmd/internal/work"
	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/debate"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

func usualDebate() debateCommand {
	return debateCommand{searchLeast: 1000, boundSeeds: 3, seed: 1, out: "-"}
}

// DebateFlags are the flags of another command that shows the debate.
type DebateFlags struct {
	Runs, Workers int
	Progress      string
	Quiet         bool
}

// Debate makes the runs of the debate, and returns its page with the worst verdict. It says on errs what the runs contradict.
func Debate(errs io.Writer, flags DebateFlags) (*reports.Document, scenarios.Verdict, error) {
	h := usualDebate()
	h.runs, h.workers, h.progress, h.quiet, h.rest = flags.Runs, flags.Workers, flags.Progress, flags.Quiet, scenarios.Catalogue()
	h.again = fmt.Sprintf("lockstorm debate --runs %d --seed %d", h.runs, h.seed) // which makes the same document
	if err := h.check(); err != nil {
		return nil, scenarios.Unknown, err
	}
	if err := h.begin(); err != nil {
		return nil, scenarios.Unknown, err
	}
	h.try(errs)
	return h.debate.Document(), h.warn(errs), nil
}

// begin reads the argument, and what is to be run for it.
func (h *debateCommand) begin() error {
	h.debate = debate.Debate{Version: cli.Version, Command: h.again, Seed: h.seed, Runs: h.runs, Seeds: h.boundSeeds}
	if err := h.debate.Begin(h.argument, h.rest); err != nil {
		return cli.Own(err)
	}
	return nil
}

// warn says what the runs contradict, and returns the worst verdict.
func (h *debateCommand) warn(errs io.Writer) scenarios.Verdict {
	wrong, worst := h.debate.Wrong()
	for _, w := range wrong {
		fmt.Fprintln(errs, cli.Name+":", w)
	}
	return worst
}

func (h *debateCommand) try(errs io.Writer) {
	trials := h.debate.Trials
	all := 0
	for i := range trials {
		all += h.rows(&trials[i]) + len(trials[i].Scenario.Bounds)*h.runs
		for _, m := range trials[i].Scenario.Mutants {
			all += max(h.runs, m.Within)
		}
	}
	for _, s := range h.debate.Studies {
		all += s.Job.Rows()
	}
	h.shown = work.NewProgress(errs, work.ModeFor(errs, h.progress, h.quiet), all)
	h.bounds(trials)
	for i := range trials {
		h.run(&trials[i])
	}
	for _, s := range h.debate.Studies {
		s.Rows = h.all(s.Job)
	}
	h.shown.End()
}

// rows is how many runs the reference of a trial has.
func (h *debateCommand) rows(t *debate.Trial) int {
	if t.Scenario.Search.Drawn() {
		return max(h.runs*searchTimes, h.searchLeast)
	}
	return h.runs
}

// run makes the rows of a trial and of its mutants, and the run that is drawn.
func (h *debateCommand) run(t *debate.Trial) {
	t.Rows = h.make(t.Scenario, nil, h.rows(t))
	if t.Scenario.Search.Drawn() {
		return
	}
	for _, m := range t.Scenario.Mutants {
		t.Mutants = append(t.Mutants, h.make(t.Scenario, m.Set, max(h.runs, m.Within)))
	}
	t.Drawn = scenarios.Run(*t.Scenario, h.seed)
}

func (h *debateCommand) make(s *scenarios.Scenario, set campaign.Cell, runs int) []campaign.Row {
	return h.all(work.Job("debate", s, []campaign.Cell{set}, h.seed, runs))
}

// all makes the rows of a job.
func (h *debateCommand) all(job *campaign.Job) []campaign.Row {
	return job.All(h.workers, func(rows []campaign.Row) { h.shown.Add(len(rows), work.Violated(rows), true) })
}

// bounds measures the bounds of all trials, side by side.
func (h *debateCommand) bounds(trials []debate.Trial) {
	campaign.Parallel(h.workers, len(trials), func(i int) {
		if t := &trials[i]; len(t.Scenario.Bounds) > 0 {
			t.Edges = campaign.EdgesOf(t.Scenario, h.seed, h.boundSeeds)
			h.shown.Add(len(t.Scenario.Bounds)*h.runs, 0, true)
		}
	})
}

// writable reports whether a file can be written. What is there and is no file is left alone.
func writable(file string) error {
	if i, err := os.Stat(file); err == nil && !i.Mode().IsRegular() {
		return fmt.Errorf("--out: %s exists and is not a file; choose another name", file)
	}
	t, err := os.CreateTemp(filepath.Dir(file), ".writing-")
	if err != nil {
		return fmt.Errorf("--out: %s can't be written: %w; choose another file", file, err)
	}
	t.Close()
	return os.Remove(t.Name())
}

func (h *debateCommand) write(out io.Writer, page []byte) error {
	if h.out == "-" {
		return cli.Print(out, string(page))
	}
	if err := store.Replace(h.out, page); err != nil {
		return fmt.Errorf("--out: %s can't be written: %w; choose another file", h.out, err)
	}
	return nil
}
