package live

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/lockstorm/lockstorm/scenarios/live/wall"
)

// A watchdog is a process that outlives a driver which was killed, and then ends what that had started. It reads lines from
// the driver: "directory PATH", "group PID", "quit PID" for one that is asked to end first, and "gone PID". When they end, it kills the groups and removes the directory.
type watchdog struct {
	mu      sync.Mutex
	lines   io.WriteCloser
	command *exec.Cmd
}

// startWatchdog starts one for a directory.
func startWatchdog(self []string, directory string) (*watchdog, error) {
	c := exec.Command(self[0], append(self[1:], watchdogWord)...)
	lines, err := c.StdinPipe()
	if err != nil {
		return nil, err
	}
	ownGroup(c)
	if err := c.Start(); err != nil {
		return nil, fmt.Errorf("the watchdog can't be started: %w", err)
	}
	w := &watchdog{lines: lines, command: c}
	w.send("directory " + directory)
	return w, nil
}

func (w *watchdog) send(text string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	_, _ = fmt.Fprintln(w.lines, text) // without a watchdog the kernel still ends the processes
}

// watch tells it of a process group, and whether that is to be asked to end before it is killed.
func (w *watchdog) watch(pid int, gently bool) {
	if gently {
		w.send("quit " + strconv.Itoa(pid))
	}
	w.send("group " + strconv.Itoa(pid))
}

// forget tells it that a group is no more, and that its number may be another's.
func (w *watchdog) forget(pid int) { w.send("gone " + strconv.Itoa(pid)) }

// close lets the watchdog do its work, and waits for it: so the end of a run and the death of its driver come to the same.
func (w *watchdog) close() {
	_ = w.lines.Close()
	_ = w.command.Wait()
}

// watch is what the watchdog process does.
func watch(in io.Reader) {
	signal.Ignore(os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	var groups, asked []int
	directory := ""
	for lines := bufio.NewScanner(in); lines.Scan(); {
		word, rest, _ := strings.Cut(lines.Text(), " ")
		pid, err := strconv.Atoi(rest)
		switch {
		case word == "directory":
			directory = rest
		case err != nil || pid <= 1:
		case word == "group":
			groups = append(groups, pid)
		case word == "quit":
			asked = append(asked, pid)
		case word == "gone":
			is := func(o int) bool { return o == pid }
			groups, asked = slices.DeleteFunc(groups, is), slices.DeleteFunc(asked, is)
		}
	}
	for _, pid := range asked {
		quitGroup(pid)
		for since := time.Now(); processState(pid) != 0 && processState(pid) != 'Z' && time.Since(since) < quitWithin; {
			time.Sleep(time.Millisecond)
		}
	}
	for _, pid := range groups {
		killGroup(pid)
		wall.Forget(pid)
	}
	if directory != "" {
		removeAll(directory)
	}
}

// quitWithin is how long a process may take to end in its own way.
const quitWithin = 3 * time.Second

// removeAll removes a directory in which a process that is being killed may still write.
func removeAll(directory string) {
	for range 50 {
		if os.RemoveAll(directory) == nil {
			return
		}
	}
}
