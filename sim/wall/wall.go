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
		return errors.New("without a C compiler (cc) the wall clock of a process can't be stepped; on Debian: apt-get install gcc libc6-dev")
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
}

// pageBytes is the size of the page: the step, the rate and since when that counts, the size and the inode of the file that was
// synced last, and whether the disk stalls.
const pageBytes = 48

// New makes a clock that shows what the machine's does. Its page is a file in the directory, of that name.
func New(library, dir, name string) (*Clock, error) {
	f, err := os.Create(filepath.Join(dir, name))
	if err != nil {
		return nil, err
	}
	if _, err := f.Write(make([]byte, pageBytes)); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &Clock{f, library}, nil
}

// Page is the name of its page, which its processes must be able to write.
func (c *Clock) Page() string { return c.file.Name() }

// Environ returns what is to stand in the environment of a process.
func (c *Clock) Environ() []string {
	return []string{"LD_PRELOAD=" + c.library, "WALL_STEP=" + c.file.Name()}
}

// Set sets by how much it differs from the machine's clock.
func (c *Clock) Set(by time.Duration) error { return c.write(0, uint64(by)) }

// Tune sets by how much it differs from the machine's clock at a moment, given on the machine's CLOCK_MONOTONIC in nanoseconds, and
// by how many parts per billion it runs faster from then on.
func (c *Clock) Tune(by time.Duration, ppb, since int64) error {
	b := binary.NativeEndian.AppendUint64(nil, uint64(by))
	b = binary.NativeEndian.AppendUint64(binary.NativeEndian.AppendUint64(b, uint64(ppb)), uint64(since))
	_, err := c.file.WriteAt(b, 0)
	return err
}

// StallDisk keeps each fdatasync of the processes from ending until FreeDisk. The disk itself is well: only syncs wait.
func (c *Clock) StallDisk() error { return c.write(40, 1) }

// FreeDisk ends a StallDisk.
func (c *Clock) FreeDisk() error { return c.write(40, 0) }

func (c *Clock) write(at int64, value uint64) error {
	_, err := c.file.WriteAt(binary.NativeEndian.AppendUint64(nil, value), at)
	return err
}

// Synced returns how long a file was when the last fdatasync of the processes began that has succeeded, and its inode; 0 if
// none has.
func (c *Clock) Synced() (size int64, inode uint64, err error) {
	var b [16]byte
	_, err = c.file.ReadAt(b[:], 24)
	return int64(binary.NativeEndian.Uint64(b[:])), binary.NativeEndian.Uint64(b[8:]), err
}

// Close closes the page.
func (c *Clock) Close() error { return c.file.Close() }
