package live

import (
	"fmt"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/lockstorm/lockstorm/scenarios/live/wall"
)

// A process is one that a run has started, with the last of what it wrote to its standard error.
type process struct {
	name    string
	command *exec.Cmd
	ended   chan struct{}
	failure error // of Wait, once ended is closed
	words   *tail
}

// A starter starts processes, all from one thread: the kernel ends them with the thread that started them.
type starter struct {
	tasks   chan func()
	running sync.WaitGroup // the processes that have not ended
}

func newStarter() *starter {
	s := &starter{tasks: make(chan func())}
	go func() {
		runtime.LockOSThread()
		for do := range s.tasks {
			do()
		}
	}()
	return s
}

// start starts a command, and registers it with the watchdog.
func (s *starter) start(name string, c *exec.Cmd, w *watchdog) (*process, error) {
	p := &process{name: name, command: c, ended: make(chan struct{}), words: &tail{}}
	if c.Stderr == nil {
		c.Stderr = p.words
	}
	gently := quits(c)
	alone(c)
	result := make(chan error)
	s.tasks <- func() { result <- c.Start() }
	if err := <-result; err != nil {
		return nil, fmt.Errorf("%s can't be started: %w", name, err)
	}
	w.watch(c.Process.Pid, gently)
	s.running.Go(func() {
		p.failure = c.Wait()
		killGroup(c.Process.Pid) // what it has started itself
		wall.Forget(c.Process.Pid)
		w.forget(c.Process.Pid)
		close(p.ended)
	})
	return p, nil
}

// close ends the thread.
func (s *starter) close() { close(s.tasks) }

func (p *process) pid() int { return p.command.Process.Pid }

// alive reports whether the process has not ended.
func (p *process) alive() bool {
	select {
	case <-p.ended:
		return false
	default:
		return true
	}
}

// silent says that a server does not answer, or that it has ended, and shows its log.
func (p *process) silent(log string) error {
	if p.alive() {
		return fmt.Errorf("%s (%s) does not answer within %s\n%s", p.name, p.command.Path, startWithin, log)
	}
	return fmt.Errorf("%s (%s) ended at its start: %w\n%s", p.name, p.command.Path, p.failure, log)
}

func (p *process) stop() error {
	if !p.alive() {
		return nil
	}
	return stopGroup(p.pid())
}

func (p *process) goOn() {
	if p.alive() {
		continueGroup(p.pid())
	}
}

// kill ends the process and its group, and waits until it is gone.
func (p *process) kill() {
	killGroup(p.pid())
	<-p.ended
}

// terminate asks the process to end in good order, and kills it if it takes too long.
func (p *process) terminate() {
	terminateGroup(p.pid())
	select {
	case <-p.ended:
	case <-time.After(5 * time.Second):
		p.kill()
	}
}

// A tail keeps the last of what is written.
type tail struct {
	mu   sync.Mutex
	text []byte
}

const tailBytes = 4096

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

func lastLines(text string) string {
	all := strings.Split(strings.TrimRight(text, "\n"), "\n")
	return strings.Join(all[max(0, len(all)-linesMost):], "\n")
}
