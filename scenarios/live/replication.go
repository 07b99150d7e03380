package live

import (
	"errors"
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/platform"
	"github.com/lockstorm/lockstorm/sim"
	"github.com/lockstorm/lockstorm/sim/redis"
)

// This file is a master with replicas. The servers are real, and copy their data as Redis does, through a proxy of ours
// between each two of them. Who promotes one of them is the observer of the simulator, in real time: it pings the servers, and tells
// clients who is master.

// replicatedServers are a master with replicas.
var replicatedServers = serverKind{
	locks: []scenarios.Kind{scenarios.Failover}, find: findRedis, make: newGroup, refusal: refusal,
	adapters: "lock.kind: an adapter speaks to servers of Redis that stand alone, and a lock of the kind failover is elsewhere",
	scaled: func(s *scenarios.Scenario) []*time.Duration { // good_for is whole seconds
		r := &s.Replicas
		return []*time.Duration{&s.Lock.Failover.WaitTimeout, &r.Lag.Min, &r.Lag.Max, &r.DownAfter, &r.PingEvery, &r.Demote}
	},
	gaps: func(s *scenarios.Scenario) []time.Duration {
		return []time.Duration{s.Replicas.DownAfter, s.Replicas.Lag.Min}
	},
}

// A group is a master and its replicas in a run.
type group struct {
	nodes
	observer redis.Observer
	relays   [][]*relay // by replica and master; nil of a server to itself
}

// observerHost is the observer's name among the hosts.
const observerHost = "o"

// beat is how often each end of a replica's connection is heard of at least, as in the simulator.
const beat = time.Second

func newGroup(r *run, program string) servers {
	g := &group{nodes: nodes{ofRun: ofRun{run: r}, program: program, more: groupArguments(r.scenario)}}
	g.group = g
	return g
}

// begin starts the servers, makes each but the first a replica of that, and waits until all have its data.
func (g *group) begin() error {
	if err := errors.Join(g.listen(), g.nodes.begin()); err != nil {
		return err
	}
	for _, n := range g.all[1:] {
		if err := n.follow(0); err != nil {
			return fmt.Errorf("%s does not become a replica: %w\n%s", n.server.name, err, n.server.log())
		}
	}
	for since := time.Now(); time.Since(since) < startWithin && g.run.failed() == nil; nap(time.Millisecond) {
		g.run.Act()
		if g.complete() {
			return nil
		}
	}
	return fmt.Errorf("the replicas do not have the master's data within %s\n%s", startWithin, g.all[1].server.log())
}

// complete reports whether the master says of all replicas that they are there.
func (g *group) complete() bool {
	replies, err := g.all[0].pass(nil, 1, encode("INFO", "replication"))
	if err != nil {
		return false
	}
	text, _ := replies[0].value.(string)
	return strings.Count(text, "state=online") == len(g.all)-1
}

// listen makes the proxies between the servers.
func (g *group) listen() error {
	for replica := range g.run.scenario.Nodes {
		g.relays = append(g.relays, make([]*relay, g.run.scenario.Nodes))
		for master := range g.run.scenario.Nodes {
			if replica == master {
				continue
			}
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				return err
			}
			r := &relay{group: g, replica: replica, master: master, listener: l}
			g.relays[replica][master] = r
			go r.accept()
		}
	}
	return nil
}

// Services returns the nodes, and the observer.
func (g *group) Services(t *platform.Topology) (all, others []sim.Service) {
	all, _ = g.nodes.Services(t)
	return all, []sim.Service{&g.observer}
}

// Attach begins the world's time.
func (g *group) Attach(site *platform.Site) {
	g.nodes.Attach(site)
	g.Outages = platform.ReplicaOutages(site, &g.observer)
	rules := &g.run.scenario.Replicas
	g.observer.Attach(site.World.Host(observerHost), redis.Observation{
		Group: site.Servers, Master: site.Servers[0], Period: rules.PingEvery, Down: rules.DownAfter, Demote: rules.Demote,
	})
	for _, n := range g.all {
		n.beat()
		n.watchCopy()
	}
}

// AppendKeys appends the life of the lock's key, and to copies those on each server.
func (g *group) AppendKeys(keys, copies []checker.Span) ([]checker.Span, []checker.Span) {
	for _, n := range g.all {
		copies = n.record.spans(copies, false)
	}
	return g.ofRun.AppendKeys(keys, copies)
}

// keys appends the life of the key on whoever was master, by the observer's word.
func (g *group) keys(to []checker.Span, wide bool) []checker.Span {
	return append(to, reigning(g.observer.Terms(), func(node int) []checker.Span {
		return g.all[node].record.spans(nil, wide)
	})...)
}

