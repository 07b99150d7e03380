package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/scenarios/campaign/archive"
)

// exitInterrupted is the exit code of long work that a signal ended: what was finished is kept.
const exitInterrupted = 130

// storage is the disk that rows are kept on; nil is the real one. Tests have one that is full.
var storage archive.Disk

// longWork is what commands have in common that make the rows of many runs: their flags, and how the work is done. It
// shows progress, keeps rows where it is told to, goes on where it was left, and ends in good order when it is asked to.
//
//	var w longWork
//	w.addFlags(c)                    // when the command is made
//	…
//	err := w.do(c, args, job, done)  // in RunE; done is shown every block in order, and may say that it is enough
//	if err != nil { return err }
//	…                                // print what was found: all, or w.stopped and it is a part
//	return w.exit(code)              // instead of outcome(code)
//
// The job's Size should be archive.BlockSize(cells, runs), whatever the shard.
type longWork struct {
	store    string
	resume   bool
	workers  int
	quiet    bool
	progress string
	shard    shardFlags

	until time.Time // when set, no block but the first is begun after it, and that will do for now

	stopped bool   // a signal came before all was done
	timeUp  bool   // the time was over before that
	rows    int    // how many were shown to done
	of      int    // how many there are in the shard
	during  string // what was done of what comes after the rows
	again   string // the command that goes on
	errs    io.Writer
}

// addFlags gives a command the flags of long work.
func (w *longWork) addFlags(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&w.store, "store", "", "keep the rows in `DIR`, so that the work can be resumed, shared and exported")
	f.BoolVar(&w.resume, "resume", false, "go on with what --store has")
	f.StringVar(&w.shard.text, "shard", "", "make one part of several: `I/N`, with I from 0")
	f.IntVar(&w.shard.of, "shard-of", 0, "how many parts there are: `N`, where JOB_COMPLETION_INDEX says which")
	f.IntVar(&w.workers, "workers", runtime.GOMAXPROCS(0), "make `N` runs side by side")
	w.addProgress(c)
}

// addProgress gives a command those of them that say how progress is told.
func (w *longWork) addProgress(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&w.progress, "progress", "auto", "tell progress on stderr: `auto|json|none`")
	f.BoolVarP(&w.quiet, "quiet", "q", false, "tell no progress")
}

// do makes the rows of a job, or of the shard of it that was asked for. Whatever ends it, what was finished is kept.
func (w *longWork) do(c *cobra.Command, args []string, job *campaign.Job, done func(block int, rows []campaign.Row) (more bool, err error)) error {
	shard, err := w.ready(c, args)
	if err != nil {
		return err
	}
	w.of = rowsOf(job, shard)
	if w.of == 0 {
		fmt.Fprintf(w.errs, "lockstorm: shard %s has nothing to do, for there are only %s\n", shard, pieces(job))
	}
	p := newProgress(w.errs, modeFor(w.errs, w.progress, w.quiet), w.of)
	p.until = w.until
	signals := catch(p)
	defer signals.release()
	var enough bool
	var failed error // of done, which is not the store's
	work := archive.Work{
		Job: job, Dir: w.store, Lockstorm: build(), Resume: w.resume, Shard: shard, Workers: w.workers, Disk: storage, Stop: w.stopper(signals),
		Done: func(block int, rows []campaign.Row, made bool) (bool, error) {
			w.rows += len(rows)
			p.add(len(rows), violatedIn(rows), made)
			more, err := done(block, rows)
			enough, failed = !more, err
			return more, err
		},
		Spared: func(rows int) {
			w.of -= rows
			p.spare(rows)
		},
	}
	err = work.Do()
	p.end()
	if failed != nil {
		return failed
	}
	w.stopped = err == nil && !enough && !w.timeUp && w.rows < w.of
	return w.explain(err)
}

// stopper tells, before each block is begun, whether that is to be. However short the time, a block is made in it.
func (w *longWork) stopper(signals *signaller) func() bool {
	begun := 0
	return func() bool {
		begun++
		w.timeUp = begun > 1 && !w.until.IsZero() && time.Now().After(w.until)
		return w.timeUp || signals.came()
	}
}

