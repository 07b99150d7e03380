package work

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"os/signal"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
)

// A Mode is how progress is shown.
type Mode int

const (
	silent     Mode = iota
	plainLines      // a line every 30 s or 10%
	redrawn         // one line, written over again and again
)

// ModeFor returns the mode for the output, with or without --quiet.
func ModeFor(out io.Writer, quiet bool) Mode {
	switch {
	case quiet:
		return silent
	case cli.IsTerminal(out) && os.Getenv("TERM") != "dumb":
		return redrawn
	}
	return plainLines
}

// Progress shows on stderr how far long work has come. Any number of goroutines may use it. It prints no colours.
type Progress struct {
	mu       sync.Mutex
	out      io.Writer
	mode     Mode
	now      func() time.Time
	began    time.Time
	shown    time.Time // when it was last shown
	shownAt  int       // how many were done then
	done     int
	made     int // how many of them were not there already
	of       int // 0 if it is not known before the end
	violated int
	What     string    // what is counted, if not runs
	Until    time.Time // when the work ends, if not at a number
}

// NewProgress returns the progress of a number of runs, which is 0 if it is not known.
func NewProgress(out io.Writer, m Mode, runs int) *Progress {
	p := &Progress{out: out, mode: m, now: time.Now, of: runs}
	p.began = p.now()
	p.shown = p.began
	return p
}

// Add counts runs that are done: made now, or there already.
func (p *Progress) Add(runs, violated int, made bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done += runs
	p.violated += violated
	switch {
	case made:
		p.made += runs
	case p.made == 0: // how fast rows are read says nothing about the rest
		p.began = p.now()
	}
	if p.due() {
		p.show()
	}
}

// due reports whether to show progress now. Work of less than a second shows it on a terminal only.
func (p *Progress) due() bool {
	since := p.now().Sub(p.shown)
	switch p.mode {
	case redrawn:
		return since >= 100*time.Millisecond
	case plainLines:
		return since >= 30*time.Second || since >= time.Second && p.of > 0 && p.done*10/max(p.of,
			1) > p.shownAt*10/max(p.of, 1)
	}
	return false
}

// eraseLine erases the line of a terminal that the cursor is in.
const eraseLine = "\r\x1b[K"

func (p *Progress) show() {
	p.shown, p.shownAt = p.now(), p.done
	switch p.mode {
	case redrawn: // a line that the terminal wraps can't be overwritten
		line := p.line()
		fmt.Fprintf(p.out, eraseLine+"%s", line[:min(len(line), cli.Width(p.out)-1)])
	case plainLines:
		fmt.Fprintln(p.out, p.line())
	}
}

func (p *Progress) line() string {
	text := fmt.Sprintf("%d of %d %s (%d%%)", p.done, p.of, cmp.Or(p.What, "runs"), p.done*100/max(p.of, 1))
	if !p.Until.IsZero() || p.of == 0 {
		text = fmt.Sprintf("%d %s", p.done, cmp.Or(p.What, "runs"))
	}
	if rate := p.rate(); rate >= 0.5 { // a lower one would read as 0
		text += fmt.Sprintf(", %.0f a second", rate)
	}
	if p.What == "" {
		text += fmt.Sprintf(", %d with a violation", p.violated)
	}
	if left, known := p.left(); known {
		text += fmt.Sprintf(", %s left", left)
	}
	return text
}

// rate returns how many runs are made a second.
func (p *Progress) rate() float64 {
	took := p.now().Sub(p.began).Seconds()
	if took <= 0 {
		return 0
	}
	return float64(p.made) / took
}

// left returns how long the rest will take at the present rate.
func (p *Progress) left() (d time.Duration, known bool) {
	if !p.Until.IsZero() {
		return max(p.Until.Sub(p.now()).Round(time.Second), 0), true
	}
	rate := p.rate()
	if rate <= 0 || p.done >= p.of {
		return 0, false
	}
	return time.Duration(float64(p.of-p.done) / rate * float64(time.Second)).Round(time.Second), true
}

// Note prints a remark.
func (p *Progress) Note(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.mode == redrawn {
		fmt.Fprint(p.out, eraseLine)
	}
	fmt.Fprintln(p.out, cli.Name+":", text) // a signal is answered even with --quiet
}

// End removes the redrawn line.
func (p *Progress) End() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.mode == redrawn {
		fmt.Fprint(p.out, eraseLine)
	}
}

// An Interrupt waits for a signal of the user, or of a cluster, to stop the work.
type Interrupt struct {
	received atomic.Bool
	signals  chan os.Signal
}

// OnInterrupt waits for signals. At the first, the blocks in work are finished. The second ends the process
// immediately, which does no harm, because a block is written whole or not at all.
func OnInterrupt(p *Progress) *Interrupt {
	s := &Interrupt{signals: make(chan os.Signal, 2)}
	signal.Notify(s.signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		for range s.signals {
			if s.received.Swap(true) {
				os.Exit(cli.Interrupted)
			}
			p.Note("finishing the runs in work; press Ctrl-C again to end immediately")
		}
	}()
	return s
}

// Came reports whether a signal came.
func (s *Interrupt) Came() bool { return s.received.Load() }

// Release stops waiting.
func (s *Interrupt) Release() {
	signal.Stop(s.signals)
	close(s.signals)
}
