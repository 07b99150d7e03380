package realtest

import (
	"os"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/sim/wall"
)

// A Wall is the wall clock of processes: that of the machine, and what it was stepped by. Their monotonic clocks are real.
type Wall struct {
	t     testing.TB
	clock *wall.Clock
}

// NewWall returns a Wall that shows what the machine's clock does.
func NewWall(t testing.TB) *Wall {
	t.Helper()
	if err := wall.Available(); err != nil {
		t.Skipf("nothing is compared: %v", err)
	}
	dir, err := os.MkdirTemp("", "wall") // which those may read that a server runs as
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	library, err := wall.Build(dir)
	if err != nil {
		t.Skip(err)
	}
	clock, err := wall.New(library, dir, "step")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { clock.Close() })
	for name, mode := range map[string]os.FileMode{dir: 0o755, clock.Page(): 0o666} {
		if err := os.Chmod(name, mode); err != nil {
			t.Fatal(err)
		}
	}
	return &Wall{t, clock}
}

// Environ returns the environment of a process that goes by the Wall.
func (w *Wall) Environ() []string { return append(os.Environ(), w.clock.Environ()...) }

// Set sets by how much the Wall differs from the machine's clock.
func (w *Wall) Set(by time.Duration) {
	if err := w.clock.Set(by); err != nil {
		w.t.Fatal(err)
	}
}

// Synced returns how long a file was when the last fdatasync of the processes began that has succeeded; 0 if none has.
func (w *Wall) Synced() int64 {
	size, _, err := w.clock.Synced()
	if err != nil {
		w.t.Fatal(err)
	}
	return size
}
