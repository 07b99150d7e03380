package live

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// A Process is one that a run has started, with the last of what it wrote to its standard error.
type Process struct {
	name    string
	mark    string // in the environment of the process, and of every process that it starts
	command *exec.Cmd
	ended   chan struct{}
	failure error // of Wait, once ended is closed
	words   *tail
}

// A starter starts processes, all from one thread: the kernel ends them with the thread that started them.
type starter struct {
	watchdog *watchdog
	mark     string
	started  atomic.Int64
	tasks    chan func()
	running  sync.WaitGroup // the processes that have not ended
}

// markOf returns the mark in the environment of each process of a run with this directory, before its number. The
// mark finds the children of these processes, wherever they have gone.
func markOf(directory string) string { return "LOCKSTORM_LIVE=" + directory + "/" }

// heldOpen limits the wait for an ended process's last words while another one holds its standard error open.
const heldOpen = 100 * time.Millisecond

func newStarter(w *watchdog, directory string) *starter {
	s := &starter{watchdog: w, mark: markOf(directory), tasks: make(chan func())}
	go func() {
		runtime.LockOSThread()
		for do := range s.tasks {
			do()
		}
	}()
	return s
}

// start starts a command, and registers it with the watchdog.
func (s *starter) start(name string, c *exec.Cmd) (*Process, error) {
	p := &Process{name: name, command: c, ended: make(chan struct{}), words: &tail{}}
	p.mark = s.mark + strconv.FormatInt(s.started.Add(1), 10) + "/"
	if c.Stderr == nil {
		c.Stderr = p.words
	}
	if c.Env == nil {
		c.Env = os.Environ()
	}
	c.Env, c.WaitDelay = append(c.Env, p.mark), heldOpen
	gently := quits(c)
	tieToDriver(c)
	result := make(chan error)
	s.tasks <- func() { result <- c.Start() }
	if err := <-result; err != nil {
		return nil, fmt.Errorf("%s can't be started: %w", name, err)
	}
	s.watchdog.watch(p.pid(), gently)
	s.running.Go(func() {
		if p.failure = c.Wait(); errors.Is(p.failure, exec.ErrWaitDelay) {
			p.failure = nil
		}
		killGroup(p.pid()) // what it has started itself
		s.watchdog.forget(p.pid())
		close(p.ended)
		killMarked(p.mark)
	})
	return p, nil
}

// close lets the watchdog end all processes, waits until they have ended, and ends the thread.
func (s *starter) close() {
	s.watchdog.close()
	close(s.tasks)
	s.running.Wait()
}

func (p *Process) pid() int { return p.command.Process.Pid }

// Alive reports whether the process has not ended.
func (p *Process) Alive() bool {
	select {
	case <-p.ended:
		return false
	default:
		return true
	}
}

// Wait waits until the process has ended, and returns an error if it has failed.
func (p *Process) Wait() error {
	<-p.ended
	return p.failure
}

// Silent returns the error of a server that does not answer or has ended, with its log or else its last words.
func (p *Process) Silent(log string) error {
	if log == "" {
		log = p.words.String()
	}
	if p.Alive() {
		return fmt.Errorf("%s (%s) does not answer within %s%s", p.name, p.command.Path, StartWithin, below(log))
	}
	return fmt.Errorf("%s (%s) ended at its start: %s%s", p.name, p.command.Path, p.command.ProcessState, below(log))
}

// lastWords returns the last of what the process has written to its standard error, on separate lines.
func (p *Process) lastWords() string { return below(p.words.String()) }

// below returns a text on separate lines; "" for no text.
func below(text string) string {
	if text == "" {
		return ""
	}
	return "\n" + text
}

// StartWithin is how long a server may take until it answers. A whole run may take three times as long to begin.
const StartWithin = 10 * time.Second

// Stop stops the process, and waits until it has stopped.
func (p *Process) Stop() error {
	if !p.Alive() {
		return nil
	}
	return stopGroup(p.pid())
}

// Continue resumes the process.
func (p *Process) Continue() {
	if p.Alive() {
		continueGroup(p.pid())
	}
}

// Quit asks the process to end immediately, in its own way. It does not wait.
func (p *Process) Quit() { quitGroup(p.pid()) }

