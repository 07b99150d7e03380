package live

import (
	"bufio"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/scenarios/live/realtest"
	"github.com/lockstorm/lockstorm/sim/simtest"
	"github.com/lockstorm/lockstorm/sim/simtest/need"
)

// These tests step the wall clock of a real server, and take as long as that then waits. Their limits are so wide that
// the speed of this machine does not matter.

// A rival is a connection to a real Redis server.
type rival struct {
	t    *testing.T
	conn net.Conn
	in   *bufio.Reader
}

// onWall starts a server whose wall clock the test steps.
func onWall(t *testing.T, config ...string) (*rival, *realtest.Wall) {
	t.Helper()
	need.Long(t)
	path := need.Program(t, "what the simulated server does by its wall clock is not compared", "redis-server")
	w, socket := realtest.NewWall(t), filepath.Join(t.TempDir(), "s")
	config = append([]string{"--port", "0", "--unixsocket", socket, "--save", "", "--dir", t.TempDir()}, config...)
	server := exec.Command(path, config...)
	server.Env = w.Environ()
	simtest.Tie(server)
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		server.Process.Kill()
		server.Wait()
	})
	eventually(t, "redis-server listens", func() bool { _, err := os.Stat(socket); return err == nil })
	return dialRival(t, socket), w
}

func dialRival(t *testing.T, socket string) *rival {
	t.Helper()
	conn, err := net.Dial("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return &rival{t, conn, bufio.NewReader(conn)}
}

// do sends a command and returns the reply.
func (r *rival) do(command string) any {
	if _, err := r.conn.Write(encode(strings.Fields(command)...)); err != nil {
		r.t.Fatal(err)
	}
	_, value, err := readReply(r.in)
	if err != nil {
		r.t.Fatal(err)
	}
	return value
}

// took returns how long the server took to answer, with a step of its clock meanwhile.
func took(r *rival, w *realtest.Wall, step time.Duration, command string) time.Duration {
	w.Set(0)
	stepped := time.AfterFunc(200*time.Millisecond, func() { w.Set(step) })
	defer stepped.Stop()
	began := time.Now()
	r.do(command)
	return time.Since(began)
}

// Package redis tests the same in simulated time.
func TestRealServerWaitEndsByWallClock(t *testing.T) {
	r, w := onWall(t)
	for _, command := range []string{"WAIT 1 4000", "BLPOP none 4"} {
		plain, forward, back := took(r, w, 0, command), took(r, w, time.Hour, command), took(r, w, -4*time.Second, command)
		t.Logf("%s: %v, with a step forward %v, with a step of 4 s back %v", command, plain, forward, back)
		if plain < 4*time.Second || forward > 3500*time.Millisecond || back < 7*time.Second {
			t.Errorf("%s: %v, with a step forward %v, with a step of 4 s back %v", command, plain, forward, back)
		}
	}
}

// syncedWithin reports whether the server's whole log is on disk before the limit.
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

// Package redis tests the same in simulated time.
func TestARealServerSyncsByTheSecondsOfItsWallClock(t *testing.T) {
	dir := t.TempDir()
	r, w := onWall(t, "--appendonly", "yes", "--appendfsync", "everysec", "--dir", dir)
	r.do("SET k a")
	if !syncedWithin(t, w, dir, 10*time.Second) {
		t.Fatal("the first write is not synced in 10 s")
	}
	time.Sleep(3 * time.Second) // a rest
	r.do("SET k b")
	if !syncedWithin(t, w, dir, 10*time.Second) {
		t.Error("a write after a rest is not synced in 10 s")
	}
	w.Set(-time.Hour)
	time.Sleep(500 * time.Millisecond) // the server has looked at its clock
	r.do("SET k c")
	if syncedWithin(t, w, dir, 4*time.Second) {
		t.Error("after a step back by an hour a write is synced in 4 s; flushAppendOnlyFile should wait for the second after the last sync's")
	}
	w.Set(time.Hour)
	if !syncedWithin(t, w, dir, 10*time.Second) {
		t.Error("once the clock is ahead the write is not synced in 10 s")
	}
}

// Package redis tests the same in simulated time.
func TestRealServerSyncingAlwaysWaitsForDisk(t *testing.T) {
	r, w := onWall(t, "--appendonly", "yes", "--appendfsync", "always")
	other := dialRival(t, r.conn.RemoteAddr().String())
	r.do("SET k a")
	w.StallDisk()
	if got := other.do("SET k b NX"); got != nil {
		t.Error("a write that changes nothing: ", got) // it is answered, for there is nothing to sync
	}
	time.AfterFunc(2*time.Second, w.FreeDisk)
	began := time.Now()
	answered := make(chan time.Duration)
	go func() {
		r.do("SET k c")
		answered <- time.Since(began)
	}()
	time.Sleep(200 * time.Millisecond)
	got := other.do("GET k") // of another client, and a read
	read, wrote := time.Since(began), <-answered
	t.Logf("the write took %v, the read %v", wrote, read)
	if got != "c" || read < 1900*time.Millisecond || wrote < 1900*time.Millisecond {
		t.Errorf("the read has %v after %v, and the write took %v; both should wait for the disk", got, read, wrote)
	}
}

// Package redis tests the same in simulated time.
func TestRealServerSyncingEachSecondContinuesForTwoSeconds(t *testing.T) {
	r, w := onWall(t, "--appendonly", "yes", "--appendfsync", "everysec")
	r.do("SET k a")
	time.Sleep(3 * time.Second)
	w.StallDisk()
	r.do("SET k b") // begins a sync
	for since := time.Now(); time.Since(since) < 3*time.Second; time.Sleep(10 * time.Millisecond) {
		if took := answers(r); took > 900*time.Millisecond {
			t.Errorf("with nothing to write, Redis stood still for %v", took)
		}
	}
	began := time.Now()
	r.do("SET k c")
	if took := time.Since(began); took > 900*time.Millisecond {
		t.Errorf("a write during a sync took %v", took)
	}
	time.AfterFunc(8*time.Second, w.FreeDisk)
	stands := time.Duration(0)
	for before := time.Now(); answers(r) < 2*time.Second && time.Since(began) < 10*time.Second; before = time.Now() {
		stands = before.Sub(began)
	}
	t.Logf("Redis stood still after %v", stands)
	if stands < 900*time.Millisecond || stands > 5*time.Second {
		t.Errorf("Redis waited %v for the sync; by its source it waits until two more seconds of its clock have begun", stands)
	}
}

// answers returns how long the server takes to answer a read.
func answers(r *rival) time.Duration {
	began := time.Now()
	r.do("GET k")
	return time.Since(began)
}
