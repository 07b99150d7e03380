package command

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/cmd/internal/store"
	"github.com/lockstorm/lockstorm/cmd/internal/work"
	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/debate"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/scenarios/campaign/archive"
)

func usualDebate() debateCommand {
	return debateCommand{Debate: debate.Debate{Version: cli.Version, Seed: 1, Seeds: 3}, searchLeast: 1000, out: "-"}
}

// Debate makes the runs of the debate, and returns its page with the worst verdict. It says on errs what the runs
// contradict. Another command that shows the debate has the flags for workers and progress.
func Debate(errs io.Writer, runs int, flags work.Work) (*reports.Document, scenarios.Verdict, error) {
	h := usualDebate()
	h.Work, h.Runs = flags, runs
	h.Command = fmt.Sprintf("lockstorm debate --runs %d --seed %d", h.Runs, h.Seed) // which makes the same document
	err := h.check()
	if err == nil {
		err = h.run(errs)
	}
	if err != nil {
		return nil, scenarios.Unknown, err
	}
	return h.Document(), h.warn(errs), nil
}

// warn says what the runs contradict, and returns the worst verdict.
func (h *debateCommand) warn(errs io.Writer) scenarios.Verdict {
	wrong, worst := h.Wrong()
	for _, w := range wrong {
		fmt.Fprintln(errs, cli.Name+":", w)
	}
	return worst
}

// run reads the argument, and makes the runs for it.
func (h *debateCommand) run(errs io.Writer) error {
	var rest []scenarios.Scenario
	if h.argument == "" {
		rest = scenarios.Catalogue()
	}
	if err := h.Begin(h.argument, rest); err != nil {
		return cli.Own(err)
	}
	all := 0
	for i := range h.Trials {
		t := &h.Trials[i]
		all += h.rows(t) + len(t.Scenario.Bounds)*h.Runs
		for _, m := range t.Scenario.Mutants {
			all += max(h.Runs, m.Within)
		}
	}
	for _, s := range h.Studies {
		all += s.Job.Rows()
	}
	h.shown = work.NewProgress(errs, work.ModeFor(errs, h.Quiet), all)
	defer h.shown.End()
	h.bounds()
	for i := range h.Trials {
		if err := h.try(&h.Trials[i]); err != nil {
			return err
		}
	}
	for _, s := range h.Studies {
		var err error
		if s.Rows, err = h.all(s.Job); err != nil {
			return err
		}
	}
	return nil
}

// rows is how many runs the reference of a trial has.
func (h *debateCommand) rows(t *debate.Trial) int {
	if t.Searched() {
		return max(h.Runs*searchTimes, h.searchLeast)
	}
	return max(h.Runs, t.Least)
}

// try makes the rows of a trial and of its mutants, and the run of its figure.
func (h *debateCommand) try(t *debate.Trial) (err error) {
	if t.Rows, err = h.make(t.Scenario, nil, h.rows(t)); err != nil || t.Searched() {
		return err
	}
	for _, m := range t.Scenario.Mutants {
		rows, err := h.make(t.Scenario, m.Set, max(h.Runs, m.Within))
		if err != nil {
			return err
		}
		t.Mutants = append(t.Mutants, rows)
	}
	t.Drawn = scenarios.Run(*t.Scenario, h.Seed)
	return nil
}

func (h *debateCommand) make(s *scenarios.Scenario, set campaign.Cell, runs int) ([]campaign.Row, error) {
	return h.all(work.Job("debate", s, []campaign.Cell{set}, h.Seed, runs))
}

// all makes the rows of a job. Those that this build has kept in --store for the same job are read.
func (h *debateCommand) all(job *campaign.Job) (all []campaign.Row, err error) {
	w := archive.Work{Job: job, Lockstorm: cli.Build(), Resume: true, Workers: h.Workers, Disk: work.Disk}
	if h.Store != "" {
		name := sha256.Sum256(fmt.Appendln(job.Scenario.YAML(), job.Scenario.ID, job.Cells, job.First, job.Runs))
		w.Dir = filepath.Join(h.Store, cli.Build(), hex.EncodeToString(name[:8]))
	}
	w.Done = func(_ int, rows []campaign.Row, _ bool) (bool, error) {
		for _, r := range rows {
			r.Figures = slices.Clone(r.Figures)
			all = append(all, r)
		}
		h.shown.Add(len(rows), work.Violated(rows), true)
		return true, nil
	}
	return all, work.Repair(w.Do())
}

// bounds measures the bounds of all trials in parallel.
func (h *debateCommand) bounds() {
	campaign.Parallel(h.Workers, len(h.Trials), func(i int) {
		if t := &h.Trials[i]; len(t.Scenario.Bounds) > 0 {
			t.Edges = campaign.EdgesOf(t.Scenario, h.Seed, h.Seeds)
			h.shown.Add(len(t.Scenario.Bounds)*h.Runs, 0, true)
		}
	})
}

// writable reports whether a file can be written. It leaves anything but a file alone.
func writable(file string) error {
	if i, err := os.Stat(file); err == nil && !i.Mode().IsRegular() {
		return fmt.Errorf("--out: %s exists and is not a file; choose another name", file)
	}
	if err := store.ProbeFile(file); err != nil {
		return fmt.Errorf("--out: %s can't be written: %w; choose another file", file, err)
	}
	return nil
}
