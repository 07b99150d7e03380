package realtest

import (
	_ "embed"
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
	"time"
)

//go:embed testdata/wall.c
var source []byte

// A Wall is the wall clock of processes: that of the machine, and what it was stepped by. Their monotonic clocks are real. It has
// their disk too, which the test can stall.
type Wall struct {
	t       testing.TB
	file    *os.File
	library string
}

// NewWall returns a Wall that shows what the machine's clock does. It builds a library with the C compiler, which processes
// load in front of libc.
func NewWall(t testing.TB) *Wall {
	t.Helper()
	compiler, err := exec.LookPath("cc")
	if err != nil || runtime.GOOS != "linux" {
		t.Skip("no C compiler, or not Linux: the wall clock of a real server can't be stepped, and nothing is compared")
	}
	dir, err := os.MkdirTemp("", "wall") // which those may read that a server runs as
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	w := &Wall{t: t, library: filepath.Join(dir, "wall.so")}
	if w.file, err = os.Create(filepath.Join(dir, "step")); err == nil {
		t.Cleanup(func() { w.file.Close() })
		_, err = w.file.Write(make([]byte, 24))
	}
	for name, mode := range map[string]os.FileMode{dir: 0o755, w.file.Name(): 0o666} {
		if err == nil {
			err = os.Chmod(name, mode)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	code := filepath.Join(dir, "wall.c")
	if err := os.WriteFile(code, source, 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(compiler, "-shared", "-fPIC", "-O1", "-o", w.library, code).CombinedOutput(); err != nil {
		t.Skipf("the C compiler fails, so the wall clock of a real server can't be stepped: %v\n%s", err, out)
	}
	return w
}

// Environ returns the environment of a process that goes by the Wall.
func (w *Wall) Environ() []string {
	return append(os.Environ(), "LD_PRELOAD="+w.library, "WALL_STEP="+w.file.Name())
}

// Set sets by how much the Wall differs from the machine's clock.
func (w *Wall) Set(by time.Duration) { w.write(0, int64(by)) }

// Synced returns how long a file was when the last fdatasync of the processes began that has succeeded; 0 if none has.
func (w *Wall) Synced() int64 {
	var b [8]byte
	if _, err := w.file.ReadAt(b[:], 8); err != nil {
		w.t.Fatal(err)
	}
	return int64(binary.NativeEndian.Uint64(b[:]))
}

// StallDisk keeps each fdatasync of the processes from ending until FreeDisk. The disk itself is well: only syncs wait.
func (w *Wall) StallDisk() { w.write(16, 1) }

// FreeDisk ends a StallDisk.
func (w *Wall) FreeDisk() { w.write(16, 0) }

func (w *Wall) write(at, value int64) {
	if _, err := w.file.WriteAt(binary.NativeEndian.AppendUint64(nil, uint64(value)), at); err != nil {
		w.t.Fatal(err)
	}
}
