package redis

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/sim"
)

// A Replication is the group in which a node sends its data to replicas, or gets it from a master. Zero is no group.
type Replication struct {
	Group  []int // the IDs of the hosts of the group, with the node's own
	Master int   // the ID of the first master; the others have its data from the start

	// Lag is how long a write waits in the master before it is sent, on the master's monotonic clock; random for each
	// write and replica. Zero: no wait.
	Lag sim.Range

	// MinReplicas is min-replicas-to-write: with fewer good replicas the master takes no writes. 0 is no condition.
	MinReplicas int
	// MaxLag is min-replicas-max-lag: the age of a good replica's latest message, in whole seconds. Zero: 10s.
	MaxLag  time.Duration
	Backlog int // how many changes are kept for a replica that has missed some; zero: 10,000
}

// A member is a node's part in its group.
type member struct {
	Replication
	node   *Node
	chance *sim.Chance

	leader int // the ID of the master's host; -1 for itself

	// The history of the data: its name, its number of changes, and the latest changes. A promoted replica begins a
	// history that continues the old one.
	id, former   string
	offset, fork int64 // fork is the offset up to which the former history is shared
	began        int   // histories that began here
	stream       []change
	base         int64 // the offset before the first of stream
	scheduled    int64 // the offset up to which sending is scheduled

	replicas []replica // of a master: one for each host of the group
	waits    []*wait
	writers  []writer

	linked bool // a replica is connected to its master
}

// A replica is what a master knows of one.
type replica struct {
	host        int
	online      bool
	sent, acked int64
	heard       int64         // when its latest message came, in seconds of the master's wall clock
	due         clock.Reading // when the latest write is sent, on the master's monotonic clock
}

// The messages between members of a group.
type (
	// A psync asks a master for what comes after an offset.
	psync struct {
		from   int
		id     string
		offset int64
	}
	// A feed brings changes from an offset on.
	feed struct {
		from    int
		id      string
		at      int64
		changes []change
		sync    bool // it answers a psync
		full    bool // it brings all data, at the offset
		ask     bool // the replica must acknowledge it immediately
	}
	// An ack reports a replica's offset to its master.
	ack struct {
		from   int
		id     string
		offset int64
	}
	// A reset reports to a replica that its master does not know their connection.
	reset struct{ from int }
)

// beat is how often a master sends a heartbeat, and a replica its offset.
const beat = time.Second

// join returns the node's part in its group; nil without a group.
func (n *Node) join(r Replication) *member {
	if len(r.Group) == 0 {
		return nil
	}
	r.MaxLag = cmp.Or(r.MaxLag, 10*time.Second)
	r.Backlog = cmp.Or(r.Backlog, 10_000)
	m := &member{Replication: r, node: n, leader: r.Master, linked: true, id: "origin"}
	m.chance = n.host.World().Chance("replication/" + n.host.Name)
	if r.Master == n.host.ID {
		m.setLeader()
		for i := range m.replicas {
			m.replicas[i].online = true
		}
	}
	n.host.After(beat, m.beat)
	return m
}

func (m *member) isMaster() bool { return m.leader < 0 }

func (m *member) setLeader() {
	m.leader = -1
	m.resetReplicas()
}

func (m *member) resetReplicas() {
	m.replicas = nil
	for _, id := range m.Group {
		if id != m.node.host.ID {
			m.replicas = append(m.replicas, replica{host: id, heard: m.second()})
		}
	}
}

// second returns the node's wall clock in whole seconds. Redis measures the lag of its replicas by it, so steps count.
func (m *member) second() int64 { return m.node.millis() / 1000 }

// begin begins a history of the data.
func (m *member) begin() {
	m.began++
	m.id = fmt.Sprint(m.node.host.Name, "/", m.began)
}

// promote is REPLICAOF NO ONE. The node does not wait for changes that the old master has not sent.
func (m *member) promote() {
	if m.isMaster() {
		return
	}
	m.former, m.fork = m.id, m.offset
	m.begin()
	m.setLeader()
	m.node.Settle() // from now on the node's clock expires keys
}

// follow is REPLICAOF: the node becomes a replica, and will lose what its new master lacks.
func (m *member) follow(leader int) {
	if m.leader == leader {
		return
	}
	if m.isMaster() {
		m.unblock()
	}
	m.leader, m.replicas = leader, nil
	m.resync()
}

// stop is called when the node goes off, and start when it is on again. It keeps its role, like a server whose
// configuration was rewritten, but not the history: a full resynchronization follows.
func (m *member) stop() {
	m.waits, m.writers, m.linked = nil, nil, false
	m.node.bar = ""
}

