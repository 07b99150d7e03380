package live

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/sim/simtest/need"
)

// begun starts a command, kills its group with the test, and returns the first line that it writes.
func begun(t *testing.T, c *exec.Cmd) (line string) {
	t.Helper()
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	t.Cleanup(func() {
		killGroup(c.Process.Pid)
		<-ended
	})
	lines := bufio.NewReader(out)
	line, err = lines.ReadString('\n')
	go func() {
		_, _ = io.Copy(io.Discard, lines)
		_ = c.Wait()
		close(ended)
	}()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(line)
}

// When stopGroup returns, the process and all of its group have stopped. They continue on request.
func TestAStoppedGroupStandsStill(t *testing.T) {
	c := exec.Command("sh", "-c", "sleep 100 & echo $!; wait")
	ownGroup(c)
	var child int
	if _, err := fmt.Sscan(begun(t, c), &child); err != nil {
		t.Fatal(err)
	}
	pid := c.Process.Pid
	if err := stopGroup(pid); err != nil {
		t.Fatal(err)
	}
	if state := processState(pid); state != 'T' {
		t.Errorf("a stopped process is in state %c", state)
	}
	eventually(t, "its child does not stop", func() bool { return processState(child) == 'T' })
	continueGroup(pid)
	eventually(t, "they do not go on", func() bool { return processState(pid) == 'S' && processState(child) == 'S' })
	killGroup(pid)
	eventually(t, "they do not end", func() bool { return ended(pid) && ended(child) })
	if err := stopGroup(pid); err != nil {
		t.Errorf("to stop a process that has ended fails: %v", err)
	}
}

// ended reports whether a process is gone, or a zombie.
func ended(pid int) bool { return processState(pid) == 0 || processState(pid) == 'Z' }

// Each signal reaches the group. A shell says which one came.
func TestSignalsReachAGroup(t *testing.T) {
	for word, send := range map[string]func(int){"TERM": terminateGroup, "QUIT": quitGroup} {
		file := filepath.Join(t.TempDir(), "came")
		c := exec.Command("sh", "-c", "trap 'echo TERM > \"$0\"; exit' TERM; trap 'echo QUIT > \"$0\"; exit' QUIT; echo ready; sleep 100 & wait", file)
		ownGroup(c)
		begun(t, c)
		send(c.Process.Pid)
		eventually(t, word+" does not come", func() bool {
			text, _ := os.ReadFile(file)
			return strings.TrimSpace(string(text)) == word
		})
	}
}

// A process may be called anything, with parentheses and blanks too.
func TestTheStateOfAProcessIsReadWhateverItsName(t *testing.T) {
	const untried = "no process has a strange name"
	program := filepath.Join(t.TempDir(), "a) T 1 (b")
	text, err := os.ReadFile("/bin/sleep")
	if err == nil {
		err = os.WriteFile(program, text, 0o700)
	}
	need.Possible(t, untried, err)
	c := exec.Command(program, "100")
	ownGroup(c)
	need.Possible(t, untried, c.Start())
	defer func() { _ = c.Wait() }()
	defer killGroup(c.Process.Pid)
	eventually(t, "it does not sleep", func() bool {
		state, parent := processStat(c.Process.Pid)
		return state == 'S' && parent == os.Getpid()
	})
	if state, parent := processStat(1 << 30); state != 0 || parent != 0 {
		t.Errorf("a process that there is not has state %d and parent %d", state, parent)
	}
}

// Processes with the mark end, with their children: in another session, or with an environment that has no mark.
// Others stay: those with another mark, and one whose environment has the mark in the middle of an entry.
func TestKillMarkedKillsDescendants(t *testing.T) {
	need.Program(t, "no process with the mark has a session of its own", "setsid")
	mark := fmt.Sprintf("LOCKSTORM_MARK=%d/", os.Getpid())
	start := func(script string, environ ...string) (pids []int) {
		c := exec.Command("sh", "-c", script)
		ownGroup(c)
		c.Env = append(environ, os.Environ()...) // the first may have it
		for _, word := range append(strings.Fields(begun(t, c)), fmt.Sprint(c.Process.Pid)) {
			var pid int
			if _, err := fmt.Sscan(word, &pid); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = syscall.Kill(pid, syscall.SIGKILL) })
			pids = append(pids, pid)
		}
		return pids
	}
	const one = "setsid sleep 100 & a=$!; env -i sleep 100 & echo $a $!; wait"
	end := slices.Concat(start(one, mark+"1/"), start(one, mark+"2/"))
	stay := slices.Concat(start(one, strings.Replace(mark, "/", "0/", 1)), start(one, "X"+mark))
	for _, pid := range end {
		eventually(t, "one of those with the mark is not found", func() bool { return slices.Contains(marked(mark), pid) })
	}
	killMarked(mark)
	for _, pid := range end { // on a busy machine a process outlives its signal for a moment
		eventually(t, fmt.Sprintf("process %d continues", pid), func() bool { return ended(pid) })
	}
	for _, pid := range stay {
		if ended(pid) {
			t.Errorf("process %d has ended, and it has not the mark", pid)
		}
	}
	if all := marked(mark); len(all) > 0 {
		t.Errorf("processes %d are found after their end", all)
	}
}

// A command that ends in its own way gets the signal that it asked the kernel for. The kernel kills any other. Both
// head their groups.
func TestTiedProcessEndsWithDriver(t *testing.T) {
	plain, gentle := exec.Command("true"), exec.Command("true")
	gentle.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGQUIT}
	tieToDriver(plain)
	tieToDriver(gentle)
	for c, want := range map[*exec.Cmd]syscall.Signal{plain: syscall.SIGKILL, gentle: syscall.SIGQUIT} {
		if a := c.SysProcAttr; a.Pdeathsig != want || !a.Setpgid || quits(c) != (want == syscall.SIGQUIT) {
			t.Errorf("%+v, want signal %d", a, want)
		}
	}
	free := exec.Command("true")
	if ownGroup(free); free.SysProcAttr.Pdeathsig != 0 || !free.SysProcAttr.Setpgid || quits(free) {
		t.Errorf("what outlives the driver: %+v", free.SysProcAttr)
	}
}

// The machine has these clocks: one shows the time of day, the other another time that passes.
func TestClocksAreReadFromTheKernel(t *testing.T) {
	before, mono := time.Now().UnixNano(), Monotonic()
	nap(200 * time.Microsecond)
	wall, later, after := wallClock(), Monotonic(), time.Now().UnixNano()
	if wall < before || wall > after {
		t.Errorf("the wall clock shows %d between %d and %d", wall, before, after)
	}
	if passed := later - mono; passed < 200_000 || mono > wall/2 {
		t.Errorf("%d ns have passed, and the monotonic clock shows %d", passed, mono)
	}
}

func TestAFileIsKnownByItsInode(t *testing.T) {
	dir := t.TempDir()
	one, two := filepath.Join(dir, "1"), filepath.Join(dir, "2")
	inode := func(name string) uint64 {
		about, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		return inodeOf(about)
	}
	for _, name := range []string{one, two} {
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if a, b := inode(one), inode(two); a == 0 || a == b || a != inode(one) {
		t.Errorf("inodes %d and %d", a, b)
	}
}
