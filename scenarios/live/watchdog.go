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
)

// A watchdog is a process that outlives a driver which was killed, and then ends what that had started. It reads lines from
// the driver: "directory PATH", "group PID" and "gone PID". When they end, it kills the groups and removes the directory.
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
	w.say("directory " + directory)
	return w, nil
}

func (w *watchdog) say(text string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	_, _ = fmt.Fprintln(w.lines, text) // without a watchdog the kernel still ends the processes
}

// watch tells it of a process group.
func (w *watchdog) watch(pid int) { w.say("group " + strconv.Itoa(pid)) }

// forget tells it that a group is no more, and that its number may be another's.
func (w *watchdog) forget(pid int) { w.say("gone " + strconv.Itoa(pid)) }

// close lets the watchdog do its work, and waits for it: so the end of a run and the death of its driver come to the same.
func (w *watchdog) close() {
	_ = w.lines.Close()
	_ = w.command.Wait()
}

// watch is what the watchdog process does.
func watch(in io.Reader) {
	signal.Ignore(os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	var groups []int
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
		case word == "gone":
			groups = slices.DeleteFunc(groups, func(o int) bool { return o == pid })
		}
	}
	for _, pid := range groups {
		killGroup(pid)
	}
	if directory != "" {
		removeAll(directory)
	}
}

// removeAll removes a directory in which a process that is being killed may still write.
func removeAll(directory string) {
	for range 50 {
		if os.RemoveAll(directory) == nil {
			return
		}
	}
}