func (m *member) start() {
	m.id, m.former, m.offset, m.fork, m.scheduled, m.base, m.stream = "", "", 0, 0, 0, 0, nil
	if m.isMaster() {
		m.begin()
		m.resetReplicas()
	} else {
		m.resync()
	}
	m.node.host.After(beat, m.beat)
}

// beat is called each second.
func (m *member) beat() {
	m.node.Settle()
	m.scheduleSends()
	switch {
	case m.isMaster():
		for i := range m.replicas {
			m.send(&m.replicas[i], m.replicas[i].sent, false)
		}
	case m.linked:
		m.acknowledge()
	default:
		m.resync()
	}
	m.node.host.After(beat, m.beat)
}

func (m *member) emit(c change) {
	m.stream = append(m.stream, c)
	m.offset++
	if extra := len(m.stream) - m.Backlog; extra > 0 {
		m.stream = m.stream[extra:]
		m.base += int64(extra)
	}
}

// scheduleSends sets when the changes of a command are sent to each replica: all together, and in order.
func (m *member) scheduleSends() {
	if !m.isMaster() || m.scheduled == m.offset {
		return
	}
	m.scheduled = m.offset
	upto, now := m.offset, m.node.host.Mono()
	for i := range m.replicas {
		r := &m.replicas[i]
		r.due = max(r.due, now.Add(m.chance.In(m.Lag)))
		m.later(r, upto, false)
	}
}

// later sends when a replica's time has come.
func (m *member) later(r *replica, upto int64, ask bool) {
	h, id := m.node.host, m.id
	h.After(time.Duration(r.due-h.Mono()), func() {
		if m.isMaster() && m.id == id {
			m.send(r, upto, ask)
		}
	})
}

// send brings a replica up to an offset. If nothing is new it sends only the offset.
func (m *member) send(r *replica, upto int64, ask bool) {
	switch {
	case !r.online:
	case r.sent < m.base:
		m.sendAll(r)
	default:
		upto = max(upto, r.sent)
		m.post(r, feed{at: r.sent, changes: m.between(r.sent, upto), ask: ask})
		r.sent = upto
	}
}

// post sends a replica a part of the stream.
func (m *member) post(r *replica, f feed) {
	f.from, f.id = m.node.host.ID, m.id
	m.node.host.Post(r.host, f)
}

// between returns the changes from one offset to another.
func (m *member) between(start, end int64) []change { return m.stream[start-m.base : end-m.base] }

// sendAll is a full resynchronization. Here it takes no longer than any other message.
func (m *member) sendAll(r *replica) {
	all := m.node.states(everything)
	m.post(r, feed{at: m.offset, changes: all, sync: true, full: true, ask: true})
	r.online, r.sent, r.acked = true, m.offset, 0
}

// everything is a command that may touch every key.
var everything = []string{"FLUSHALL"}

// handle takes a message from a member of the group, or from its observer.
func (n *Node) handle(message any) any {
	if n.member == nil {
		return Error("ERR Protocol error: expected a command")
	}
	n.Settle()
	switch t := message.(type) {
	case psync:
		n.member.synchronize(t)
	case feed:
		n.member.take(t)
	case ack:
		n.member.acked(t)
	case reset:
		n.member.broken(t)
	case Ping:
		n.member.pong(t)
	default:
		return Error("ERR Protocol error: expected a command")
	}
	return nil
}

// synchronize answers a psync with the changes after its offset if the master has them, otherwise with all data.
func (m *member) synchronize(q psync) {
	r := m.replica(q.from)
	if r == nil {
		return
	}
	r.online, r.acked, r.heard = true, 0, m.second()
	known := q.id == m.id && q.offset <= m.offset || q.id == m.former && q.offset <= m.fork
	if !known || q.id == "" || q.offset < m.base {
		m.sendAll(r)
		return
	}
	m.post(r, feed{at: q.offset, changes: m.between(q.offset, m.offset), sync: true, ask: len(m.waits) > 0})
	r.sent = m.offset
}

// replica returns a replica by its host; nil if this node has no replicas.
func (m *member) replica(host int) *replica {
	for i := range m.replicas {
		if m.replicas[i].host == host {
			return &m.replicas[i]
		}
	}
	return nil
}

