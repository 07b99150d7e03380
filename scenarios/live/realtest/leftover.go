package realtest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// An Occupation is what a live run's program had: processes, TCP ports by their sockets' inodes, and shared memory.
type Occupation struct {
	Pids    map[int]bool
	Sockets map[string]bool
	Memory  map[string]bool // that is shared
	Killed  bool
}

// RunAndLeaveNothing starts a program, kills it after a time that is not negative, waits for its end, and fails the
// test if something is left of it: a process, a port, memory, or a file that others names.
func RunAndLeaveNothing(t *testing.T, c *exec.Cmd, kill time.Duration, others func(pid int) []string) Occupation {
	t.Helper()
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		_ = c.Wait()
		close(ended)
	}()
	o := Occupation{Pids: map[int]bool{}, Sockets: map[string]bool{}, Memory: map[string]bool{}}
	for began := time.Now(); ; time.Sleep(10 * time.Millisecond) {
		o.look(t, c.Process.Pid)
		if kill >= 0 && time.Since(began) > kill && !o.Killed {
			o.Killed = c.Process.Kill() == nil
		}
		select {
		case <-ended:
		default:
			continue
		}
		break
	}
	for since := time.Now(); ; time.Sleep(10 * time.Millisecond) {
		if what := o.left() + strings.Join(others(c.Process.Pid), " "); what == "" {
			return o
		} else if time.Since(since) > 30*time.Second {
			t.Fatalf("%s, killed after %s: it left %s", c, kill, what)
		}
	}
}

// look notes what a driver has now. Its children's children are PostgreSQL's.
func (o *Occupation) look(t *testing.T, driver int) {
	all := Children(t, driver)
	for _, pid := range slices.Clone(all) {
		all = append(all, Children(t, pid)...)
	}
	listening := listeners()
	for _, pid := range append(all, driver) {
		if pid != driver {
			o.Pids[pid] = true
		}
		for _, m := range memory(pid) {
			o.Memory[m] = true
		}
		names, _ := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", pid))
		for _, name := range names {
			if to, _ := os.Readlink(name); listening[to] {
				o.Sockets[to] = true
			}
		}
	}
}

// left says what is still there; "" for nothing.
func (o *Occupation) left() (what string) {
	for pid := range o.Pids {
		if Runs(pid) {
			text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
			what += fmt.Sprintf(" process %d %q", pid, text)
		}
	}
	listening := listeners()
	for s := range o.Sockets {
		if listening[s] {
			what += " port of " + s
		}
	}
	for m := range o.Memory {
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

// Children lists the processes that a process has started.
func Children(t *testing.T, pid int) (all []int) {
	t.Helper()
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range stats {
		text, _ := os.ReadFile(name)
		_, rest, _ := strings.Cut(string(text), ") ")
		if f := strings.Fields(rest); len(f) > 1 && f[1] == strconv.Itoa(pid) {
			n, _ := strconv.Atoi(filepath.Base(filepath.Dir(name)))
			all = append(all, n)
		}
	}
	return all
}

// Runs reports whether there is a process of that number that has not ended.
func Runs(pid int) bool {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, rest, found := strings.Cut(string(text), ") ")
	return found && rest[0] != 'Z'
}
