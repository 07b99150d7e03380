package scenarios

import (
	"math/bits"
	"slices"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/scenarios/locks"
	"github.com/lockstorm/lockstorm/sim"
)

// A client of a raft service needs no majority of its servers. It needs the service: a majority of servers that are well
// and in touch with each other, and one of them that it reaches itself. The service bears it that a minority is off, is
// paused or is cut off, and so must the lock. Where it is not plain who agrees with whom, nothing is asked of the lock:
// when a server that some of the others hear is not heard by the rest, or when messages between servers are late or lost.

// A group is what is known of a raft service while outages are gathered.
type group struct {
	ties  []tie           // from each host to each host; the one to itself is the host's own
	heard uint            // the servers that agree, a bit for each; 0 when none do
	since []clock.Instant // by client: when it lost touch with them; Forever while it has not
}

// A tie counts what is the matter with a host, or with the link from one to another.
type tie struct{ troubles, cuts int }

// gatherGroup reads from the trace when each client was out of touch with the service.
func (r *Runner) gatherGroup() {
	g, hosts := &r.group, len(r.world.Hosts())
	g.ties = slices.Grow(g.ties[:0], hosts*hosts)[:hosts*hosts]
	clear(g.ties)
	g.heard = 1<<len(r.servers) - 1
	g.since = slices.Repeat([]clock.Instant{clock.Forever}, len(r.clients))
	for _, e := range r.world.Trace() {
		if by := trouble(&e); by != 0 {
			r.tied(&e).count(&e, by)
			r.regroup(e.At)
		}
		if e.Kind == sim.DelaySet {
			r.straggle(&e)
		}
	}
	for c, since := range g.since {
		r.untouched(c, since, clock.Forever)
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

// regroup finds anew who agrees and who is in touch with them. Where others agree than before, or as many again, they
// may first have to elect a leader.
func (r *Runner) regroup(at clock.Instant) {
	g, now := &r.group, r.agreeing()
	changed := now != g.heard
	g.heard = now
	for c := range r.clients {
		switch reaches := r.reaches(c); {
		case !reaches:
			g.since[c] = min(g.since[c], at)
		case g.since[c] != clock.Forever:
			r.untouched(c, g.since[c], at)
			g.since[c] = clock.Forever
		}
		if changed && now != 0 {
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

// whole tells whether nothing is the matter among some servers, and each other one is away.
func (r *Runner) whole(some uint) bool {
	for a := range r.servers {
		for b := range r.servers {
			switch in, out := some>>a&1 == 1, some>>b&1 == 0; {
			case !in:
			case !out && r.tie(a, b).troubles > 0:
				return false
			case out && r.tie(b, b).troubles == 0 && r.tie(a, b).cuts == 0 && r.tie(b, a).cuts == 0:
				return false
			}
		}
	}
	return true
}

// reaches tells whether a client is well, and in touch with a server of those that agree: with its own, if it goes on to
// no other.
func (r *Runner) reaches(c int) bool {
	host := r.clients[c].host.ID
	if r.tie(host, host).troubles > 0 {
		return false
	}
	for n := range r.servers {
		own := !r.scenario.Lock.Session.Stay || n == c%len(r.servers)
		if own && r.group.heard>>n&1 == 1 && r.tie(host, n).troubles == 0 && r.tie(n, host).troubles == 0 {
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
	client, _, ok := r.between(e)
	for c := range r.clients {
		if r.serving(e) || ok && c == client {
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
