package wall

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"
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

// The tolerance is a minute, as no machine is that slow.
func TestAClockIsSteppedAndRunsAtARateOfItsOwn(t *testing.T) {
	if err := Available(); err != nil {
		t.Skip(err)
	}
	text, err := os.ReadFile("/proc/uptime")
	if err != nil {
		t.Skip(err)
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