// Kill ends the process and its group, and waits until it is gone.
func (p *Process) Kill() {
	killGroup(p.pid())
	go killMarked(p.mark) // lest what it has started holds its standard error open
	<-p.ended
}

// Terminate asks the process to end in good order, and kills it if it takes too long.
func (p *Process) Terminate() {
	terminateGroup(p.pid())
	select {
	case <-p.ended:
	case <-time.After(5 * time.Second):
		p.Kill()
	}
}

// A tail keeps the last of what is written.
type tail struct {
	mu   sync.Mutex
	text []byte
}

const tailBytes = 64 << 10

// Write keeps b, and forgets what came long before.
func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, b...)
	if n := len(t.text) - tailBytes; n > 0 {
		t.text = append(t.text[:0], t.text[n:]...)
	}
	return len(b), nil
}

// String returns the last lines.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return lastLines(string(t.text))
}

// linesMost is how many lines of a log are shown.
const linesMost = 12

// lastLines returns the last lines of a log. If an earlier line says why a program gave up, it comes first.
func lastLines(text string) string {
	all := strings.Split(strings.TrimRight(text, "\n"), "\n")
	first := max(0, len(all)-linesMost)
	for _, why := range []string{"no space left", "panic: "} {
		for _, line := range slices.Backward(all[:first]) {
			if strings.Contains(line, why) {
				return strings.Join(slices.Concat([]string{line, "…"}, all[first+2:]), "\n")
			}
		}
	}
	return strings.Join(all[first:], "\n")
}

// SaysWithin is how long a program may take to say its version.
const SaysWithin = 5 * time.Second

// VersionOf returns what a program prints when asked for its version: with --version, unless there are args.
func VersionOf(program string, args ...string) (text string, err error) {
	if len(args) == 0 {
		args = []string{"--version"}
	}
	ctx, cancel := context.WithTimeout(context.Background(), SaysWithin)
	defer cancel()
	c := exec.CommandContext(ctx, program, args...)
	c.WaitDelay = 10 * heldOpen // on a busy machine the words of an ended program are read late
	ownGroup(c)                 // a script may have started the program that hangs
	c.Cancel = func() error {
		killGroup(c.Process.Pid)
		return c.Process.Kill()
	}
	out, err := c.CombinedOutput()
	if ctx.Err() != nil {
		return "", fmt.Errorf("%s does not say its version within %s", program, SaysWithin)
	}
	if err != nil && !errors.Is(err, exec.ErrWaitDelay) { // it has printed its version
		return "", fmt.Errorf("%s %s: %w: %s", program, strings.Join(args, " "), err, brief(string(out)))
	}
	return strings.TrimSpace(string(out)), nil
}

// A watchdog is a process that outlives a killed driver, and then ends everything that the driver had started. It
// reads lines from the driver: "directory PATH", "group PID", "quit PID" for a process that first gets SIGQUIT, and
// "gone PID". When the lines end, it kills the groups and their children, and removes the directory.
type watchdog struct {
	mu      sync.Mutex
	lines   io.WriteCloser
	command *exec.Cmd
	once    sync.Once
}

// startWatchdog starts a watchdog for a directory.
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

// watchdogWord is the argument that makes a program a watchdog.
const watchdogWord = "live-watchdog"

func (w *watchdog) send(text string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	_, _ = fmt.Fprintln(w.lines, text) // without a watchdog the kernel still ends the processes
}

// watch registers a process group with the watchdog. If gently, the group first gets SIGQUIT, and is killed later.
func (w *watchdog) watch(pid int, gently bool) {
	if gently {
		w.send("quit " + strconv.Itoa(pid))
	}
	w.send("group " + strconv.Itoa(pid))
}

// forget removes a group from the watchdog's list, because another process may get its number.
func (w *watchdog) forget(pid int) { w.send("gone " + strconv.Itoa(pid)) }

// close lets the watchdog do its work, and waits for it: a run ends in the same way as after its driver's death.
func (w *watchdog) close() {
	w.once.Do(func() {
		_ = w.lines.Close()
		_ = w.command.Wait()
	})
}

// watch is the work of the watchdog process.
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
	}
	if directory != "" {
		killMarked(markOf(directory))
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
