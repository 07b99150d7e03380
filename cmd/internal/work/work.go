package work

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"runtime"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/scenarios/campaign/archive"
)

// Disk is where rows are kept; nil is the real disk. Tests have one that is full.
var Disk archive.Disk

// Hosted returns a worker that makes the rows of a job with client libraries. A program that has libraries sets it.
var Hosted func(job *campaign.Job, note func(text string)) campaign.Worker[[]campaign.Row]

// Work makes the rows of many runs for a command. It has the command's flags, shows progress, keeps rows, resumes, and
// stops in good order at a signal.
//
//	var w Work
//	w.AddFlags(c)                    // when the command is made
//	…
//	err := w.Do(c, args, job, done)  // in RunE; done is called with each block in order, and may stop the work
//	if err != nil { return err }
//	…                                // print what was found; if w.Stopped, it is only a part
//	return w.End(printed, code)      // instead of cli.End(printed, code)
//
// The job's Size should be archive.BlockSize(cells, runs).
type Work struct {
	Store   string
	Resume  bool
	Workers int
	Quiet   bool
	Study   []byte // if set, the file of the study whose rows are made

	Until time.Time // when set, no block but the first is begun after it, and to stop then is no failure

	Stopped bool      // a signal came before all was done
	Rows    int       // how many done was called with
	Errs    io.Writer // the command's stderr

	timeUp bool   // Until came first
	of     int    // how many rows the job has
	during string // how far the work after the rows came
	again  string // the command that resumes the work
}

// AddFlags adds the flags of long work to a command.
func (w *Work) AddFlags(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&w.Store, "store", "", "store the rows in `DIR`, so that the work can be resumed and exported")
	f.BoolVar(&w.Resume, "resume", false, "resume the work in --store")
	AddWorkers(f, &w.Workers)
	w.AddProgress(c)
}

// AddProgress adds only the flag for progress.
func (w *Work) AddProgress(c *cobra.Command) {
	c.Flags().BoolVarP(&w.Quiet, "quiet", "q", false, "show no progress")
}

// Do makes the rows of a job. It keeps finished blocks, however it ends.
func (w *Work) Do(c *cobra.Command, args []string, job *campaign.Job, done func(block int,
	rows []campaign.Row) (more bool,
	err error)) error {
	if err := w.Ready(c, args); err != nil {
		return err
	}
	w.of = job.Rows()
	p, signal := w.begin("", w.of)
	defer signal.Release()
	p.Until = w.Until
	var enough bool
	var failed error // what done returned; it is no error of the store
	work := archive.Work{
		Job: job, Dir: w.Store, Lockstorm: cli.Build(), Resume: w.Resume, Workers: w.Workers, Disk: Disk,
		Study: w.Study,
		Stop:  w.stopper(signal),
		Done: func(block int, rows []campaign.Row, made bool) (bool, error) {
			w.Rows += len(rows)
			p.Add(len(rows), Violated(rows), made)
			more, err := done(block, rows)
			enough, failed = !more, err
			return more, err
		},
	}
	if job.Hosted() {
		work.NewWorker = func() campaign.Worker[[]campaign.Row] { return Hosted(job, p.Note) }
	}
	err := work.Do()
	p.End()
	if failed != nil {
		return failed
	}
	w.Stopped = err == nil && !enough && !w.timeUp && w.Rows < w.of
	return w.Explain(err)
}

// begin shows progress in a number of steps, which is 0 if it is not known, and waits for signals.
func (w *Work) begin(what string, steps int) (*Progress, *Interrupt) {
	p := NewProgress(w.Errs, ModeFor(w.Errs, w.Quiet), steps)
	p.What = what
	return p, OnInterrupt(p)
}

// stopper returns a function that is called before each block and reports whether to stop there. The first block is
// made however short the time is.
func (w *Work) stopper(signal *Interrupt) func() bool {
	begun := 0
	return func() bool {
		begun++
		w.timeUp = begun > 1 && !w.Until.IsZero() && time.Now().After(w.Until)
		return w.timeUp || signal.Came()
	}
}

// Ready checks the flags.
func (w *Work) Ready(c *cobra.Command, args []string) error {
	w.Errs, w.again = c.ErrOrStderr(), cli.AsTyped(c, args, "resume")+" --resume"
	return w.CheckFlags()
}