// ready checks the flags, and reads what the environment says of shards.
func (w *longWork) ready(c *cobra.Command, args []string) (archive.Shard, error) {
	w.errs, w.again = c.ErrOrStderr(), sameCommand(c, args, "resume")
	if err := w.checkFlags(); err != nil {
		return archive.Shard{}, err
	}
	shard, from, err := w.shard.choose(os.Getenv)
	switch {
	case err != nil:
		return shard, err
	case shard.Of > 0 && w.store == "":
		return shard, fmt.Errorf("%s: a part is of use if its rows are kept; name a directory: --store DIR", from)
	case shard.Of > 1 && !w.until.IsZero():
		return shard, errors.New("--for: a shard is a part of so many runs; give --runs")
	case from != "--shard" && shard.Of > 0:
		fmt.Fprintf(w.errs, "lockstorm: %s say that this is shard %s\n", from, shard)
		w.again += " --shard " + shard.String()
	}
	return shard, nil
}

// checkFlags checks what needs no look at the environment.
func (w *longWork) checkFlags() error {
	switch {
	case w.workers < 1:
		return fmt.Errorf("--workers: %d is not positive", w.workers)
	case w.resume && w.store == "":
		return errors.New("--resume: go on with what? Name the directory: --store DIR")
	}
	return w.checkProgress()
}

func (w *longWork) checkProgress() error {
	if w.progress != "auto" && w.progress != "json" && w.progress != "none" {
		return fmt.Errorf("--progress: %q is none of auto, json and none", w.progress)
	}
	return nil
}

// rowsOf is how many rows a shard has, at most.
func rowsOf(job *campaign.Job, s archive.Shard) int { return job.RowsIn(s.Pieces(job.Pieces())) }

// pieces says into how many a job can be divided, and why.
func pieces(job *campaign.Job) string {
	if job.Rule.Tight > 0 {
		return fmt.Sprintf("%d cells, and one that may stop early can't be divided; --tight 0 lets no cell stop", job.Pieces())
	}
	return fmt.Sprintf("%d blocks", job.Pieces())
}

// then does more work when the rows are there, in so many steps, and shows progress. A signal that came before, or comes
// now, ends it in good order.
func (w *longWork) then(what string, steps int, do func(stop func() bool, done func())) {
	p := newProgress(w.errs, modeFor(w.errs, w.progress, w.quiet), steps)
	p.what = what
	signals := catch(p)
	defer signals.release()
	left := steps
	do(signals.came, func() {
		p.add(1, 0, true)
		p.mu.Lock()
		defer p.mu.Unlock()
		left--
	})
	p.end()
	if w.stopped = left > 0; w.stopped {
		w.during = fmt.Sprintf(", and %d of %d %s", steps-left, steps, what)
	}
}

// watch shows progress of work whose end nobody knows beforehand. Whoever does it tells of so much that is done, or about to
// be, and hears whether a signal came, so that it should stop; and ends the watch with the work.
func (w *longWork) watch(what string) (told func(n int) (stop bool), end func()) {
	p := newProgress(w.errs, modeFor(w.errs, w.progress, w.quiet), 0)
	p.what = what
	signals := catch(p)
	told = func(n int) bool {
		p.add(n, 0, true)
		w.stopped = w.stopped || signals.came()
		return w.stopped
	}
	return told, func() { p.end(); signals.release() }
}

func violatedIn(rows []campaign.Row) (n int) {
	for i := range rows {
		if rows[i].Violated != 0 {
			n++
		}
	}
	return n
}

// exit ends the command: with the code, or with that of an interrupted one, having said how to go on.
func (w *longWork) exit(code int) error {
	if w.timeUp && w.store != "" && !w.quiet {
		fmt.Fprintf(w.errs, "lockstorm: the time is over after %d runs; they are kept in %s. To go on:\n  %s\n", w.rows, w.store, w.again)
	}
	if !w.stopped {
		return outcome(code)
	}
	fmt.Fprintf(w.errs, "lockstorm: stopped after %d of %d runs%s; ", w.rows, w.of, w.during)
	if w.store == "" {
		fmt.Fprintln(w.errs, "nothing is kept. With --store DIR it could be resumed")
		return outcome(exitInterrupted)
	}
	fmt.Fprintf(w.errs, "they are kept in %s. To go on:\n  %s\n", w.store, w.again)
	return outcome(exitInterrupted)
}

