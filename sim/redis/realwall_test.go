package redis

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/sim/realtest"
)

// These tests step the wall clock of a real server, and take as long as that then waits. Their limits are so wide that the
// speed of this machine does not matter.

// onWall starts a server whose wall clock the test steps.
func onWall(t *testing.T, config ...string) (*rival, *realtest.Wall) {
	if !long {
		t.Skip("it takes half a minute: LOCKSTORM_LONG=1 runs it")
	}
	w := realtest.NewWall(t)
	return realServerWith(t, w.Environ(), config...), w
}

// took returns how long the server took to answer, with a step of its clock meanwhile.
func took(r *rival, w *realtest.Wall, step time.Duration, command string) time.Duration {
	w.Set(0)
	stepped := time.AfterFunc(200*time.Millisecond, func() { w.Set(step) })
	defer stepped.Stop()
	began := time.Now()
	r.do(words(command)...)
	return time.Since(began)
}

// See TestTheTimeOfWaitIsUpByTheWallClock.
func TestARealServersWaitIsUpByTheWallClock(t *testing.T) {
	r, w := onWall(t)
	for _, command := range []string{"WAIT 1 4000", "BLPOP none 4"} {
		plain, forward, back := took(r, w, 0, command), took(r, w, time.Hour, command), took(r, w, -4*time.Second, command)
		t.Logf("%s: %v, with a step forward %v, with a step of 4 s back %v", command, plain, forward, back)
		if plain < 4*time.Second || forward > 3500*time.Millisecond || back < 7*time.Second {
			t.Errorf("%s: %v, with a step forward %v, with a step of 4 s back %v", command, plain, forward, back)
		}
	}
}

// syncedWithin reports whether all that the server has logged is on disk before the limit.
func syncedWithin(t *testing.T, w *realtest.Wall, dir string, limit time.Duration) bool {
	t.Helper()
	for end := time.Now().Add(limit); ; time.Sleep(time.Millisecond) {
		files, err := filepath.Glob(filepath.Join(dir, "appendonlydir", "*.incr.aof"))
		if err != nil || len(files) != 1 {
			t.Fatal("the server has no log: ", files, err)
		}
		log, err := os.Stat(files[0])
		if err != nil {
			t.Fatal(err)
		}
		if w.Synced() >= log.Size() {
			return true
		}
		if time.Now().After(end) {
			return false
		}
	}
}

// See TestTheFirstWriteInASecondIsSyncedAtOnceAndTheOthersAtItsEnd, and TestAfterAStepBackNothingIsSyncedAndTheKernelBoundsTheLoss.
func TestARealServerSyncsByTheSecondsOfItsWallClock(t *testing.T) {
	dir := t.TempDir()
	r, w := onWall(t, "--appendonly", "yes", "--appendfsync", "everysec", "--dir", dir)
	r.do(words("SET k a")...)
	if !syncedWithin(t, w, dir, 10*time.Second) {
		t.Fatal("the first write is not synced in 10 s")
	}
	time.Sleep(3 * time.Second) // a rest
	r.do(words("SET k b")...)
	if !syncedWithin(t, w, dir, 10*time.Second) {
		t.Error("a write after a rest is not synced in 10 s")
	}
	w.Set(-time.Hour)
	time.Sleep(500 * time.Millisecond) // the server has looked at its clock
	r.do(words("SET k c")...)
	if syncedWithin(t, w, dir, 4*time.Second) {
		t.Error("after a step back by an hour a write is synced in 4 s; flushAppendOnlyFile should wait for the second after the last sync's")
	}
	w.Set(time.Hour)
	if !syncedWithin(t, w, dir, 10*time.Second) {
		t.Error("once the clock is ahead the write is not synced in 10 s")
	}
}
