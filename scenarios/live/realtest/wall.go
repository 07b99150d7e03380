package realtest

import (
	"os"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/scenarios/live/wall"
	"github.com/lockstorm/lockstorm/sim/simtest/need"
)

// A Wall is the wall clock of processes: the machine's, plus the steps that the test sets. Their monotonic clocks are
// real. The test can stall their disk too.
type Wall struct {
	t     testing.TB
	clock *wall.Clock
}

// NewWall returns a Wall that shows what the machine's clock does.
func NewWall(t testing.TB) *Wall {
	t.Helper()
	dir, err := os.MkdirTemp("", "wall") // not t.TempDir: the user that a server runs as must be able to read it
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	const untried = "no real server's clock is stepped"
	need.System(t, untried, "linux")
	need.Program(t, untried, "cc")
	library, err := wall.Build(dir)
	need.Possible(t, untried, err)
	w := &Wall{t: t}
	w.clock, err = wall.New(library, dir, "step")
	w.must(err)
	t.Cleanup(func() { w.clock.Close() })
	w.must(os.Chmod(dir, 0o755))
	w.must(os.Chmod(w.clock.Page(), 0o666))
	return w
}

// Environ returns the environment of a process that uses the Wall.
func (w *Wall) Environ() []string { return append(os.Environ(), w.clock.Environ()...) }

// Set sets how far ahead of the machine's clock the Wall is.
func (w *Wall) Set(step time.Duration) { w.must(w.clock.Set(step)) }

// Synced returns the length of a file at the start of the last successful fdatasync of the processes; 0 without one.
func (w *Wall) Synced() int64 {
	size, _, err := w.clock.Synced()
	w.must(err)
	return size
}

// StallDisk keeps each fdatasync of the processes from ending until FreeDisk.
func (w *Wall) StallDisk() { w.must(w.clock.StallDisk()) }

// FreeDisk ends a StallDisk.
func (w *Wall) FreeDisk() { w.must(w.clock.FreeDisk()) }

func (w *Wall) must(err error) {
	if err != nil {
		w.t.Error(err) // and not Fatal: a timer may call this
	}
}