// explain says what to do about an error.
func (w *longWork) explain(err error) error {
	var damage *archive.Damage
	var unsound *archive.Unsound
	switch {
	case err == nil:
		return nil
	case errors.Is(err, archive.ErrExists):
		return fmt.Errorf("--store: %w; to go on with it, say --resume; else choose another directory", err)
	case errors.As(err, &damage), errors.As(err, &unsound):
		return mended(err)
	case unwritable(err):
		return fmt.Errorf("--store: %s can't be written: %w; what was finished is kept. To go on when that is mended:\n  %s", w.store, err, w.again)
	case errors.Is(err, fs.ErrNotExist): // what this process had just written
		return fmt.Errorf("--store: %w; another process is at work in %s, or has removed it. What was finished is kept. When it has ended, to go on:\n  %s",
			err, w.store, w.again)
	}
	return fmt.Errorf("--store: %w", rebuilt(err))
}

// rebuilt adds to an error about rows of another build what to do.
func rebuilt(err error) error {
	var o *archive.OtherBuild
	switch {
	case !errors.As(err, &o):
		return err
	case strings.Contains(o.Made, "-dev+"):
		return fmt.Errorf("%w. Such a name stands for one executable: go run and go build make different ones, and so does every change. "+
			"To go on, use the one that made them, as its --version says; or begin anew in another directory, with a file of go build that you keep", err)
	}
	return fmt.Errorf("%w. Use that build, or begin anew in another directory. To have it:\n  go install %s/cmd/lockstorm@v%s", err, module, o.Made)
}

// unwritable tells whether it is a directory that can't be written, or a disk that is full.
func unwritable(err error) bool {
	return errors.Is(err, os.ErrPermission) || errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EROFS) || errors.Is(err, syscall.EDQUOT)
}

// openRows opens an archive.
func openRows(dir string) (*archive.Archive, error) {
	a, err := archive.Open(dir)
	return a, mended(err)
}

// mended adds to an error about a damaged block how to make it again; or a manifest, which only the command can that began
// the work.
func mended(err error) error {
	var d *archive.Damage
	var u *archive.Unsound
	switch {
	case errors.As(err, &u):
		return fmt.Errorf("%w. No row is lost. Put the file back as it was; or remove %s, and give the command that began this once more, "+
			"with --resume", err, filepath.Join(u.Dir, archive.ManifestFile))
	case !errors.As(err, &d):
		return err
	}
	return fmt.Errorf("%w. To make just those again:\n  %s rows --resume --store %s --block %d", err, program, shellWord(d.Dir), d.Block)
}

// sameCommand gives the command line again, as the user would type it, with one more flag.
func sameCommand(c *cobra.Command, args []string, with string) string {
	words := append([]string{program}, strings.Fields(c.CommandPath())[1:]...)
	for _, a := range args {
		words = append(words, shellWord(a))
	}
	c.Flags().Visit(func(f *pflag.Flag) {
		if f.Name == with {
			return
		}
		values := []string{f.Value.String()}
		if list, ok := f.Value.(pflag.SliceValue); ok {
			values = list.GetSlice()
		}
		for _, v := range values {
			switch {
			case f.Value.Type() != "bool":
				words = append(words, "--"+f.Name, shellWord(v))
			case v == "true":
				words = append(words, "--"+f.Name)
			default:
				words = append(words, "--"+f.Name+"="+v)
			}
		}
	})
	return strings.Join(append(words, "--"+with), " ")
}

// A signaller waits for the user, or a cluster, to end the work.
type signaller struct {
	caught atomic.Bool
	inbox  chan os.Signal
}

// catch begins to wait. The first signal lets what is in hand be finished. The second ends the process at once; and as a
// block is whole or not there at all, that does no harm.
func catch(p *progress) *signaller {
	s := &signaller{inbox: make(chan os.Signal, 2)}
	signal.Notify(s.inbox, os.Interrupt, syscall.SIGTERM)
	go func() {
		for range s.inbox {
			if s.caught.Swap(true) {
				os.Exit(exitInterrupted)
			}
			p.say("finishing what is in hand; once more to end at once")
		}
	}()
	return s
}

func (s *signaller) came() bool { return s.caught.Load() }

func (s *signaller) release() {
	signal.Stop(s.inbox)
	close(s.inbox)
}

// runsJob is the job of a scenario as it is, on consecutive seeds.
func runsJob(kind string, s *scenarios.Scenario, cells []campaign.Cell, first uint64, runs int) *campaign.Job {
	return &campaign.Job{Kind: kind, Scenario: s, Cells: cells, First: first, Runs: runs, Size: archive.BlockSize(len(cells), runs)}
}
