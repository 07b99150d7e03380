package live

import (
	"cmp"
	"fmt"
	"net"
	"path/filepath"
	"slices"
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

// RedisNodes are independent servers of Redis, by host.
type redisNodes struct {
	Base
	program string
	more    func(node int) []string // arguments; nil for none
	all     []*redisNode
}

func newNodes(d *Driver, program string) Servers {
	return &redisNodes{Base: Base{Driver: d}, program: program}
}

// Begin starts all servers in parallel.
func (n *redisNodes) Begin() error {
	failures := make([]error, n.Scenario.Nodes)
	library := ""
	if len(deceptions(n.Scenario)) > 0 || tuned(n.Scenario) {
		var err error
		if library, err = wall.Build(n.Directory); err != nil {
			return err
		}
	}
	var all sync.WaitGroup
	for i := range n.Scenario.Nodes {
		name := "n" + strconv.Itoa(i+1)
		v := &redisServer{driver: n.Driver, program: n.program, name: name, directory: filepath.Join(n.Directory, name)}
		if v.keeps = n.Scenario.Persistence; n.more != nil {
			v.more = n.more(i)
		}
		n.all = append(n.all, newNode(i, v))
		if library != "" {
			if v.wall, failures[i] = wall.New(library, n.Directory, name+".clock"); failures[i] != nil {
				continue
			}
		}
		all.Go(func() { failures[i] = v.launch() })
	}
	all.Wait()
	return firstUnproven(failures)
}

// Services returns the nodes.
func (n *redisNodes) Services(*platform.Topology) (all, others []sim.Service) {
	for _, one := range n.all {
		all = append(all, one)
	}
	return all, nil
}

// Attach begins the world's time.
func (n *redisNodes) Attach(site *platform.Site) {
	n.Base.Attach(site)
	wall := wallClock()
	for i, one := range n.all {
		one.host = n.Host(i)
		one.record = record{host: one.host, lane: i, wall: wall}
		go one.work()
	}
}

// Accept returns a connection that is a stream of the world.
func (n *redisNodes) Accept(p *Proxy, c *net.TCPConn) Connection {
	k := &redisConn{proxy: p, tcp: c, ended: func() {}}
	if p.Node < len(n.all) { // else it is the observer
		k.ended = func() { n.all[p.Node].forget(&k.wire) }
	}
	return k
}

// Apply applies to a server what has happened to its host.
func (n *redisNodes) Apply(e sim.Event) {
	if int(e.Host) < len(n.all) {
		n.all[e.Host].apply(e)
	}
}

// Tune corrects the servers' wall clocks.
func (n *redisNodes) Tune() {
	for _, one := range n.all {
		one.retune()
	}
}

// AppendLives appends the lives of the key on each server that the lock asks.
func (n *redisNodes) AppendLives(all []checker.Span, wide bool) []checker.Span {
	for _, one := range n.all[:len(n.Site.Servers)] {
		all = one.record.spans(all, wide)
	}
	return all
}

// Close ends the driver's work with the servers.
func (n *redisNodes) Close() {
	for _, one := range n.all {
		one.worker.Close()
		one.server.close()
	}
}

// A redisNode is a server's place in the world: a service that passes each command on to a redis-server, one at a
// time, and then looks at the lock's key.
type redisNode struct {
	*Driver
	id     int // of its host
	server *redisServer
	host   *sim.Host
	record record
	pauses int
	stalls atomic.Int64 // of its disk
	rate   clock.Rate   // of its wall clock, as set in its process

	epoch  atomic.Int64 // counts the server's ends: answers of earlier ones are ignored
	strike int          // who turned it off: see sim.World.Blame

	worker *Worker

	// The worker's alone.
	connections
	copies   bool         // the server is a replica
	restored func() error // is called when the server has been started again; nil for nothing
}

// A job is one command for the server.
type job struct {
	epoch int64
	wire  *redis.Wire // nil for a command of the harness's
	ask   sim.Ask
	args  []string
}

func newNode(id int, s *redisServer) *redisNode {
	all := connections{s, map[*redis.Wire]*connection{}}
	return &redisNode{Driver: s.driver, id: id, server: s, worker: NewWorker(), connections: all}
}

// Serve passes a command on.
func (n *redisNode) Serve(request any) any {
	switch q := request.(type) {
	case *redis.Request:
		return n.put(q.Wire, q.Args, n.carryOut)
	case []string:
		return n.put(nil, q, n.carryOut)
	}
	panic(fmt.Sprintf("live: %T is no command for Redis", request))
}

// put queues an action of the worker on a command in service. If the server ends before that, nothing happens.
func (n *redisNode) put(w *redis.Wire, args []string, do func(j job)) any {
	j := job{epoch: n.epoch.Load(), ask: n.host.Asking(), wire: w, args: args}
	n.worker.Put(func() {
		if j.epoch == n.epoch.Load() {
			do(j)
		}
	})
	return sim.Later
}

// Stop ends the server, either immediately or in good order.
func (n *redisNode) Stop(power bool) {
	n.epoch.Add(1)
	n.strike = n.host.World().Blamed()
	if power {
		n.server.process().Kill()
		n.Must(n.server.losePower())
		return
	}
	n.server.process().Continue() // a stopped process gets no signals
	n.worker.Put(func() { n.server.process().Terminate() })
}

// Start restarts the server. Messages that arrive meanwhile wait.
func (n *redisNode) Start() {
	epoch := n.epoch.Load()
	n.worker.Put(func() { n.restart(epoch) })
}

// Settle does nothing: reading the keys of a real server shows the effect of its clock on them.
func (n *redisNode) Settle() {}

// work carries out jobs until the node is closed.
func (n *redisNode) work() {
	n.worker.Work()
	n.hangUp()
}

// restart starts the server again, unless it was turned off meanwhile.
func (n *redisNode) restart(epoch int64) {
	n.hangUp()
	err := n.server.launch()
	if epoch != n.epoch.Load() {
		n.server.process().Kill()
		return
	}
	if err == nil && n.restored != nil {
		err = n.restored()
	}
	if err != nil {
		n.Fail(err)
		return
	}
	s, _, err := n.observe()
	if err != nil {
		n.lost(job{epoch: epoch, args: []string{"GET"}}, err)
		return
	}
	s.copied = false
	n.during(epoch, func() {
		n.record.lost(s, n.strike)
		n.record.note(s, n.ClientOn)
		if n.pauses > 0 { // it was paused while it was off
			n.Must(n.server.process().Stop())
		}
	})
}

// observe asks the server for the lock's key. The reply is not legible if the server, a replica, is loading its data.
func (n *redisNode) observe() (s observation, legibly bool, err error) {
	sent := n.Now()
	replies, err := n.pass(nil, keyReplies, keyCommands(n.Key))
	if err != nil {
		return s, false, err
	}
	s = observed(replies)
	s.sent, s.got, s.asker, s.copied = sent, n.Now(), -1, n.copies
	return s, legible(replies), nil
}

// carryOut passes one command on, followed by the commands that read the lock's key.
func (n *redisNode) carryOut(j job) {
	commands, watched := encode(j.args...), 0
	if n.mayAskAfter(j) {
		commands, watched = append(commands, keyCommands(n.Key)...), keyReplies
	}
	sent := n.Now()
	replies, err := n.pass(j.wire, 1+watched, commands)
	if err != nil {
		n.lost(j, err)
		return
	}
	got, copied := n.Now(), n.copies
	n.during(j.epoch, func() {
		if watched > 0 && legible(replies[1:]) {
			s := observed(replies[1:])
			s.sent, s.got, s.asker, s.copied = sent, got, j.ask.From(), copied
			n.record.note(s, n.ClientOn)
		}
		n.answer(j, replies[0])
	})
}

// answer sends the server's answer to the sender of the command.
func (n *redisNode) answer(j job, a redisReply) {
	n.sends(func() {
		if j.wire == nil {
			n.host.Answer(j.ask, a.value)
			return
		}
		n.host.Answer(j.ask, &redis.Reply{Value: a.value, Bytes: a.raw})
	})
}

// sends sends a message of the server. While a host's disk stalls, the world keeps its messages until its service is
// done. Here that is immediate, because the real server has already waited for its disk.
func (n *redisNode) sends(do func()) {
	if n.stalls.Load() > 0 {
		n.host.After(0, do)
		return
	}
	do()
}

// mayAskAfter reports whether the key can be read after a command. It can't within a transaction of the client.
func (n *redisNode) mayAskAfter(j job) bool {
	b, err := n.connection(j.wire)
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

// during performs an action in the world, unless the server has ended since an epoch.
func (n *redisNode) during(epoch int64, do func()) {
	n.Do(func() {
		if epoch == n.epoch.Load() {
			do()
		}
	})
}

// lost is called when the server has not answered. The run then fails, unless the server was turned off meanwhile.
func (n *redisNode) lost(j job, err error) {
	n.during(j.epoch, func() {
		n.Fail(fmt.Errorf("%s does not answer %s: %w\n%s", n.server.name, strings.Join(j.args, " "), err, n.server.log()))
	})
}

// forget drops the connection of a wire that its client has closed.
func (n *redisNode) forget(w *redis.Wire) { n.worker.Put(func() { n.drop(w) }) }

// tune makes the server's wall clock show the time of its host's from now on.
func (n *redisNode) tune() {
	now, c := n.Now(), n.host.Clock()
	n.rate = c.Rate(now)
	step := c.Wall(now).Sub(scenarios.Epoch) - time.Duration(now)
	n.Must(n.server.wall.Tune(step, int64(n.rate), n.began+int64(now)))
	n.worker.Put(n.checkTime)
}

// checkTime fails the run if the server does not show the time that its clock was set to.
func (n *redisNode) checkTime() {
	ask := func(replies int, commands []byte) ([]redisReply, error) { return n.pass(nil, replies, commands) }
	n.Must(n.server.follows(ask))
}

// retune tunes the clock after a correction has ended by itself.
func (n *redisNode) retune() {
	if n.server.wall != nil && n.host.Clock().Rate(n.Now()) != n.rate {
		n.tune()
	}
}

// apply applies to the server what has happened to its host. The world calls Stop and Start.
func (n *redisNode) apply(e sim.Event) {
	switch e.Kind {
	case sim.Paused:
		if n.pauses++; n.pauses == 1 && n.host.Up() {
			n.Must(n.server.process().Stop())
		}
	case sim.Resumed:
		if n.pauses--; n.pauses == 0 && n.host.Up() {
			n.server.process().Continue()
		}
	case sim.Stepped, sim.Drifted, sim.Slewed:
		n.tune()
	case sim.Refusing:
		n.set(n.noted, refusals[e.Body.(string)].begin)
	case sim.Accepting:
		if why := e.Body.(string); !slices.Contains(n.host.Refusals(), why) {
			n.set(n.noted, refusals[why].end)
		}
	case sim.Stalled:
		if n.stalls.Add(1) == 1 {
			n.Must(n.server.wall.StallDisk())
		}
	case sim.Unstalled:
		if n.stalls.Add(-1) == 0 {
			n.Must(n.server.wall.FreeDisk())
		}
	}
}

// refusals are the commands that make a server answer with an error, and that end it.
var refusals = map[string]struct{ begin, end []string }{
	"OOM":      {[]string{"CONFIG", "SET", "maxmemory", "1"}, []string{"CONFIG", "SET", "maxmemory", "0"}},
	"READONLY": {[]string{"REPLICAOF", "127.0.0.1", "1"}, []string{"REPLICAOF", "NO", "ONE"}},
}

// Evict makes the server evict its keys with a TTL. It does so before the next command that needs memory.
func (n *redisNode) Evict() {
	strike := n.host.World().Blamed()
	evicted := func(s observation) {
		n.record.gone(s, checker.Ending{Cause: checker.Evicted, Client: -1, Strike: strike})
	}
	policy := func(name string) []string { return []string{"CONFIG", "SET", "maxmemory-policy", name} }
	n.set(evicted, policy("volatile-random"), refusals["OOM"].begin, []string{"APPEND", "lockstorm", ""},
		refusals["OOM"].end, policy("noeviction"))
}

func (n *redisNode) noted(s observation) { n.record.note(s, n.ClientOn) }

// set sends commands of the harness's, and passes on what became of the lock's key.
func (n *redisNode) set(then func(observation), commands ...[]string) {
	j := job{epoch: n.epoch.Load(), args: commands[0]}
	n.worker.Put(func() {
		var all []byte
		for _, c := range commands {
			all = append(all, encode(c...)...)
		}
		_, err := n.pass(nil, len(commands), all)
		s, _, observes := n.observe()
		if err = cmp.Or(err, observes); err != nil {
			n.lost(j, err)
			return
		}
		n.during(j.epoch, func() { then(s) })
	})
}
