package scenarios

import (
	"math/bits"
	"slices"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/scenarios/locks"
	"github.com/lockstorm/lockstorm/sim"
	"github.com/lockstorm/lockstorm/sim/redis"
)

// A client of a service needs no majority of its servers. It needs the service.
//
// A raft service is a majority of servers that are well and in touch with each other, and a client must reach one of
// them. A group of Redis servers is the one that the observer takes for master, as many replicas as it must have, and the
// observer; a client must reach the observer and that master. Both bear it that others are off, are paused or are cut
// off, once they have had the time to elect or to promote another, and so must the lock. Where it is not plain who works
// together, nothing is asked of it: when a server that some of the others hear is not heard by the rest, or when
// messages between servers are late or lost.

// A group is what is known of a service while outages are gathered.
type group struct {
	ties   []tie           // from each host to each host; the one to itself is the host's own
	master int             // of Redis servers; -1 where there is no such thing
	terms  []redis.Term    // those to come
	heard  uint            // the servers that work together, a bit for each; 0 when none do
	since  []clock.Instant // by client: when it lost touch with them; Forever while it has not
}

// A tie counts what is the matter with a host, or with the link from one to another.
type tie struct{ troubles, cuts int }

// gatherGroup reads from the trace when each client was out of touch with the service.
func (r *Runner) gatherGroup() {
	g, hosts := &r.group, len(r.world.Hosts())
	g.ties = slices.Grow(g.ties[:0], hosts*hosts)[:hosts*hosts]
	clear(g.ties)
	g.master, g.terms, g.heard = -1, nil, 1<<len(r.servers)-1
	if r.scenario.platform() == onReplicas {
		g.master, g.terms = r.servers[0], r.observer.Terms()[1:]
	}
	g.since = slices.Repeat([]clock.Instant{clock.Forever}, len(r.clients))
	for _, e := range r.world.Trace() {
		r.promoted(e.At)
		if by := trouble(&e); by != 0 {
			r.tied(&e).count(&e, by)
			r.regroup(e.At, false)
		}
		if e.Kind == sim.DelaySet {
			r.straggle(&e)
		}
	}
	r.promoted(clock.Forever - 1)
	for c, since := range g.since {
		r.untouched(c, since, clock.Forever)
	}
}

// promoted takes note of who has become master by a moment.
func (r *Runner) promoted(by clock.Instant) {
	for g := &r.group; len(g.terms) > 0 && g.terms[0].From <= by; g.terms = g.terms[1:] {
		g.master = g.terms[0].Node
		r.regroup(g.terms[0].From, true)
	}
}

// tied gives the tie that an event is about.
func (r *Runner) tied(e *sim.Event) *tie {
	to := e.Peer
	if to < 0 {
		to = e.Host
	}
	return r.tie(int(e.Host), int(to))
}

func (r *Runner) tie(from, to int) *tie { return &r.group.ties[from*len(r.world.Hosts())+to] }

func (t *tie) count(e *sim.Event, by int) {
	t.troubles += by
	if e.Kind == sim.CutOff || e.Kind == sim.Mended {
		t.cuts += by
	}
}

// regroup finds anew who works together and who is in touch with them. A raft service may first have to elect a leader, if
// they are others than before; and a master must get to know what it is.
func (r *Runner) regroup(at clock.Instant, promoted bool) {
	g, before := &r.group, r.group.heard
	if g.master < 0 {
		g.heard = r.agreeing()
	} else {
		g.heard = r.following()
	}
	changed := promoted || before == 0 || g.master < 0 && before != g.heard
	for c := range r.clients {
		switch reaches := r.reaches(c); {
		case !reaches:
			g.since[c] = min(g.since[c], at)
		case g.since[c] != clock.Forever:
			r.untouched(c, g.since[c], at)
			g.since[c] = clock.Forever
		}
		if changed && g.heard != 0 {
			r.untouched(c, at, at.Add(r.scenario.slowed(r.scenario.settling())))
		}
	}
}

// agreeing gives the servers that are a majority, well, in touch with each other, and heard by nobody else. There are no
// two such groups.
func (r *Runner) agreeing() uint {
	for some := range uint(1) << len(r.servers) {
		if bits.OnesCount(some) >= locks.Majority(len(r.servers)) && r.whole(some) {
			return some
		}
	}
	return 0
}

// following gives the master and the replicas that are well, if nothing is the matter among them and the observer, and they
// are as many as the master needs.
func (r *Runner) following() (some uint) {
	g, s := &r.group, r.scenario
	if r.strained(g.master, g.master) || r.strained(r.observerID, r.observerID) || r.strained(g.master, r.observerID) {
		return 0
	}
	for n := range r.servers {
		switch {
		case r.strained(n, n), r.cut(n, g.master) && r.cut(n, r.observerID):
		case r.strained(n, g.master), r.strained(n, r.observerID):
			return 0
		default:
			some |= 1 << n
		}
	}
	if bits.OnesCount(some) <= max(s.Replicas.MinGood, s.Lock.Failover.Wait) {
		return 0
	}
	return some
}

// strained tells whether anything is the matter between two hosts, either way; or with one host, if they are the same.
func (r *Runner) strained(a, b int) bool { return r.tie(a, b).troubles > 0 || r.tie(b, a).troubles > 0 }

// cut tells whether two hosts do not hear each other, or one does not.
func (r *Runner) cut(a, b int) bool { return r.tie(a, b).cuts > 0 || r.tie(b, a).cuts > 0 }

// whole tells whether nothing is the matter among some servers, and each other one is away.
func (r *Runner) whole(some uint) bool {
	for a := range r.servers {
		for b := range r.servers {
			switch in, out := some>>a&1 == 1, some>>b&1 == 0; {
			case !in:
			case !out && r.strained(a, b), out && !r.strained(b, b) && !r.cut(a, b):
				return false
			}
		}
	}
	return true
}

// reaches tells whether a client is well, and in touch with the master and the observer; or with a server of those that
// agree: with its own, if it goes on to no other.
func (r *Runner) reaches(c int) bool {
	host := r.clients[c].host.ID
	switch {
	case r.strained(host, host) || r.group.heard == 0:
		return false
	case r.group.master >= 0:
		return !r.strained(host, r.group.master) && !r.strained(host, r.observerID)
	}
	for n := range r.servers {
		own := !r.scenario.Lock.Session.Stay || n == c%len(r.servers)
		if own && r.group.heard>>n&1 == 1 && !r.strained(host, n) {
			return true
		}
	}
	return false
}

// straggle puts on record that messages are still on their way when a delay is taken back.
func (r *Runner) straggle(e *sim.Event) {
	by := e.Body.(time.Duration)
	if by >= 0 {
		return
	}
	if int(e.Host) == r.storageID || int(e.Peer) == r.storageID {
		return
	}
	for c := range r.clients {
		if host := r.clients[c].host.ID; r.serving(e) || int(e.Host) == host || int(e.Peer) == host {
			r.untouched(c, e.At, e.At.Add(-by))
		}
	}
}

// untouched puts on record that a client had no touch with the service: with none of its servers, as the judges are told.
func (r *Runner) untouched(client int, from, to clock.Instant) {
	if from >= to {
		return
	}
	for n := range r.servers {
		r.evidence.Outages = append(r.evidence.Outages, checker.Outage{Client: client, Node: n, From: from, To: to})
	}
}
