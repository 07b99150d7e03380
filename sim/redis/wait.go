package redis

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lockstorm/lockstorm/sim"
)

// A wait is an unanswered WAIT.
type wait struct {
	ask    sim.Ask
	offset int64
	need   int64
	timer  *sim.Timer // nil for no limit
}

// A writer is a connection, and the offset of the data after its latest command.
type writer struct {
	conn   sim.Conn
	offset int64
}

// administer carries out the commands that only members of a group have.
func (m *member) administer(name string, args []string) (own bool, reply any) {
	switch name {
	case "WAIT":
		return true, m.wait(args[1:])
	case "ROLE":
		if len(args) > 1 {
			return true, arity("role")
		}
		return true, m.role()
	case "REPLICAOF", "SLAVEOF":
		return true, m.replicaOf(name, args[1:])
	}
	return false, nil
}

// wrote records the offset of the data after a command of this connection, even of a read.
func (m *member) wrote() {
	c := m.node.host.Asking().Conn()
	m.writers = slices.DeleteFunc(m.writers, func(w writer) bool { return w.conn == c || !w.conn.Open() })
	m.writers = append(m.writers, writer{c, m.offset})
}

// written returns the offset of the data after the latest command of this connection. WAIT waits for that, not for
// later writes of other connections.
func (m *member) written() int64 {
	c := m.node.host.Asking().Conn()
	for _, w := range m.writers {
		if w.conn == c {
			return w.offset
		}
	}
	return 0
}

// wait is WAIT numreplicas timeout. It answers how many replicas have acknowledged what this connection has written,
// once there are that many, or when the milliseconds have passed on the wall clock. 0 milliseconds are no limit.
func (m *member) wait(args []string) any {
	if len(args) != 2 {
		return arity("wait")
	}
	if !m.isMaster() {
		return Error("ERR WAIT cannot be used with replica instances. Please also note that since Redis 4.0 " +
			"if a replica is configured to be writable (which is not the default) " +
			"writes to replicas are just local and are not propagated.")
	}
	need, err := strconv.ParseInt(args[0], 10, 64)
	if err != nil {
		return Error("ERR value is not an integer or out of range")
	}
	limit, wrong := patience(args[1:])
	if wrong != nil {
		return wrong
	}
	offset := m.written()
	if n := m.count(offset); n >= need {
		return n
	}
	m.block(&wait{ask: m.node.host.Asking(), offset: offset, need: need}, limit)
	return sim.Later
}

// block keeps a WAIT, and asks all replicas for their offsets.
func (m *member) block(w *wait, limit time.Duration) {
	m.waits = append(m.waits, w)
	h := m.node.host
	if limit > 0 {
		w.timer = h.AfterWall(limit, func() { m.conclude(w, m.count(w.offset)) })
	}
	for i := range m.replicas {
		r := &m.replicas[i]
		r.due = max(r.due, h.Mono())
		m.later(r, m.offset, true)
	}
}

// count returns how many replicas have acknowledged an offset.
func (m *member) count(offset int64) (n int64) {
	for _, r := range m.replicas {
		if r.online && r.acked >= offset {
			n++
		}
	}
	return n
}

// satisfy answers each WAIT whose replicas have acknowledged.
func (m *member) satisfy() {
	for _, w := range slices.Clone(m.waits) {
		if n := m.count(w.offset); n >= w.need {
			m.conclude(w, n)
		}
	}
}

func (m *member) conclude(w *wait, reply any) {
	m.waits = slices.DeleteFunc(m.waits, func(o *wait) bool { return o == w })
	if w.timer != nil {
		w.timer.Stop()
	}
	m.node.host.Answer(w.ask, reply)
}

// unblock ends every WAIT: the node is not master any more.
func (m *member) unblock() {
	for len(m.waits) > 0 {
		m.conclude(m.waits[0], unblocked)
	}
}

const unblocked = Error("UNBLOCKED force unblock from blocking operation, instance state changed (master -> replica?)")

// port is the port of every server.
const port = "6379"

// role is ROLE.
func (m *member) role() any {
	hosts := m.node.host.World().Hosts()
	if !m.isMaster() {
		state := "connected"
		if !m.linked {
			state = "connect"
		}
		return []any{"slave", hosts[m.leader].Name, int64(6379), state, m.offset}
	}
	list := []any{}
	for _, r := range m.replicas {
		if r.online {
			list = append(list, []any{hosts[r.host].Name, port, strconv.FormatInt(r.acked, 10)})
		}
	}
	return []any{"master", m.offset, list}
}

// replicaOf is REPLICAOF host port, with the name of a host of the group, and REPLICAOF NO ONE.
func (m *member) replicaOf(name string, args []string) any {
	if len(args) != 2 {
		return arity(strings.ToLower(name))
	}
	if strings.EqualFold(args[0], "no") && strings.EqualFold(args[1], "one") {
		m.promote()
		return "OK"
	}
	h := m.node.host.World().Host(args[0])
	if h == nil || h == m.node.host || args[1] != port || !slices.Contains(m.Group, h.ID) {
		return Error("ERR no such master: REPLICAOF takes the name of another server of the group, and port " + port)
	}
	m.follow(h.ID)
	return "OK"
}
