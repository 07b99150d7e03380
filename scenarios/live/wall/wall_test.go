package wall

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/sim/simtest/need"
)

// ahead returns by how much the clock of a process is ahead of ours.
func ahead(t *testing.T, c *Clock) time.Duration {
	t.Helper()
	date := exec.Command("date", "+%s")
	date.Env = append(os.Environ(), c.Environ()...)
	out, err := date.Output()
	if err != nil {
		t.Fatal(err)
	}
	n, err := strconv.ParseInt(strings.TrimSpace(string(out)), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return time.Until(time.Unix(n, 0))
}

// without makes a PATH on which there is nothing but one program.
func without(t *testing.T, program string) {
	t.Helper()
	file := need.Program(t, "no real process is tried", program)
	dir := t.TempDir()
	if err := os.Symlink(file, filepath.Join(dir, program)); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir)
}

func TestNoLibraryIsBuiltWithoutACompiler(t *testing.T) {
	without(t, "date")
	if err := Available(); err == nil {
		t.Error("there is a compiler on the PATH")
	}
	if _, err := Build(t.TempDir()); err == nil {
		t.Error("a library was built without a compiler")
	}
}

// The tolerance is a minute, as no machine is that slow.
func TestClockStepsAndRunsAtOwnRate(t *testing.T) {
	need.System(t, "no clock is stepped", "linux")
	need.Program(t, "no clock is stepped", "cc")
	text, err := os.ReadFile("/proc/uptime")
	if err != nil {
		t.Fatal(err)
	}
	up, err := strconv.ParseFloat(strings.Fields(string(text))[0], 64)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	library, err := Build(dir)
	if err != nil {
		t.Fatal(err)
	}
	c, err := New(library, dir, "page")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	since := time.Duration(up*1e9) - time.Hour // an hour ago, on CLOCK_MONOTONIC
	for _, w := range []struct {
		by   time.Duration
		ppb  int64
		want time.Duration
	}{
		{0, 0, 0}, {time.Hour, 0, time.Hour}, {0, 500_000_000, 30 * time.Minute}, {-time.Hour, 500_000_000, -30 * time.Minute},
		{0, -250_000_000, -15 * time.Minute},
	} {
		if err := c.Tune(w.by, w.ppb, int64(since)); err != nil {
			t.Fatal(err)
		}
		if got := ahead(t, c); (got - w.want).Abs() > time.Minute {
			t.Errorf("stepped by %s, and faster by %d ppb for an hour, it is ahead by %s, and should be by %s", w.by, w.ppb, got, w.want)
		}
	}
}
