package live

import (
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/scenarios/platform"
	"github.com/lockstorm/lockstorm/sim"
	"github.com/lockstorm/lockstorm/sim/redis"
)

// This file has a master with replicas. The servers are real, and copy their data as Redis does, through our proxies.
// The simulator's observer pings them in real time, promotes a replica, and names the master to clients.

// A replicaGroup is a master and its replicas in a run.
type replicaGroup struct {
	redisNodes
	members   []*member
	observer  redis.Observer
	sentinels *sentinels  // in place of the observer; nil for none
	crossings []*crossing // by master
}

// observerHost is the observer's name among the hosts.
const observerHost = "o"

// beatEvery is how often each end of a replica's connection is heard of at least, as in the simulator.
const beatEvery = time.Second

func newGroup(d *Driver, program string) Servers {
	g := &replicaGroup{redisNodes: redisNodes{Base: Base{Driver: d}, program: program}}
	g.more = g.arguments
	return g
}

// arguments returns the arguments that only the servers of a group have. Others know a server by its crossing.
func (g *replicaGroup) arguments(node int) []string {
	r := &g.Scenario.Replicas
	return []string{
		"--repl-diskless-sync-delay", "0", "--min-replicas-to-write", strconv.Itoa(r.MinGood),
		"--min-replicas-max-lag", strconv.Itoa(int(r.GoodFor / time.Second)),
		"--bind-source-addr", source(node), "--replica-announce-ip", "127.0.0.1", "--replica-announce-port", g.crossings[node].port(),
	}
}

// Begin starts the servers, makes each but the first a replica of the first, and waits until all have its data.
func (g *replicaGroup) Begin() error {
	if err := errors.Join(g.listen(), g.redisNodes.Begin()); err != nil {
		return err
	}
	for _, n := range g.all {
		r := &member{redisNode: n, group: g, leader: -1}
		n.restored = r.restore
		g.members = append(g.members, r)
	}
	for _, n := range g.members[1:] {
		if err := n.follow(0); err != nil {
			return fmt.Errorf("%s does not become a replica: %w\n%s", n.server.name, err, n.server.log())
		}
	}
	for since := time.Now(); time.Since(since) < StartWithin && g.Failed() == nil; nap(time.Millisecond) {
		g.Act()
		if g.complete() {
			return g.sentinels.begin(g)
		}
	}
	return fmt.Errorf("the replicas do not have the master's data within %s\n%s", StartWithin, g.all[1].server.log())
}

// complete reports whether the master lists all replicas as online.
func (g *replicaGroup) complete() bool {
	replies, err := g.all[0].pass(nil, 1, encode("INFO", "replication"))
	if err != nil {
		return false
	}
	text, _ := replies[0].value.(string)
	return strings.Count(text, "state=online") == len(g.all)-1
}

// listen makes the proxies between the servers, each of whose connections is a pipe.
func (g *replicaGroup) listen() (err error) {
	accept := func(p *Proxy, c *net.TCPConn) Connection {
		connect := func() (net.Conn, error) {
			b, err := g.all[p.Node].server.dial()
			if err != nil {
				return nil, err
			}
			return b.conn, nil
		}
		prompt := p.Client >= g.Scenario.Nodes
		return &pipe{Driver: g.Driver, proxy: p, connect: connect, prompt: prompt, ends: [2]net.Conn{ofReplica: c}}
	}
	var hosts []int
	for host, name := range g.Scenario.Hosts() {
		if host < g.Scenario.Nodes || name == observerHost {
			hosts = append(hosts, host)
		}
	}
	for master := range g.Scenario.Nodes {
		x, err := newCrossing(g.Driver, hosts, master, accept)
		if err != nil {
			return err
		}
		g.crossings = append(g.crossings, x)
	}
	return nil
}

// between returns the connections of a host to a master.
func (g *replicaGroup) between(host, master int) []Connection {
	return g.crossings[master].proxies[source(host)].open()
}

// terms returns who was master when.
func (g *replicaGroup) terms() []redis.Term {
	if g.sentinels != nil {
		return g.sentinels.terms
	}
	return g.observer.Terms()
}

// Services returns the nodes, and the observer.
func (g *replicaGroup) Services(*platform.Topology) (all, others []sim.Service) {
	for _, r := range g.members {
		all = append(all, r)
	}
	if g.sentinels != nil {
		return all, []sim.Service{g.sentinels}
	}
	return all, []sim.Service{&g.observer}
}

// Attach begins the world's time.
func (g *replicaGroup) Attach(site *platform.Site) {
	g.redisNodes.Attach(site)
	g.Outages = platform.ReplicaOutages(site, g.terms)
	rules, host := &g.Scenario.Replicas, site.World.Host(observerHost)
	if g.sentinels != nil {
		g.sentinels.attach(host)
	} else {
		g.observer.Attach(host, redis.Observation{
			Group: site.Servers, Master: site.Servers[0], Period: rules.PingEvery, Down: rules.DownAfter, Demote: rules.Demote,
		})
	}
	for _, r := range g.members {
		r.beat()
		r.watchCopy()
	}
}

