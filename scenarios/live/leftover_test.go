package live

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/scenarios/live/wall"
)

// Of 50 runs, half of whose drivers are killed at a random moment, nothing is left: no process, file or port.
func TestNothingIsLeftOfFiftyRuns(t *testing.T) {
	needServer(t)
	if !long {
		t.Skip("it takes two minutes; LOCKSTORM_LONG=1 runs it")
	}
	var ids []string
	for _, id := range []string{"kleppmann/crash-restart", "kleppmann/clock-jump", "sql/paused", "session/expiry-while-paused"} {
		s := find(t, id)
		if _, _, err := (Options{}).complete(s.Lock.Kind); err == nil && (id != "kleppmann/clock-jump" || wall.Available() == nil) {
			ids = append(ids, id)
		}
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d, %s", seed, strings.Join(ids, ", "))
	chance := rand.New(rand.NewPCG(seed, 0))
	killed, most, ports, memory := 0, 0, 0, 0
	for i := range 50 {
		kill := time.Duration(-1)
		if i%2 == 1 { // each run takes longer than that
			kill = time.Duration(chance.Int64N(int64(1200 * time.Millisecond)))
		}
		o := oneRun(t, ids[chance.IntN(len(ids))], kill)
		if o.killed {
			killed++
		}
		most, ports = max(most, len(o.pids)), ports+len(o.sockets)
		memory += len(o.memory)
	}
	t.Logf("50 runs, %d killed; up to %d processes each, %d ports and %d pieces of shared memory in all", killed, most, ports, memory)
}

// An occupation is what a driver had: processes, sockets that listen on TCP ports, by their inodes, and memory that is shared.
type occupation struct {
	pids    map[int]bool
	sockets map[string]bool
	memory  map[string]bool // that is shared
	killed  bool
}

// oneRun makes a run in a process of its own, which it kills after a time that is not negative, and fails if something is left.
func oneRun(t *testing.T, id string, kill time.Duration) occupation {
	t.Helper()
	c := exec.Command(os.Args[0], "driver", id)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		_ = c.Wait()
		close(ended)
	}()
	o := occupation{pids: map[int]bool{}, sockets: map[string]bool{}, memory: map[string]bool{}}
	for began := time.Now(); ; time.Sleep(10 * time.Millisecond) {
		o.look(t, c.Process.Pid)
		if kill >= 0 && time.Since(began) > kill && !o.killed {
			o.killed = c.Process.Kill() == nil
		}
		select {
		case <-ended:
		default:
			continue
		}
		break
	}
	for since := time.Now(); ; time.Sleep(10 * time.Millisecond) {
		if what := o.left() + strings.Join(directories(t, c.Process.Pid), " "); what == "" {
			return o
		} else if time.Since(since) > 30*time.Second {
			t.Fatalf("%s, killed after %s: it left %s", id, kill, what)
		}
	}
}

// look notes what a driver has now. Its children's children are PostgreSQL's.
func (o *occupation) look(t *testing.T, driver int) {
	all := childrenOf(t, driver)
	for _, pid := range slices.Clone(all) {
		all = append(all, childrenOf(t, pid)...)
	}
	listening := listeners()
	for _, pid := range append(all, driver) {
		if pid != driver {
			o.pids[pid] = true
		}
		for _, m := range memory(pid) {
			o.memory[m] = true
		}
		names, _ := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", pid))
		for _, name := range names {
			if to, _ := os.Readlink(name); listening[to] {
				o.sockets[to] = true
			}
		}
	}
}

// left says what is still there; "" for nothing.
func (o *occupation) left() (what string) {
	for pid := range o.pids {
		if s := processState(pid); s != 0 && s != 'Z' {
			text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
			what += fmt.Sprintf(" process %d %q", pid, text)
		}
	}
	listening := listeners()
	for s := range o.sockets {
		if listening[s] {
			what += " port of " + s
		}
	}
	for m := range o.memory {
		if remains(m) {
			what += " " + m
		}
	}
	return what
}

// listeners returns the sockets that listen on TCP ports of IPv4, as links in /proc name them.
func listeners() map[string]bool {
	all := map[string]bool{}
	text, _ := os.ReadFile("/proc/net/tcp")
	for line := range strings.Lines(string(text)) {
		if f := strings.Fields(line); len(f) > 9 && f[3] == "0A" {
			all["socket:["+f[9]+"]"] = true
		}
	}
	return all
}

// memory returns what a process shares: files in /dev/shm, and what is named by a key and a number (System V).
func memory(pid int) (all []string) {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/maps", pid))
	for line := range strings.Lines(string(text)) {
		switch f := strings.Fields(line); {
		case len(f) < 6:
		case strings.HasPrefix(f[5], "/dev/shm/"):
			all = append(all, f[5])
		case strings.HasPrefix(f[5], "/SYSV"):
			all = append(all, "shm "+f[4])
		}
	}
	return all
}

// remains reports whether such memory is there.
func remains(name string) bool {
	number, ok := strings.CutPrefix(name, "shm ")
	if !ok {
		_, err := os.Stat(name)
		return err == nil
	}
	text, _ := os.ReadFile("/proc/sysvipc/shm")
	for line := range strings.Lines(string(text)) {
		if f := strings.Fields(line); len(f) > 1 && f[1] == number {
			return true
		}
	}
	return false
}