// reigning merges the lives of a key on the servers into one, as redis.Lives does.
func reigning(terms []redis.Term, on func(node int) []checker.Span) (all []checker.Span) {
	for _, t := range terms {
		for _, s := range on(t.Node) {
			if s.Lane, s.From = 0, max(s.From, t.From); t.To < s.To {
				s.To, s.Ended = t.To, checker.Ending{Cause: checker.Superseded, Client: -1, Strike: -1}
			}
			last := len(all) - 1
			switch {
			case s.From >= s.To:
			case last >= 0 && all[last].Token == s.Token && all[last].To == s.From:
				s.From = all[last].From
				all[last] = s
			default:
				all = append(all, s)
			}
		}
	}
	return all
}

// Close ends it, and the proxies.
func (g *group) Close() {
	g.nodes.Close()
	for _, r := range slices.Concat(g.relays...) {
		if r != nil {
			r.close()
		}
	}
}

// A relay is what a server takes for its master: a port on which it is answered by another one.
type relay struct {
	*group
	replica, master int // hosts
	listener        net.Listener

	mu     sync.Mutex
	pipes  []*pipe
	closed bool
}

func (r *relay) port() string {
	_, port, _ := net.SplitHostPort(r.listener.Addr().String())
	return port
}

func (r *relay) accept() {
	for {
		c, err := r.listener.Accept()
		if err != nil {
			return
		}
		p := &pipe{of: r, ends: [2]net.Conn{byReplica: c}}
		if !r.add(p) {
			reset(c)
			return
		}
		go p.read(byReplica, c)
	}
}

func (r *relay) add(p *pipe) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.closed {
		r.pipes = append(r.pipes, p)
	}
	return !r.closed
}

// open returns the connections that have not ended.
func (r *relay) open() []*pipe {
	if r == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.pipes)
}

func (r *relay) close() {
	_ = r.listener.Close()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
	for _, p := range r.pipes {
		for _, c := range p.ends {
			reset(c)
		}
	}
}

// reset ends a connection, if it is one, as a host does that is off.
func reset(c net.Conn) {
	if t, ok := c.(*net.TCPConn); ok {
		_ = t.SetLinger(0)
	}
	if c != nil {
		_ = c.Close()
	}
}

// A pipe is one connection of a replica to its master. What they send each other travels in pieces, each a message of the world; what the
// master sends waits in its host for the lag before. A piece that is missing is a connection that has broken, which both get to know
// with the next one. Before the world's time begins, pieces are there at once.
type pipe struct {
	of   *relay
	ends [2]net.Conn
	sent [2]int // pieces, by each
	got  [2]int
	due  clock.Reading // when the latest of the master's pieces is sent, on its monotonic clock
	over bool
}

// The two ends of a pipe.
const (
	byReplica = iota
	byMaster
)

// A piece is a part of what one end has sent. One without bytes says that the connection is there.
type piece struct {
	pipe  *pipe
	by    int
	nth   int
	bytes []byte
	last  bool
}

// String describes the piece in a trace.
func (q piece) String() string {
	switch {
	case q.last:
		return "replication ends"
	case len(q.bytes) == 0:
		return "replication, a beat"
	}
	return fmt.Sprintf("replication, %d bytes", len(q.bytes))
}

// read hands what one end sends to the world. It runs in a goroutine of its own.
func (p *pipe) read(by int, c net.Conn) {
	b := make([]byte, 64<<10)
	for {
		n, err := c.Read(b)
		text := append([]byte(nil), b[:n]...)
		p.of.run.act(func() { p.send(by, text, err != nil) })
		if err != nil {
			return
		}
	}
}

// host returns the host of one end.
func (p *pipe) host(by int) *sim.Host {
	if by == byMaster {
		return p.of.run.host(p.of.master)
	}
	return p.of.run.host(p.of.replica)
}

// send lets a piece leave the host of one end. What a server sends that has been killed meanwhile is lost.
func (p *pipe) send(by int, b []byte, last bool) {
	switch {
	case p.over:
		return
	case p.of.run.world == nil:
		p.give(by^1, b, last)
		return
	case !p.host(by).Up():
		return
	}
	q, h, to := piece{p, by, p.sent[by], b, last}, p.host(by), p.host(by^1).ID
	p.sent[by]++
	if by == byReplica {
		h.Post(to, q)
		return
	}
	p.due = max(p.due, h.Mono().Add(p.of.run.lag()))
	h.After(time.Duration(p.due-h.Mono()), func() { h.Post(to, q) })
}

// lag draws how long a write waits in the master.
func (r *run) lag() time.Duration { return r.world.Chance("replication").In(r.scenario.Replicas.Lag) }

// take takes a piece that has come to the other host.
func (p *pipe) take(q piece) {
	switch to := q.by ^ 1; {
	case p.over:
	case q.nth != p.got[to]:
		p.end()
	default:
		p.got[to]++
		p.give(to, q.bytes, q.last)
	}
}