// take applies what the master sends. If something is missing, the connection has broken meanwhile.
func (m *member) take(f feed) {
	switch {
	case f.from != m.leader || !f.sync && (!m.linked || f.id != m.id):
		return // from a broken connection, or from a former master
	case f.full:
		m.replace(f)
	case f.at > m.offset:
		m.resync()
		return
	default:
		m.apply(f.changes[min(m.offset-f.at, int64(len(f.changes))):])
	}
	m.id, m.linked = f.id, true
	if f.ask {
		m.acknowledge()
	}
}

func (m *member) replace(f feed) {
	n := m.node
	n.discard()
	for i := range f.changes {
		n.become(&f.changes[i])
	}
	n.keep(entry{fresh: true, changes: f.changes})
	n.logged()
	n.look(ended(Copied))
	m.offset, m.base, m.scheduled, m.stream = f.at, f.at, f.at, nil
}

func (m *member) apply(changes []change) {
	n := m.node
	for i := range changes {
		if c := &changes[i]; c.channel != "" {
			n.spread(c.channel, c.value)
		} else {
			n.become(c)
		}
		m.emit(changes[i])
	}
	if len(changes) > 0 {
		n.keep(entry{changes: changes})
		n.logged()
		n.look(ended(Copied))
	}
	m.scheduled = m.offset
}

func (n *Node) follows() bool { return n.member != nil && !n.member.isMaster() }

// hideOverdue hides the overdue keys of a replica from clients. Their master deletes them.
func (n *Node) hideOverdue() {
	if end := n.end(n.config.Watch); len(n.open) > 0 && end < n.millis() {
		at := n.passes(end)
		n.close(at, n.expiry(at, end))
	}
	n.look(ended(Copied))
}

func (n *Node) discard() {
	for _, key := range n.db.Keys() {
		n.db.Del(key)
	}
	n.lives, n.next = n.lives[:0], never
}

// resync asks the master for what comes after the replica's offset.
func (m *member) resync() {
	m.linked = false
	m.node.host.Post(m.leader, psync{m.node.host.ID, m.id, m.offset})
}

// acknowledge sends the master the replica's offset.
func (m *member) acknowledge() {
	m.node.host.Post(m.leader, ack{m.node.host.ID, m.id, m.offset})
}

// broken is called when the connection to the master is gone.
func (m *member) broken(q reset) {
	if q.from == m.leader {
		m.resync()
	}
}

func (m *member) acked(a ack) {
	r := m.replica(a.from)
	switch {
	case !m.isMaster():
	case r == nil || !r.online || a.id != m.id:
		m.node.host.Post(a.from, reset{m.node.host.ID})
	default:
		r.acked, r.heard = max(r.acked, a.offset), m.second()
		m.satisfy()
	}
}

// good counts the replicas that have sent something lately.
func (m *member) good() (count int) {
	for _, r := range m.replicas {
		if r.online && m.second()-r.heard <= int64(m.MaxLag/time.Second) {
			count++
		}
	}
	return count
}

// writeRefusal returns why the node takes no writes now; empty if it does.
func (m *member) writeRefusal() Error {
	switch {
	case !m.isMaster():
		return "READONLY You can't write against a read only replica."
	case m.MinReplicas > 0 && m.good() < m.MinReplicas:
		return "NOREPLICAS Not enough good replicas to write."
	}
	return ""
}

// serve carries out a client's command.
func (m *member) serve(args []string) (reply any) {
	n, name := m.node, strings.ToUpper(args[0])
	if own, reply := m.administer(name, args); own {
		return reply
	}
	n.bar = m.writeRefusal()
	if n.barred(name) {
		return n.bar
	}
	n.record(args)
	switch {
	case !m.isMaster():
		return m.read(args)
	case n.writes(name) || name == "EVAL" || name == "EVALSHA":
		reply = m.write(args)
	default:
		reply = n.do(args)
	}
	m.scheduleSends()
	m.wrote()
	return reply
}

// write carries out a command that may write, and appends its effect to the stream.
func (m *member) write(args []string) any {
	before := m.node.states(args)
	reply := m.node.do(args)
	for _, c := range differ(before, m.node.states(args)) {
		m.emit(c)
	}
	return reply
}

// read carries out a command on a replica. The master deletes overdue keys; until then clients don't see them.
func (m *member) read(args []string) any {
	n := m.node
	var hidden []change
	for now, i := n.millis(), 0; i < len(n.lives); i++ {
		if n.lives[i].end < now {
			hidden = append(hidden, n.state(n.lives[i].key))
		}
	}
	for _, c := range hidden {
		n.become(&change{key: c.key, end: never})
	}
	reply := n.do(args)
	for i := range hidden {
		n.become(&hidden[i])
	}
	return reply
}
