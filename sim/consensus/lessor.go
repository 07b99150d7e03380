package consensus

import (
	"slices"
	"time"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/sim"
)

// A lease ends when its time has passed by the leader's monotonic clock, and then through the log, so that all servers
// delete the same keys at the same revision. Keeping a lease alive is not logged. A new leader does not know when that
// was last done, so it extends each lease by its full TTL plus an election timeout, like etcd.

// A lessor is what the leader knows of the ends of leases. On other servers due is empty.
type lessor struct {
	due   []expiry
	next  clock.Reading // when the timer rings; 0 for no timer
	asked []renewal     // renewals that a server has forwarded to the leader
}

// An expiry is the end of one lease.
type expiry struct {
	lease   uint64
	at      clock.Reading
	revoked bool // its revocation is on its way
}

// A renewal asks the leader to keep a lease alive, and returns with the result.
type renewal struct {
	number uint64
	origin uint64 // the server that was asked
	lease  uint64
	ask    sim.Ask
	alive  bool
	ttl    time.Duration
}

// promote starts to count, when the server has become leader.
func (l *lessor) promote(n *Node) {
	l.due = l.due[:0]
	for _, s := range n.state.leases {
		l.due = append(l.due, expiry{lease: s.id, at: n.host.Mono().Add(s.ttl + n.cluster.config.Election)})
	}
	l.arm(n)
}

// demote stops counting.
func (l *lessor) demote() { l.due, l.next = l.due[:0], 0 }

// applied updates the leases after an entry of the log.
func (l *lessor) applied(n *Node, request, reply any) {
	r, ok := reply.(*Reply)
	if !n.leads || !ok {
		return
	}
	switch q := request.(type) {
	case *Grant:
		l.begin(n, r.Lease)
	case *Revoke:
		l.due = slices.DeleteFunc(l.due, func(e expiry) bool { return e.lease == q.Lease })
		l.begin(n, r.Lease)
	}
}

// begin counts the time of a lease that the leader does not count yet; 0 for none.
func (l *lessor) begin(n *Node, id uint64) {
	if i := n.state.lease(id); i >= 0 && l.find(id) == nil {
		l.due = append(l.due, expiry{lease: id, at: n.host.Mono().Add(n.state.leases[i].ttl)})
		l.arm(n)
	}
}

func (l *lessor) find(lease uint64) *expiry {
	for i := range l.due {
		if l.due[i].lease == lease {
			return &l.due[i]
		}
	}
	return nil
}

// arm sets the timer for the first end, if it does not ring by then. A timer that rings too early is set again.
func (l *lessor) arm(n *Node) {
	first := clock.Reading(0)
	for _, e := range l.due {
		if !e.revoked && (first == 0 || e.at < first) {
			first = e.at
		}
	}
	if first == 0 || l.next != 0 && l.next <= first {
		return
	}
	l.next = first
	n.after(first.Sub(n.host.Mono()), func() {
		if l.next == first {
			l.next = 0
			l.expire(n)
		}
	})
}

// expire proposes to revoke the leases that have ended.
func (l *lessor) expire(n *Node) {
	if !n.leads {
		return
	}
	var ended []uint64
	for i := range l.due {
		if e := &l.due[i]; !e.revoked && e.at <= n.host.Mono() {
			e.revoked = true
			ended = append(ended, e.lease)
		}
	}
	for _, id := range ended {
		n.propose(&proposal{request: &Revoke{Lease: id}, at: n.host.Mono()})
	}
	l.arm(n)
}

// keepAlive answers a KeepAlive: at the leader once a majority has confirmed the leader, elsewhere when the leader has
// answered.
func (n *Node) keepAlive(a sim.Ask, k *KeepAlive) any {
	r := renewal{number: n.cluster.ask(), origin: n.id, lease: k.Lease, ask: a}
	switch {
	case n.leader == 0:
		return errLeader
	case n.leads && n.cluster.config.Flaws.Unconfirmed:
		return n.renew(k.Lease)
	case n.leads:
		n.reads.add(n, query{renew: &r})
	default:
		n.lessor.asked = append(n.lessor.asked, r)
		l := &n.mail[n.leader-1]
		l.renewals = append(l.renewals, r)
		n.post()
	}
	return sim.Later
}

// renewFor takes a renewal that another server forwards. A server that is not leader drops it.
func (n *Node) renewFor(r renewal) {
	switch {
	case !n.leads:
	case n.cluster.config.Flaws.Unconfirmed:
		n.renewNow(r)
	default:
		n.reads.add(n, query{renew: &r})
	}
}

// renewNow extends a lease, and answers the server that was asked.
func (n *Node) renewNow(r renewal) {
	reply := n.renew(r.lease)
	if renewed, ok := reply.(*Reply); ok {
		r.alive, r.ttl = true, renewed.TTL
	}
	switch {
	case r.origin == n.id:
		n.tell(r.ask, reply)
	case reply != errLeader:
		l := &n.mail[r.origin-1]
		l.renewed = append(l.renewed, r)
		n.post()
	}
}

// renew extends a lease by its full TTL. A lease whose revocation is on its way counts as gone.
func (n *Node) renew(lease uint64) any {
	if !n.leads {
		return errLeader
	}
	e, i := n.lessor.find(lease), n.state.lease(lease)
	if e == nil || i < 0 || e.revoked {
		return ErrLease
	}
	e.at = n.host.Mono().Add(n.state.leases[i].ttl)
	return &Reply{Revision: n.state.revision, Lease: lease, TTL: n.state.leases[i].ttl}
}

// renewed answers the client of a forwarded renewal.
func (l *lessor) renewed(n *Node, r renewal) {
	i := slices.IndexFunc(l.asked, func(a renewal) bool { return a.number == r.number })
	if i < 0 {
		return
	}
	var reply any = ErrLease
	if r.alive {
		reply = &Reply{Revision: n.state.revision, Lease: r.lease, TTL: r.ttl}
	}
	n.tell(l.asked[i].ask, reply)
	l.asked = slices.Delete(l.asked, i, i+1)
}