// give hands bytes to the server at one end. The first ones connect to the master.
func (p *pipe) give(to int, b []byte, last bool) {
	err := error(nil)
	if p.ends[to] == nil && len(b) > 0 {
		err = p.dial()
	}
	if err == nil && len(b) > 0 {
		_ = p.ends[to].SetWriteDeadline(time.Now().Add(time.Second)) // never so long: the kernel takes it
		_, err = p.ends[to].Write(b)
	}
	if err != nil || last {
		p.end()
	}
}

// dial connects to the master.
func (p *pipe) dial() error {
	b, err := p.of.all[p.of.master].server.dial()
	if err != nil {
		return err
	}
	p.of.mu.Lock()
	p.ends[byMaster] = b.conn
	p.of.mu.Unlock()
	go p.read(byMaster, b.conn)
	return nil
}

// end ends the connection at both ends.
func (p *pipe) end() {
	p.over = true
	p.of.mu.Lock()
	defer p.of.mu.Unlock()
	p.of.pipes = slices.DeleteFunc(p.of.pipes, func(o *pipe) bool { return o == p })
	for _, c := range p.ends {
		reset(c)
	}
}

// beat lets the server's ends of all connections be heard of now, and each second.
func (n *node) beat() {
	for other, relays := range n.group.relays {
		for _, p := range n.group.relays[n.id][other].open() {
			p.send(byReplica, nil, false)
		}
		for _, p := range relays[n.id].open() {
			p.send(byMaster, nil, false)
		}
	}
	n.host.After(beat, n.beat)
}

// follow is REPLICAOF: the server becomes a replica of the one on a host, or master where that is less than 0.
func (n *node) follow(leader int) error {
	command := []string{"REPLICAOF", "NO", "ONE"}
	if leader >= 0 {
		command = []string{"REPLICAOF", "127.0.0.1", n.group.relays[n.id][leader].port()}
	}
	replies, err := n.pass(nil, 1, encode(command...))
	if err != nil {
		return err
	}
	if refused, ok := replies[0].value.(redis.Error); ok {
		return refused
	}
	n.leader = leader
	return nil
}

// ordered carries out the observer's REPLICAOF.
func (n *node) ordered(args []string) {
	leader, epoch := -1, n.epoch.Load()
	if h := n.run.world.Host(args[1]); h != nil {
		leader = h.ID
	}
	n.worker.put(func() {
		if epoch != n.epoch.Load() {
			return
		}
		if err := n.follow(leader); err != nil {
			n.lost(job{epoch: epoch, args: args}, err)
		}
	})
}

// pong tells the observer whom the server follows, and how far it is. One that is loading data says so later.
func (n *node) pong(to int) {
	epoch := n.epoch.Load()
	n.worker.put(func() {
		if epoch != n.epoch.Load() {
			return
		}
		replies, err := n.pass(nil, 1, encode("ROLE"))
		if err != nil {
			n.lost(job{epoch: epoch, args: []string{"ROLE"}}, err)
			return
		}
		list, ok := replies[0].value.([]any)
		if !ok {
			return
		}
		p := redis.Pong{From: n.id, Leader: n.leader}
		if p.Offset, _ = list[1].(int64); list[0] == "slave" {
			p.Offset, _ = list[4].(int64)
		}
		n.during(epoch, func() { n.sends(func() { n.host.Post(to, p) }) })
	})
}

// watchCopy looks at the key again and again while the server is a replica: what is copied to it is not seen otherwise.
func (n *node) watchCopy() {
	n.worker.put(func() {
		time.AfterFunc(lookEvery, n.watchCopy)
		if n.leader < 0 {
			return
		}
		epoch, sent := n.epoch.Load(), n.run.now()
		replies, err := n.pass(nil, looks, look(n.run.key))
		if err != nil || !legible(replies) {
			return
		}
		s := seen(replies)
		s.sent, s.got, s.by, s.copied = sent, n.run.now(), -1, true
		n.during(epoch, func() { n.record.look(s, n.run.clientAt) })
	})
}

// waits carries out WAIT beside the worker, as the server goes on meanwhile. The connection may end before it does.
func (n *node) waits(j job) {
	b, err := n.backend(j.wire)
	if err != nil {
		n.lost(j, err)
		return
	}
	go func() {
		replies, err := b.ask(1, encode(j.args...))
		if err != nil {
			return // its client has given up, or the server is off
		}
		n.during(j.epoch, func() {
			n.sends(func() { n.host.Answer(j.ask, &redis.Reply{Value: replies[0].value, Bytes: replies[0].raw}) })
		})
	}()
}

// groupArguments are those of a server of a group, beside its others.
func groupArguments(s *scenarios.Scenario) []string {
	return []string{
		"--repl-diskless-sync-delay", "0", "--min-replicas-to-write", strconv.Itoa(s.Replicas.MinGood),
		"--min-replicas-max-lag", strconv.Itoa(int(s.Replicas.GoodFor / time.Second)),
	}
}