// AppendKeys appends the life of the lock's key, and to copies those on each server.
func (g *replicaGroup) AppendKeys(keys, copies []checker.Span) ([]checker.Span, []checker.Span) {
	for _, n := range g.all {
		copies = n.record.spans(copies, false)
	}
	return g.Base.AppendKeys(keys, copies)
}

// AppendLives appends the lives of the key on the master of each term, as the observer saw it.
func (g *replicaGroup) AppendLives(all []checker.Span, wide bool) []checker.Span {
	return append(all, reigning(g.terms(), func(node int) []checker.Span {
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

// Close ends what the driver does with the servers, and the proxies.
func (g *replicaGroup) Close() {
	g.redisNodes.Close()
	for _, x := range g.crossings {
		x.close()
	}
	g.sentinels.close()
}

// A member is a node that may follow another one.
type member struct {
	*redisNode
	group  *replicaGroup
	leader int // the host of its master; -1 while it is master. The worker's alone
}

// Serve passes a command on. The observer's requests ask or set whom the server follows.
func (r *member) Serve(request any) any {
	switch q := request.(type) {
	case redis.Ping:
		r.put(nil, []string{"ROLE"}, func(j job) { r.pong(j, q.From) })
		return nil
	case piece:
		q.pipe.take(q)
		return nil
	case *redis.Request:
		if strings.EqualFold(q.Args[0], "WAIT") {
			return r.put(q.Wire, q.Args, r.wait)
		}
	case []string:
		if q[0] == "REPLICAOF" {
			leader := -1
			if h := r.World.Host(q[1]); h != nil {
				leader = h.ID
			}
			r.put(nil, q, func(j job) {
				if err := r.follow(leader); err != nil {
					r.lost(j, err)
				}
			})
			return nil
		}
	}
	return r.redisNode.Serve(request)
}

// Start restarts the server.
func (r *member) Start() {
	r.host.After(beatEvery, r.beat)
	r.redisNode.Start()
}

// beat lets the server's ends of all connections be heard of now, and each second.
func (r *member) beat() {
	for other := range r.group.members {
		for _, p := range r.group.between(r.id, other) {
			p.(*pipe).send(ofReplica, nil, false)
		}
		for _, p := range r.group.between(other, r.id) {
			p.(*pipe).send(ofMaster, nil, false)
		}
	}
	r.host.After(beatEvery, r.beat)
}

// restore returns the server to the role it had before it ended.
func (r *member) restore() error {
	if r.leader < 0 {
		return nil
	}
	return r.follow(r.leader)
}

// follow is REPLICAOF: the server becomes a replica of the one on a host, or master where that is less than 0.
func (r *member) follow(leader int) error {
	command := []string{"REPLICAOF", "NO", "ONE"}
	if leader >= 0 {
		command = []string{"REPLICAOF", "127.0.0.1", r.group.crossings[leader].port()}
	}
	replies, err := r.pass(nil, 1, encode(command...))
	if err != nil {
		return err
	}
	if refused, ok := replies[0].value.(redis.Error); ok {
		return refused
	}
	r.leader, r.copies = leader, leader >= 0
	return nil
}

// pong reports to the observer whom the server follows, and its offset. A server that is loading data answers later.
func (r *member) pong(j job, observer int) {
	replies, err := r.pass(nil, 1, encode(j.args...))
	if err != nil {
		r.lost(j, err)
		return
	}
	list, ok := replies[0].value.([]any)
	if !ok {
		return
	}
	p := redis.Pong{From: r.id, Leader: r.leader}
	if p.Offset, _ = list[1].(int64); list[0] == "slave" {
		p.Offset, _ = list[4].(int64)
	}
	r.during(j.epoch, func() { r.sends(func() { r.host.Post(observer, p) }) })
}

// ReadEvery is how often the lock's key is read if no client's command shows it.
const ReadEvery = 5 * time.Millisecond

// watchCopy reads the key again and again on a replica, because no command shows the changes copied to it.
func (r *member) watchCopy() {
	r.worker.Put(func() {
		time.AfterFunc(ReadEvery, r.watchCopy)
		if r.group.sentinels != nil {
			r.learn()
		}
		if r.leader < 0 {
			return
		}
		epoch := r.epoch.Load()
		if s, legibly, err := r.observe(); err == nil && legibly {
			r.during(epoch, func() { r.record.note(s, r.ClientOn) })
		}
	})
}

// learn asks the server whom it follows, because a real Sentinel does not report its orders.
func (r *member) learn() {
	replies, err := r.pass(nil, 1, encode("ROLE"))
	if err != nil {
		return
	}
	list, _ := replies[0].value.([]any)
	if len(list) == 0 || list[0] != "slave" {
		r.leader, r.copies = -1, false
		return
	}
	r.copies = true
	for node, x := range r.group.crossings {
		if fmt.Sprint(list[2]) == x.port() {
			r.leader = node
		}
	}
}

// wait carries out WAIT. The worker continues meanwhile, as the server does. The connection may end first.
func (r *member) wait(j job) {
	b, err := r.connection(j.wire)
	if err != nil {
		r.lost(j, err)
		return
	}
	go func() {
		replies, err := b.ask(1, encode(j.args...))
		if err != nil {
			return // its client has given up, or the server is off
		}
		r.during(j.epoch, func() { r.answer(j, replies[0]) })
	}()
}
