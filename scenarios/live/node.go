package live

import (
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/live/wall"
	"github.com/lockstorm/lockstorm/scenarios/platform"
	"github.com/lockstorm/lockstorm/sim"
	"github.com/lockstorm/lockstorm/sim/redis"
)

// redisServers are servers of Redis that stand alone.
var redisServers = serverKind{
	locks: []scenarios.Kind{scenarios.Redlock, scenarios.Single, scenarios.Fenced},
	name:  "Redis 7", lack: "no lock on Redis runs live", find: findRedis,
	make:    func(r *run, program string) servers { return &nodes{ofRun: ofRun{run: r}, program: program} },
	refusal: refusal,
}

// Nodes are those servers in a run, by host.
type nodes struct {
	ofRun
	program string
	more    []string // arguments
	group   *group   // nil where they stand alone
	all     []*node
}

// begin starts the servers, all at once.
func (n *nodes) begin() error {
	r := n.run
	failures := make([]error, r.scenario.Nodes)
	library := ""
	if len(deceptions(r.scenario)) > 0 || tuned(r.scenario) {
		var err error
		if library, err = wall.Build(r.directory); err != nil {
			return err
		}
	}
	var all sync.WaitGroup
	for i := range r.scenario.Nodes {
		name := "n" + strconv.Itoa(i+1)
		v := &server{program: n.program, name: name, directory: filepath.Join(r.directory, name), keeps: r.scenario.Persistence, more: n.more}
		n.all = append(n.all, newNode(n, i, v))
		if library != "" {
			if v.wall, failures[i] = wall.New(library, r.directory, name+".clock"); failures[i] != nil {
				continue
			}
		}
		all.Go(func() { failures[i] = v.launch(r.starter, r.watchdog) })
	}
	all.Wait()
	return errors.Join(failures...)
}

// Services returns the nodes.
func (n *nodes) Services(*platform.Topology) (all, others []sim.Service) {
	for _, one := range n.all {
		all = append(all, one)
	}
	return all, nil
}

// Attach begins the world's time.
func (n *nodes) Attach(site *platform.Site) {
	n.ofRun.Attach(site)
	wall := wallClock()
	for i, one := range n.all {
		one.host = n.run.host(i)
		one.record = record{host: one.host, lane: i, wall: wall}
		go one.work()
	}
}

func (n *nodes) apply(e sim.Event) {
	if int(e.Host) < len(n.all) {
		n.all[e.Host].apply(e)
	}
}

func (n *nodes) tune() {
	for _, one := range n.all {
		one.retune()
	}
}

func (n *nodes) keys(to []checker.Span, wide bool) []checker.Span {
	for _, one := range n.all[:len(n.run.Site.Servers)] {
		to = one.record.spans(to, wide)
	}
	return to
}

// Close ends what the driver does with the servers.
func (n *nodes) Close() {
	for _, one := range n.all {
		one.close()
		one.server.close()
	}
}

// A node is a server's place in the world: a service that passes each command on to a redis-server, one at a time, and sees
// what the lock's key is after it.
type node struct {
	run    *run
	group  *group // of a master and replicas; nil where it stands alone
	id     int    // of its host
	server *server
	host   *sim.Host
	record record
	pauses int
	stalls atomic.Int64 // of its disk
	rate   clock.Rate   // of its wall clock, as its process was told

	epoch  atomic.Int64 // counts the server's ends: what an earlier one answers counts no more
	strike int          // who turned it off: see sim.World.Blame

	worker   worker
	backends map[*redis.Wire]*backend // the worker's alone
	leader   int                      // the host of its master, where it is a replica; else -1. The worker's too
}

// A job is one command for the server.
type job struct {
	epoch int64
	wire  *redis.Wire // nil for a command of the harness's
	ask   sim.Ask
	args  []string
}

func newNode(of *nodes, id int, s *server) *node {
	n := &node{run: of.run, group: of.group, id: id, server: s, leader: -1, backends: map[*redis.Wire]*backend{}}
	n.worker.more.L = &n.worker.mu
	return n
}

// Serve passes a command on.
func (n *node) Serve(request any) any {
	j := job{epoch: n.epoch.Load(), ask: n.host.Asking()}
	switch q := request.(type) {
	case *redis.Request:
		j.wire, j.args = q.Wire, q.Args
	case []string:
		if q[0] == "REPLICAOF" {
			n.ordered(q)
			return nil
		}
		j.args = q
	case redis.Ping:
		n.pong(q.From)
		return nil
	case piece:
		q.pipe.take(q)
		return nil
	default:
		panic(fmt.Sprintf("live: %T is no command for Redis", request))
	}
	n.worker.put(func() {
		if j.epoch == n.epoch.Load() {
			n.carryOut(j)
		}
	})
	return sim.Later
}

// Stop ends the server: at once, or in good order.
func (n *node) Stop(power bool) {
	n.epoch.Add(1)
	n.strike = n.host.World().Blamed()
	if power {
		n.server.kill()
		n.run.check(n.server.losePower())
		return
	}
	n.server.goOn() // a process that stands still does not hear
	n.worker.put(n.server.terminate)
}

// Start starts the server anew. What arrives meanwhile waits.
func (n *node) Start() {
	epoch := n.epoch.Load()
	if n.group != nil {
		n.host.After(beat, n.beat)
	}
	n.worker.put(func() { n.restart(epoch) })
}

// Settle does nothing: what the clock of a real server does to its keys is seen when they are looked at.
func (n *node) Settle() {}

func (n *node) close() { n.worker.close() }

// work carries out jobs until the node is closed. It runs in a goroutine of its own.
func (n *node) work() {
	n.worker.work()
	n.hangUp()
}

