package work

import (
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
)

// An Interrupt waits for a signal of the user, or of a cluster, to stop the work.
type Interrupt struct {
	received atomic.Bool
	signals  chan os.Signal
}

// OnInterrupt waits for signals. At the first, the blocks in work are finished. The second ends the process at once, which
// does no harm, as a block is written whole or not at all.
func OnInterrupt(p *Progress) *Interrupt {
	s := &Interrupt{signals: make(chan os.Signal, 2)}
	signal.Notify(s.signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		for range s.signals {
			if s.received.Swap(true) {
				os.Exit(cli.Interrupted)
			}
			p.Note("finishing the runs in work; press Ctrl-C again to end at once")
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