// CheckFlags checks the flags, before there is a command.
func (w *Work) CheckFlags() error {
	if w.Resume && w.Store == "" {
		return errors.New("--resume: name the directory to resume: --store DIR")
	}
	return CheckWorkers(&w.Workers)
}

// Then does further work after the rows, in a number of steps, and shows progress. A signal stops it in good order.
func (w *Work) Then(what string, steps int, do func(stop func() bool, done func())) {
	p, signal := w.begin(what, steps)
	defer signal.Release()
	do(signal.Came, func() { p.Add(1, 0, true) })
	p.End()
	if w.Stopped = p.done < steps; w.Stopped {
		w.during = fmt.Sprintf(", and %d of %d %s", p.done, steps, what)
	}
}

// Watch shows progress of work whose length is not known beforehand. The worker calls add with how much it has done, or
// is about to do; add reports whether a signal came and the work should stop. The worker calls end last.
func (w *Work) Watch(what string) (add func(n int) (stop bool), end func()) {
	p, signal := w.begin(what, 0)
	add = func(n int) bool {
		p.Add(n, 0, true)
		w.Stopped = w.Stopped || signal.Came()
		return w.Stopped
	}
	return add, func() { p.End(); signal.Release() }
}

// Violated returns how many of the rows have a violation.
func Violated(rows []campaign.Row) (n int) {
	for i := range rows {
		if rows[i].Violated != 0 {
			n++
		}
	}
	return n
}

// End is cli.End. After a signal it prints how to resume, and the code is cli.Interrupted.
func (w *Work) End(printed error, code cli.Exit) error {
	if printed != nil {
		return printed
	}
	if w.timeUp && w.Store != "" && !w.Quiet {
		fmt.Fprintf(w.Errs, cli.Name+": the time ended after %d runs; they are stored in %s. To continue:\n  %s\n",
			w.Rows, w.Store,
			w.again)
	}
	if !w.Stopped {
		return code
	}
	fmt.Fprintf(w.Errs, cli.Name+": stopped after %d of %d runs%s; ", w.Rows, w.of, w.during)
	if w.Store == "" {
		fmt.Fprintln(w.Errs, "no rows are kept. With --store DIR the work can be resumed")
		return cli.Exit(cli.Interrupted)
	}
	fmt.Fprintf(w.Errs, "they are stored in %s. To continue:\n  %s\n", w.Store, w.again)
	return cli.Exit(cli.Interrupted)
}

// Explain adds to an error of the store what to do about it.
func (w *Work) Explain(err error) error {
	switch repaired := Repair(err); {
	case !errors.Is(err, repaired):
		return repaired
	case err == nil:
		return nil
	case errors.Is(err, archive.ErrExists):
		return fmt.Errorf("--store: %w; resume it with --resume, or choose another directory", err)
	case Unwritable(err):
		return fmt.Errorf("--store: %s can't be written: %w; finished blocks are stored. Fix that, and resume "+
			"with:\n  %s",
			w.Store, err, w.again)
	case errors.Is(err, fs.ErrNotExist): // of a file that this process had just written
		return fmt.Errorf("--store: %w; another process works in %s, or has removed it. Finished blocks are stored. "+
			"When that process has ended, resume with:\n  %s", err, w.Store, w.again)
	}
	return fmt.Errorf("--store: %w", ExplainBuild(err))
}

// Job returns the job that runs a scenario on consecutive seeds.
func Job(kind string, s *scenarios.Scenario, cells []campaign.Cell, first uint64, runs int) *campaign.Job {
	return &campaign.Job{Kind: kind, Scenario: s, Cells: cells, First: first, Runs: runs,
		Size: archive.BlockSize(len(cells), runs)}
}

// AddWorkers adds --workers.
func AddWorkers(f *pflag.FlagSet, n *int) {
	f.IntVar(n, "workers", 0, "run on `N` cores in parallel; 0: all cores")
}

// CheckWorkers rejects a negative number, and makes 0 the number of cores.
func CheckWorkers(n *int) error {
	if *n < 0 {
		return fmt.Errorf("--workers: %d is negative; give 0 for all cores", *n)
	}
	if *n == 0 {
		*n = runtime.GOMAXPROCS(0)
	}
	return nil
}
