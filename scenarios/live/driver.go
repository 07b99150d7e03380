package live

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/platform"
	"github.com/lockstorm/lockstorm/sim"
)

// A Driver performs one live run. It starts processes, lets the world's time pass as the machine's does, and performs
// in the world what others ask for. It knows nothing of clients and servers. They know it, and call it from any
// goroutine, except where a method belongs to the world.
type Driver struct {
	Scenario  *scenarios.Scenario
	Directory string // of the run; the watchdog removes it
	Key       string // under which clients keep the lock
	Adapted   bool   // the clients are adapters

	Site  *platform.Site // nil until the run begins, as is World
	World *sim.World

	starter  *starter
	began    int64    // CLOCK_MONOTONIC at the world's time 0
	early    []func() // what waits for the run to begin
	resuming []resumption
	worst    time.Duration // the latest that the driver was
	// conclude appends the lives of the lock's key. It is called when the clients have ended, or just before.
	conclude func(keys []checker.Span) []checker.Span

	mu      sync.Mutex
	actions []func()
	failure error
	wake    chan struct{}
}

// A resumption is a process that continues once everything that waited for it has been delivered.
type resumption struct {
	t  clock.Instant
	do func()
}

// directoryPrefix begins the names of the directories of runs.
const directoryPrefix = "lockstorm-"

// drivers counts the drivers of this process, which may run in parallel.
var drivers atomic.Int64

// newDriver returns a driver with a directory and a watchdog. It must be closed.
func newDriver(s *scenarios.Scenario, self []string) (*Driver, error) {
	d := &Driver{Scenario: s, Key: scenarios.LockKey, wake: make(chan struct{}, 1)}
	unique := fmt.Sprintf("%s%d-%s-%d", directoryPrefix, os.Getpid(), strconv.FormatInt(Monotonic(), 36), drivers.Add(1))
	d.Directory = filepath.Join(os.TempDir(), unique)
	w, err := startWatchdog(self, d.Directory)
	if err != nil {
		return d, err
	}
	d.starter = newStarter(w, d.Directory)
	if err := os.Mkdir(d.Directory, 0o700); err != nil {
		return d, fmt.Errorf("a live run needs a directory: %w; name a place that can be written to with TMPDIR", err)
	}
	return d, nil
}

// until ends the run with the context.
func (d *Driver) until(ctx context.Context) {
	context.AfterFunc(ctx, func() { d.abort(context.Cause(ctx)) })
}

// abort ends the run, and all its processes, so that no one waits for one of them any more.
func (d *Driver) abort(err error) {
	d.Fail(err)
	if d.starter != nil {
		d.starter.watchdog.close()
	}
}

// close ends all processes, and removes the directory.
func (d *Driver) close() {
	if d.starter != nil {
		d.starter.close()
	}
}

// errOver says why nothing more happens in a run that has ended.
var errOver = errors.New("the run is over")

// Start starts a process, which ends with the run.
func (d *Driver) Start(name string, c *exec.Cmd) (*Process, error) { return d.starter.start(name, c) }

// attach begins the world's time.
func (d *Driver) attach(site *platform.Site) {
	d.Site, d.World = site, site.World
	d.began = Monotonic()
	for _, do := range d.early {
		d.Do(do)
	}
}

// Now returns the world's time.
func (d *Driver) Now() clock.Instant { return clock.Instant(Monotonic() - d.began) }

// Host returns a host of the world.
func (d *Driver) Host(id int) *sim.Host { return d.World.Hosts()[id] }

// ClientOn returns the client on a host, or -1.
func (d *Driver) ClientOn(host int) int { return d.Site.ClientAt(host) }

// Do queues an action to perform in the world.
func (d *Driver) Do(action func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.failure != nil {
		return
	}
	d.actions = append(d.actions, action)
	d.rouse()
}

// Early reports whether the world's time has not begun. If so, it calls do when it begins. Call it from the world.
func (d *Driver) Early(do func()) bool {
	if d.World == nil {
		d.early = append(d.early, do)
	}
	return d.World == nil
}

func (d *Driver) rouse() {
	select {
	case d.wake <- struct{}{}:
	default:
	}
}

// Fail ends the run, unless it has failed already.
func (d *Driver) Fail(err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.failure == nil {
		d.failure = err
		d.rouse()
	}
}

// Must fails the run if there is an error.
func (d *Driver) Must(err error) {
	if err != nil {
		d.Fail(err)
	}
}

// Failed returns why the run has failed, or nil.
func (d *Driver) Failed() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.failure
}

func (d *Driver) acted() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.actions) > 0
}

// Act performs the queued actions in the world.
func (d *Driver) Act() {
	d.mu.Lock()
	actions := d.actions
	d.actions = nil
	d.mu.Unlock()
	for _, do := range actions {
		do()
	}
}

// wait lets time pass until next, or until there is an action to perform. For a run that has failed, it returns a
// moment beyond any horizon, which ends the run.
func (d *Driver) wait(next clock.Instant) (now clock.Instant, acted bool) {
	for {
		now := d.Now()
		switch {
		case d.Failed() != nil:
			return clock.Forever - 1, true
		case now >= next:
			d.late(now.Sub(next))
			return now, false
		case d.acted():
			return now, true
		}
		d.rest(next.Sub(now))
	}
}

// Timers of Go may be a millisecond late, and a nap ends for no message.
const (
	timerSlack = 2 * time.Millisecond
	napMost    = 50 * time.Microsecond
)

// rest waits, but no longer than most.
func (d *Driver) rest(most time.Duration) {
	if most < timerSlack {
		nap(min(most, napMost))
		return
	}
	t := time.NewTimer(most - timerSlack/2)
	defer t.Stop()
	select {
	case <-d.wake:
	case <-t.C:
	}
}

// warm reports whether the clients have warmed up, so that the run has begun.
func (d *Driver) warm() bool {
	return d.Now() >= clock.Instant(d.Scenario.Work.Warm)*clock.Instant(d.Scenario.Clients)
}

// late notes by how much something was late.
func (d *Driver) late(much time.Duration) { d.worst = max(d.worst, much) }

// resume continues the processes for which everything before next has been delivered. It is in a process's kernel
// buffers when the process looks.
func (d *Driver) resume(next clock.Instant) {
	d.resuming = slices.DeleteFunc(d.resuming, func(s resumption) bool {
		if next > s.t {
			s.do()
		}
		return next > s.t
	})
}

// named notes the key under which clients keep the lock, if a client's differs from the name it got. All share one.
func (d *Driver) named(client, key string) {
	switch {
	case key == "" || key == d.Key:
	case d.Key == scenarios.LockKey && d.World == nil:
		d.Key = key
	default:
		d.Fail(fmt.Errorf("client %s keeps the lock under the key %q, and another under %q", client, key, d.Key))
	}
}
