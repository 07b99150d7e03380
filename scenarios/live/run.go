package live

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/locks"
	"github.com/lockstorm/lockstorm/scenarios/platform"
	"github.com/lockstorm/lockstorm/sim"
)

// A run is one live run: the world's Outside.
type run struct {
	Site      *platform.Site
	scenario  *scenarios.Scenario
	key       string
	starter   *starter
	watchdog  *watchdog
	directory string
	servers   servers
	service   service        // the servers, if clients ask for the lock as one; else nil
	network   network        // of tunnels to the service
	adapted   bool           // the clients are adapters
	agents    map[int]*agent // by host: clients and the probe
	world     *sim.World     // nil until the run begins
	began     int64          // CLOCK_MONOTONIC at the world's time 0
	applied   int            // events of the trace that were applied to processes
	resuming  []resumption
	worst     time.Duration // the latest that the driver was
	unready   int           // agents that are not ready
	silent    []string      // of clients that have not answered
	early     []func()      // what waits for the run to begin

	mu      sync.Mutex
	actions []func()
	failure error
	wake    chan struct{}
}

// A resumption is a process that is to go on once all has been delivered that waited for it.
type resumption struct {
	at clock.Instant
	do func()
}

// begin starts all processes, and waits until they are ready. Whatever it returns, the run must be closed.
func begin(ctx context.Context, s *scenarios.Scenario, o *Options) (r *run, err error) {
	r = &run{
		scenario: s, key: scenarios.LockKey, agents: map[int]*agent{}, wake: make(chan struct{}, 1), starter: newStarter(),
		network: network{map[[2]int]int{}, map[[2]int]time.Duration{}}, adapted: len(o.Adapter) > 0,
	}
	context.AfterFunc(ctx, func() { r.fail(context.Cause(ctx)) })
	r.directory = filepath.Join(os.TempDir(), directoryPrefix+strconv.Itoa(os.Getpid())+"-"+strconv.FormatInt(Monotonic(), 36))
	if r.watchdog, err = startWatchdog(o.Self, r.directory); err != nil {
		return r, err
	}
	if err := os.Mkdir(r.directory, 0o700); err != nil {
		return r, err
	}
	kind, _ := serversOf(s.Lock.Kind)
	r.servers = kind.make(r, o.program)
	r.service, _ = r.servers.(service)
	if err := r.servers.begin(); err != nil {
		return r, err
	}
	if r.service != nil && !r.adapted {
		return r, nil
	}
	if err := r.beginAgents(o); err != nil {
		return r, err
	}
	return r, r.awaitReady()
}

// beginAgents starts the clients, and the probe, with a proxy to each server that their lock asks.
func (r *run) beginAgents(o *Options) error {
	hosts := append(r.scenario.Hosts(), scenarios.ProbeHost)
	for host, name := range hosts {
		if host <= r.scenario.Nodes || name == observerHost { // servers and storage
			continue
		}
		a := &agent{run: r, name: name, host: host, command: o.client(r.scenario), adapter: r.adapted, gated: gated(r.scenario)}
		for _, node := range r.servers.asked() {
			p, err := newProxy(r, host, node)
			if err != nil {
				return err
			}
			a.proxies = append(a.proxies, p)
		}
		if observer := slices.Index(hosts, observerHost); observer >= 0 {
			var err error
			if a.sentinel, err = newProxy(r, host, observer); err != nil {
				return err
			}
		}
		r.agents[host] = a
		r.unready++
		if err := a.launch(); err != nil {
			return err
		}
	}
	return nil
}

// notReady names the clients that have not said that they are ready, with their last words.
func (r *run) notReady() error {
	var all []error
	for _, host := range slices.Sorted(maps.Keys(r.agents)) {
		if a := r.agents[host]; !a.ready {
			all = append(all, fmt.Errorf("client %s does not say %q within %s\n%s", a.name, "0 ready", startWithin, a.process.words))
		}
	}
	return errors.Join(all...)
}

// awaitReady waits until all clients have said that they are ready.
func (r *run) awaitReady() error {
	deadline := time.After(startWithin)
	for r.unready > 0 && r.failed() == nil {
		select {
		case <-r.wake:
			r.Act()
		case <-deadline:
			return r.notReady()
		}
	}
	return r.failed()
}

func (r *run) becameReady() { r.unready-- }

// named notes the key under which a client keeps the lock, where that is not the name that it was told. It is one for all.
func (r *run) named(client, key string) {
	switch {
	case key == "" || key == r.key:
	case r.key == scenarios.LockKey && r.world == nil:
		r.key = key
	default:
		r.fail(fmt.Errorf("client %s keeps the lock under the key %q, and another under %q", client, key, r.key))
	}
}

