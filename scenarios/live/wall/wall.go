package wall

import (
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"time"
)

//go:embed preload/wall.c
var source []byte

// Available returns why no library can be built here; nil if one can.
func Available() error {
	_, err := exec.LookPath("cc")
	switch {
	case runtime.GOOS != "linux":
		return errors.New("the wall clock of a process can be stepped on Linux only")
	case err != nil:
		return errors.New("there is no C compiler (cc); on Debian: apt-get install gcc libc6-dev")
	}
	return nil
}

// Build compiles the library into a directory, and returns its file.
func Build(dir string) (library string, err error) {
	if err := Available(); err != nil {
		return "", err
	}
	code, library := filepath.Join(dir, "wall.c"), filepath.Join(dir, "wall.so")
	if err := os.WriteFile(code, source, 0o644); err != nil {
		return "", err
	}
	if out, err := exec.Command("cc", "-shared", "-fPIC", "-O1", "-o", library, code).CombinedOutput(); err != nil {
		return "", fmt.Errorf("the C compiler fails, so the wall clock of a process can't be stepped: %w\n%s", err, out)
	}
	return library, nil
}

// A Clock is the wall clock of the processes that run in its environment.
type Clock struct {
	file    *os.File
	library string

	mu    sync.Mutex
	asked setting
}

// A setting is what a clock was set to show, and its number.
type setting struct {
	step       time.Duration
	ppb, since int64
	nth        int
}

// pageBytes is the size of the page: the step, the rate and its start, the size and the inode of the last synced
// file, and whether the disk stalls.
const pageBytes = 48

// New returns a clock that shows the machine's time. Its page is a file in the directory, of that name.
func New(library, dir, name string) (*Clock, error) {
	f, err := os.Create(filepath.Join(dir, name))
	if err != nil {
		return nil, err
	}
	if _, err := f.Write(make([]byte, pageBytes)); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &Clock{file: f, library: library}, nil
}

// Page is the name of its page, which its processes must be able to write to.
func (c *Clock) Page() string { return c.file.Name() }

// Environ returns what the environment of a process must have.
func (c *Clock) Environ() []string {
	return []string{"LD_PRELOAD=" + c.library, "WALL_STEP=" + c.file.Name()}
}

// Set sets how far ahead of the machine's clock it is.
func (c *Clock) Set(step time.Duration) error { return c.Tune(step, 0, 0) }

// Tune sets how far ahead of the machine's clock it is at a moment of CLOCK_MONOTONIC in nanoseconds, and by how many
// parts per billion it runs faster after that.
func (c *Clock) Tune(step time.Duration, ppb, since int64) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asked = setting{step, ppb, since, c.asked.nth + 1}
	b := binary.NativeEndian.AppendUint64(nil, uint64(step))
	b = binary.NativeEndian.AppendUint64(binary.NativeEndian.AppendUint64(b, uint64(ppb)), uint64(since))
	_, err := c.file.WriteAt(b, 0)
	return err
}

// Ahead returns how far ahead of the machine's clock it should be at a moment of CLOCK_MONOTONIC, and the number of
// the setting that says so.
func (c *Clock) Ahead(t int64) (d time.Duration, setting int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	a := c.asked
	if a.ppb != 0 {
		a.step += time.Duration((t - a.since) / 1000 * a.ppb / 1_000_000)
	}
	return a.step, a.nth
}

// StallDisk keeps each fdatasync of the processes from ending until FreeDisk, and each write to a file during its
// sync. The disk itself works.
func (c *Clock) StallDisk() error { return c.write(40, 1) }

// FreeDisk ends a StallDisk.
func (c *Clock) FreeDisk() error { return c.write(40, 0) }

func (c *Clock) write(offset int64, value uint64) error {
	_, err := c.file.WriteAt(binary.NativeEndian.AppendUint64(nil, value), offset)
	return err
}

// Synced returns the length of a file at the start of the last successful fdatasync of the processes, and its inode;
// 0 without one.
func (c *Clock) Synced() (size int64, inode uint64, err error) {
	var b [16]byte
	_, err = c.file.ReadAt(b[:], 24)
	return int64(binary.NativeEndian.Uint64(b[:])), binary.NativeEndian.Uint64(b[8:]), err
}

// Close closes the page.
func (c *Clock) Close() error { return c.file.Close() }
