package scenarios

import (
	"slices"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/sim"
)

// A way is what lies between a client and a node of the lock: both of them, and the links there and back.
type way struct {
	troubles int           // how many are in force
	since    clock.Instant // when the first of them began
}

// gatherOutages reads from the trace when each client and each node of the lock were out of touch: while anything was
// the matter with either, or with a link between them. Without faults nothing ever is.
func (r *Runner) gatherOutages() {
	switch {
	case len(r.scenario.Faults) == 0:
		return
	case r.folded():
		r.gatherGroup()
		return
	}
	n := r.scenario.Clients * len(r.servers)
	r.ways = slices.Grow(r.ways[:0], n)[:n]
	clear(r.ways)
	for _, e := range r.world.Trace() {
		if by := trouble(&e); by != 0 {
			r.disturb(&e, by)
		}
		if e.Kind == sim.DelaySet {
			r.late(&e)
		}
	}
	for i := range r.ways {
		if r.ways[i].troubles > 0 {
			r.outage(i, clock.Forever)
		}
	}
}

// trouble says what an event does to who it happens to: 1 begins a trouble, -1 ends one, 0 is no trouble. Loss and delay
// that are taken back are negative.
func trouble(e *sim.Event) int {
	switch e.Kind {
	case sim.Crashed, sim.Paused, sim.Suspended, sim.CutOff, sim.Held:
		return 1
	case sim.Started, sim.Resumed, sim.Woken, sim.Mended, sim.Freed:
		return -1
	case sim.LossSet:
		return sign(e.Body.(int64))
	case sim.DelaySet:
		return sign(int64(e.Body.(time.Duration)))
	}
	return 0
}

func sign(n int64) int {
	switch {
	case n > 0:
		return 1
	case n < 0:
		return -1
	}
	return 0
}

// disturb adds to the troubles of all ways that an event touches: those of its host, or the one between it and its peer.
func (r *Runner) disturb(e *sim.Event, by int) {
	if e.Peer >= 0 {
		if client, node, ok := r.between(e); ok {
			r.add(client, node, by, e.At)
		}
		return
	}
	client, node := int(e.Host)-r.clients[0].host.ID, int(e.Host)
	for c := range r.clients {
		for n := range r.servers {
			if c == client || n == node {
				r.add(c, n, by, e.At)
			}
		}
	}
}

// serving tells whether an event befell a server, or the way between two of them.
func (r *Runner) serving(e *sim.Event) bool {
	server := func(host int16) bool {
		return int(host) < len(r.servers) || r.scenario.platform() == onReplicas && int(host) == r.observerID
	}
	return server(e.Host) && (e.Peer < 0 || server(e.Peer))
}

// late puts on record that messages are still on their way when a delay is taken back. One that asks for the lock takes it
// when it arrives, though its attempt has been given up and its release has overtaken it.
func (r *Runner) late(e *sim.Event) {
	by := e.Body.(time.Duration)
	if by >= 0 {
		return
	}
	if client, node, ok := r.between(e); ok {
		r.evidence.Outages = append(r.evidence.Outages, checker.Outage{Client: client, Node: node, From: e.At, To: e.At.Add(-by)})
	}
}

// underWay is how much later than usual a message between servers may still arrive, though all delays have been taken back.
// What is sent after it by the same connection waits for it.
func (r *Runner) underWay() (most time.Duration) {
	if !r.folded() {
		return 0
	}
	for _, e := range r.world.Trace() {
		if e.Kind == sim.DelaySet && r.serving(&e) {
			most = max(most, -e.Body.(time.Duration)-r.world.Now().Sub(e.At))
		}
	}
	return most
}

// between gives the client and the node of the link that an event is about. It is false for a link of no account, such as
// one to storage.
func (r *Runner) between(e *sim.Event) (client, node int, ok bool) {
	first := r.clients[0].host.ID
	client, node = max(int(e.Host), int(e.Peer))-first, min(int(e.Host), int(e.Peer))
	return client, node, client >= 0 && client < len(r.clients) && node < len(r.servers)
}

// add changes the troubles of one way.
func (r *Runner) add(client, node, by int, at clock.Instant) {
	i := client*len(r.servers) + node
	w := &r.ways[i]
	if w.troubles == 0 {
		w.since = at
	}
	if w.troubles += by; w.troubles == 0 {
		r.outage(i, at)
	}
}

// outage puts an outage of the way on record, unless it was over at once.
func (r *Runner) outage(i int, to clock.Instant) {
	if from := r.ways[i].since; from < to {
		r.evidence.Outages = append(r.evidence.Outages, checker.Outage{
			Client: i / len(r.servers), Node: i % len(r.servers), From: from, To: to,
		})
	}
}