// restart starts the server again, unless it was turned off meanwhile.
func (n *node) restart(epoch int64) {
	n.hangUp()
	err := n.server.launch(n.run.starter, n.run.watchdog)
	if epoch != n.epoch.Load() {
		n.server.kill()
		return
	}
	if err == nil && n.leader >= 0 {
		err = n.follow(n.leader)
	}
	if err != nil {
		n.run.fail(err)
		return
	}
	sent := n.run.now()
	replies, err := n.pass(nil, looks, look(n.run.key))
	if err != nil {
		n.lost(job{epoch: epoch, args: []string{"GET"}}, err)
		return
	}
	s := seen(replies)
	s.sent, s.got, s.by = sent, n.run.now(), -1
	n.during(epoch, func() {
		n.record.lost(s, n.strike)
		n.record.look(s, n.run.clientAt)
		if n.pauses > 0 { // it was paused while it was off
			n.run.check(n.server.stop())
		}
	})
}

// carryOut passes one command on, and what asks for the key behind it.
func (n *node) carryOut(j job) {
	if n.group != nil && strings.EqualFold(j.args[0], "WAIT") {
		n.waits(j)
		return
	}
	commands, watched := encode(j.args...), 0
	if n.looksAfter(j) {
		commands, watched = append(commands, look(n.run.key)...), looks
	}
	sent := n.run.now()
	replies, err := n.pass(j.wire, 1+watched, commands)
	if err != nil {
		n.lost(j, err)
		return
	}
	got, copied := n.run.now(), n.leader >= 0
	n.during(j.epoch, func() {
		if watched > 0 && legible(replies[1:]) {
			s := seen(replies[1:])
			s.sent, s.got, s.by, s.copied = sent, got, j.ask.From(), copied
			n.record.look(s, n.run.clientAt)
		}
		n.sends(func() {
			if j.wire == nil {
				n.host.Answer(j.ask, replies[0].value)
				return
			}
			n.host.Answer(j.ask, &redis.Reply{Value: replies[0].value, Bytes: replies[0].raw})
		})
	})
}

// sends sends what the server has sent. The world keeps what a host sends while its disk stalls until its service is done with
// something: here that is at once, for the server itself has waited for its disk, if it had to.
func (n *node) sends(do func()) {
	if n.stalls.Load() > 0 {
		n.host.After(0, do)
		return
	}
	do()
}

// looksAfter reports whether the key can be asked for behind a command: not within a transaction of the client's.
func (n *node) looksAfter(j job) bool {
	b, err := n.backend(j.wire)
	if err != nil {
		return false
	}
	switch strings.ToUpper(j.args[0]) {
	case "MULTI":
		b.queues = true
	case "EXEC", "DISCARD":
		b.queues = false
	}
	return !b.queues
}

// pass sends commands by the wire's own connection to the server.
func (n *node) pass(w *redis.Wire, replies int, commands []byte) ([]answer, error) {
	b, err := n.backend(w)
	if err != nil {
		return nil, err
	}
	return b.ask(replies, commands)
}

// backend returns the wire's connection to the server.
func (n *node) backend(w *redis.Wire) (*backend, error) {
	if b := n.backends[w]; b != nil {
		return b, nil
	}
	b, err := n.server.dial()
	if err == nil {
		n.backends[w] = b
	}
	return b, err
}

// during does something in the world, unless the server has ended since an epoch.
func (n *node) during(epoch int64, do func()) {
	n.run.act(func() {
		if epoch == n.epoch.Load() {
			do()
		}
	})
}

// lost is called when the server has not answered. It is a failure of the run, unless the server was turned off meanwhile.
func (n *node) lost(j job, err error) {
	n.during(j.epoch, func() {
		n.run.fail(fmt.Errorf("%s does not answer %s: %w\n%s", n.server.name, strings.Join(j.args, " "), err, n.server.log()))
	})
}

// forget ends the connection of a wire that its client has closed.
func (n *node) forget(w *redis.Wire) { n.worker.put(func() { n.drop(w) }) }

func (n *node) drop(w *redis.Wire) {
	if b := n.backends[w]; b != nil {
		b.close()
		delete(n.backends, w)
	}
}

func (n *node) hangUp() {
	for w := range n.backends {
		n.drop(w)
	}
}

// tune lets the server's wall clock show what its host's does from now on.
func (n *node) tune() {
	now, c := n.run.now(), n.host.Clock()
	n.rate = c.Rate(now)
	by := c.Wall(now).Sub(scenarios.Epoch) - time.Duration(now)
	n.run.check(n.server.wall.Tune(by, int64(n.rate), n.run.began+int64(now)))
}

// retune tunes it where a correction has ended by itself.
func (n *node) retune() {
	if n.server.wall != nil && n.host.Clock().Rate(n.run.now()) != n.rate {
		n.tune()
	}
}

// apply does to the server what has happened to its host. Stop and Start are told by the world.
func (n *node) apply(e sim.Event) {
	switch e.Kind {
	case sim.Paused:
		if n.pauses++; n.pauses == 1 && n.host.Up() {
			n.run.check(n.server.stop())
		}
	case sim.Resumed:
		if n.pauses--; n.pauses == 0 && n.host.Up() {
			n.server.goOn()
		}
	case sim.Stepped, sim.Drifted, sim.Slewed:
		n.tune()
	case sim.Stalled:
		if n.stalls.Add(1) == 1 {
			n.run.check(n.server.wall.StallDisk())
		}
	case sim.Unstalled:
		if n.stalls.Add(-1) == 0 {
			n.run.check(n.server.wall.FreeDisk())
		}
	}
}