// close ends all that the run has started.
func (r *run) close() {
	r.fail(errOver)
	for _, a := range r.agents {
		a.epoch++
		for _, p := range a.proxies {
			p.close()
		}
		if a.sentinel != nil {
			a.sentinel.close()
		}
	}
	if r.servers != nil {
		r.servers.Close()
	}
	if r.watchdog != nil {
		r.watchdog.close()
	}
	r.starter.close()
	r.starter.running.Wait()
}

// directoryPrefix begins the names of the directories of runs.
const directoryPrefix = "lockstorm-"

// errOver is why nothing more happens in a run that has ended.
var errOver = errors.New("the run is over")

// drive makes the run.
func (r *run) drive(seed uint64) *scenarios.Result {
	hosted := *r.scenario
	if r.service == nil || r.adapted {
		hosted.Lock.New = func(c locks.Config) locks.Lock { return &remote{run: r, config: c} }
	}
	runner := scenarios.NewRunner()
	defer runner.Close()
	runner.Outside, runner.Real = r, r.servers
	res := runner.Run(&hosted, seed)
	res.Scenario = r.scenario
	return res
}

// now returns the world's time.
func (r *run) now() clock.Instant { return clock.Instant(Monotonic() - r.began) }

// host returns a host of the world.
func (r *run) host(id int) *sim.Host { return r.world.Hosts()[id] }

// clientAt returns the client on a host, or -1.
func (r *run) clientAt(host int) int { return r.Site.ClientAt(host) }

// act notes something to be done in the world.
func (r *run) act(do func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.failure != nil {
		return
	}
	r.actions = append(r.actions, do)
	r.rouse()
}

func (r *run) rouse() {
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// fail ends the run, unless it has failed already.
func (r *run) fail(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.failure == nil {
		r.failure = err
		r.rouse()
	}
}

// check fails the run if there is an error.
func (r *run) check(err error) {
	if err != nil {
		r.fail(err)
	}
}

func (r *run) failed() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.failure
}

func (r *run) acted() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.actions) > 0
}

// late notes by how much something was late.
func (r *run) late(by time.Duration) { r.worst = max(r.worst, by) }

// Act does what is to be done in the world.
func (r *run) Act() {
	r.mu.Lock()
	actions := r.actions
	r.actions = nil
	r.mu.Unlock()
	for _, do := range actions {
		do()
	}
}

// Wait lets time pass until next, or until something is to be done. A run that has failed is told that it is late, beyond
// any horizon, which ends it.
func (r *run) Wait(next clock.Instant) (clock.Instant, bool) {
	r.apply(next)
	for {
		now := r.now()
		switch {
		case r.failed() != nil:
			return clock.Forever - 1, true
		case now >= next:
			r.late(now.Sub(next))
			return now, false
		case r.acted():
			return now, true
		}
		r.rest(next.Sub(now))
	}
}

// Timers of Go may be a millisecond late, and nothing is heard during a nap.
const (
	timerSlack = 2 * time.Millisecond
	napMost    = 50 * time.Microsecond
)

// rest waits, for so long at most.
func (r *run) rest(d time.Duration) {
	if d < timerSlack {
		nap(min(d, napMost))
		return
	}
	t := time.NewTimer(d - timerSlack/2)
	defer t.Stop()
	select {
	case <-r.wake:
	case <-t.C:
	}
}

// apply applies to processes what has happened to hosts. A process goes on when all has been delivered that
// had waited for it: that is in its kernel's buffers when it looks.
func (r *run) apply(next clock.Instant) {
	if r.world == nil {
		return
	}
	for _, e := range r.world.Trace()[r.applied:] {
		r.applied++
		if a := r.agents[int(e.Host)]; a != nil {
			a.apply(e)
		} else {
			r.servers.apply(e)
		}
		if r.network.apply(e) {
			r.mend(int(e.Host), int(e.Peer))
		}
	}
	r.servers.tune()
	r.resuming = slices.DeleteFunc(r.resuming, func(s resumption) bool {
		if next > s.at {
			s.do()
		}
		return next > s.at
	})
}

// apply does to the client what has happened to its host.
func (a *agent) apply(e sim.Event) {
	switch e.Kind {
	case sim.Paused:
		if a.pauses++; a.pauses == 1 {
			a.touched = Monotonic()
			a.run.check(a.process.stop())
		}
	case sim.Resumed:
		if a.pauses--; a.pauses == 0 {
			a.run.resuming = append(a.run.resuming, resumption{e.At, func() {
				a.touched = Monotonic()
				a.process.goOn()
			}})
		}
	case sim.Crashed:
		a.epoch++
		a.process.kill()
	case sim.Started:
		a.run.check(a.launch())
		if a.pauses > 0 {
			a.run.check(a.process.stop())
		}
	case sim.Stepped:
		a.shift += e.Body.(time.Duration)
		a.sendClock()
	}
}

// attach begins the world's time.
func (r *run) attach(site *platform.Site) {
	r.Site, r.world = site, site.World
	r.began = Monotonic()
	for _, do := range r.early {
		r.act(do)
	}
}
