package sim

import (
	"errors"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/sim/simtest"
)

// Why fields are in no state.
const (
	itself   = "it is the same in two runs that are compared"
	visited  = "what it points at is visited by itself"
	replayed = "it is for the record, and nothing that happens asks for it"
	guests   = "it is of guests, and runs with guests are not compared"
	between  = "it is set while something happens, and no state is taken then"
	disk     = "it is set only while the disk of its host stalls, which makes the state unknown"
)

// A moment has all kinds of things under way at 5ms: requests and replies, a proc that asks in parallel, one that
// sleeps, a paused client whose timer was due, a paused server with a request in its buffer, and one that is slow.
func moment(t *testing.T, look func(w *World, at clock.Instant)) {
	c := Config{
		Step: Range{time.Microsecond, 2 * time.Microsecond}, Serve: Range{time.Microsecond, 2 * time.Microsecond},
		Latency: Range{time.Millisecond, time.Millisecond + time.Microsecond}, Loss: 1, Tick: time.Millisecond,
	}
	var w *pair
	looked := false
	c.Look = func(at clock.Instant) bool {
		if at == 5*ms {
			looked = true
			look(w.World, at)
		}
		return at < 5*ms
	}
	w = newPair(t, c)
	m, e := w.AddHost("m", &echo{}, 0, 0), w.AddHost("e", nil, 0, 0)
	w.At(0, func() { w.Slow(w.n, w.c, 20*time.Millisecond) })
	w.At(2*ms, m.Pause)
	w.At(2*ms, e.Pause)
	w.At(6*ms, func() {})
	e.Go("main", func(p *Proc) { p.Sleep(3 * time.Millisecond) })
	w.c.Go("early", func(p *Proc) { _, _ = p.Call(w.n.ID, "early", 30*time.Millisecond) })
	w.c.Go("main", func(p *Proc) {
		p.Sleep(4 * time.Millisecond)
		_, _ = p.Call(w.n.ID, "main", 9*time.Millisecond)
	})
	w.c.Go("waits", func(p *Proc) {
		p.Sleep(2*time.Millisecond + 100*time.Microsecond)
		_, _ = p.Call(m.ID, "waits", 30*time.Millisecond)
	})
	w.d.Go("both", func(p *Proc) {
		p.Draw(3)
		p.Sleep(4 * time.Millisecond)
		p.Together(2, func(int) { _, _ = p.Call(w.n.ID, "both", 9*time.Millisecond) })
	})
	w.Run()
	if !looked {
		t.Fatal("nobody looked")
	}
}

// Every field of what a world is made of counts in its digest, makes the state unknown, or has a reason not to.
func TestEachFieldOfAWorldIsInItsStateOrHasAReason(t *testing.T) {
	moment(t, func(w *World, at clock.Instant) {
		d := Digest{}
		digest := func() (uint64, bool) {
			d.Reset(0)
			w.Digest(&d, at)
			return d.Sum(), d.Opaque
		}
		if _, unknown := digest(); unknown {
			t.Error("the state is not known, so nothing is tried")
			return
		}
		all := gather(w)
		simtest.Parts(t, []*World{w}, worldParts, nil, digest)
		simtest.Parts(t, w.hosts, hostParts, map[string]func(*Host){
			"clock":   func(h *Host) { h.clock.Step(at, time.Second) },
			"service": func(h *Host) { h.service = struct{ Service }{} },
			"serving": func(h *Host) { h.serving.state++ },
			"procs":   func(h *Host) { h.procs = h.procs[:max(len(h.procs)-1, 0)] },
			"inbox":   func(h *Host) { h.inbox = h.inbox[:max(len(h.inbox)-1, 0)] },
			"stalled": func(h *Host) { h.stalled = h.stalled[:max(len(h.stalled)-1, 0)] },
			"sleeps":  func(h *Host) { h.sleeps = append(h.sleeps, sleep{lost: 1}) },
		}, digest)
		simtest.Parts(t, all.procs, procParts, map[string]func(*Proc){
			"steps":    func(p *Proc) { p.steps.state++ },
			"draws":    func(p *Proc) { p.draws.state++ },
			"wakes":    func(p *Proc) { p.wakes.state++ },
			"call":     func(p *Proc) { p.call = nil },
			"children": func(p *Proc) { p.children = p.children[:max(len(p.children)-1, 0)] },
			"conns":    func(p *Proc) { p.conns = nil },
		}, digest)
		links := make([]*link, len(w.links))
		for i := range w.links {
			links[i] = &w.links[i]
		}
		simtest.Parts(t, links, linkParts, map[string]func(*link){
			"latency": func(l *link) { l.latency.state++ },
			"losses":  func(l *link) { l.losses.state++ },
		}, digest)
		simtest.Parts(t, all.conns, connParts, map[string]func(*conn){
			"last": func(c *conn) { c.last[out], c.last[back] = at+7, at+9 },
			"held": func(c *conn) { c.held[out] = &HeldMessages{} },
		}, digest)
		simtest.Parts(t, all.calls, callParts, map[string]func(*call){
			"proc":    func(c *call) { c.proc = nil },
			"from":    func(c *call) { c.from = w.hosts[len(w.hosts)-1] },
			"to":      func(c *call) { c.to = w.hosts[len(w.hosts)-1] },
			"request": func(c *call) { c.request = "another" },
			"reply":   func(c *call) { c.reply = "another" },
			"err":     func(c *call) { c.err = errors.New("another") },
			"stream":  func(c *call) { c.stream = &Stream{} },
		}, digest)
		simtest.Parts(t, all.events, eventParts, map[string]func(*event){
			"kind": func(e *event) { e.kind = doFunc },
		}, digest)
	})
}

type gathered struct {
	procs  []*Proc
	conns  []*conn
	calls  []*call
	events []*event
}

func gather(w *World) (g gathered) {
	for i := range w.queue.heap {
		g.events = append(g.events, &w.queue.heap[i])
	}
	if w.queue.any {
		g.events = append(g.events, &w.queue.first)
	}
	for _, h := range w.hosts {
		g.procs = append(g.procs, h.procs...)
		for i := range h.inbox {
			g.events = append(g.events, &h.inbox[i])
		}
		for i := range h.stalled {
			g.events = append(g.events, &h.stalled[i])
		}
	}
	for _, p := range g.procs {
		for _, c := range p.conns {
			if c != nil {
				g.conns = append(g.conns, c)
			}
		}
	}
	for _, e := range g.events {
		if e.call != nil {
			g.calls = append(g.calls, e.call)
		}
	}
	return g
}

var worldParts = map[string]simtest.Part{
	"config": itself, "now": "the state is taken at an instant, which is added", "horizon": itself,
	"steps": "a run that is cut short proves nothing", "end": between, "started": itself, "blamed": replayed, "over": between,
	"stopped": between, "look": itself, "fault": between, "stack": between, "epilogue": itself, "limit": itself, "queue": visited,
	"hosts": visited, "links": visited, "cuts": "it is the sum of the cuts of the links", "disturbed": "it says which links are visited",
	"chances": "what servers draw is theirs to add", "watches": "what waits for a mark is known to who planned it",
	"marks": replayed, "trace": replayed, "running": between, "ready": between, "calls": replayed, "opened": replayed,
	"inFlight": "it counts calls that are visited", "live": "it counts procs that are visited",
	"background": "it counts procs that are visited", "planned": "it counts functions that are due, which are visited",
	"posted": "who posts has no state that is known", "parked": guests, "streams": guests, "pending": "a spare part",
	"recent": replayed, "learned": "a spare part", "procs": "those that live are visited, with their hosts", "spareHosts": "a spare part", "spareProcs": "a spare part",
	"spareConns": "a spare part",
	"spareCalls": "a spare part", "coroutines": "a spare part",
}

var hostParts = map[string]simtest.Part{
	"ID": simtest.Counts, "Name": itself, "world": itself, "clock": simtest.Counts, "service": simtest.Blinds, "starter": itself, "boot": itself,
	"serving": simtest.Counts, "procs": simtest.Counts, "pauses": simtest.Counts, "downs": simtest.Counts, "epoch": simtest.Counts,
	"suspensions": simtest.Blinds, "sleeps": simtest.Counts, "clockChanges": replayed, "stalls": simtest.Blinds, "refusals": simtest.Blinds,
	"stallTimes": "a server that asks for it logs each second, and its state is not known", "syncing": disk, "unsent": disk,
	"alarms": simtest.Blinds, "timers": simtest.Blinds, "conns": "who posts has no state that is known", "asking": between,
	"inbox": simtest.Counts, "stalled": simtest.Counts, "backlog": simtest.Counts,
}

var procParts = map[string]simtest.Part{
	"name": simtest.Counts, "host": visited, "world": itself, "routine": "what its code knows is what it has seen",
	"seen": simtest.Counts, "steps": simtest.Counts, "draws": simtest.Counts, "wakes": simtest.Counts, "conns": simtest.Counts,
	"parent": itself, "index": itself, "children": simtest.Counts, "do": "its code decides it, by what it has seen",
	"undone": simtest.Counts, "background": itself, "dead": simtest.Counts, "blind": simtest.Blinds, "parked": guests,
	"hasty": simtest.Counts, "waiting": simtest.Counts, "deadline": simtest.Counts, "timer": simtest.Counts, "call": simtest.Counts,
	"reply": "it is in what it has seen before anything else happens", "err": "it is in what it has seen before anything else happens",
}

var linkParts = map[string]simtest.Part{
	"seeded": simtest.Counts, "cuts": simtest.Counts, "loss": simtest.Counts, "slow": simtest.Counts, "holds": simtest.Blinds,
	"latency": simtest.Counts, "losses": simtest.Counts, "sent": replayed, "dials": guests, "lost": replayed,
	"name": itself, "lossy": itself,
}

var connParts = map[string]simtest.Part{
	"id": replayed, "from": itself, "born": "a server that asks for it has subscribers or a group, and its state is not known",
	"left": simtest.Counts, "last": simtest.Counts, "held": simtest.Blinds,
}

var callParts = map[string]simtest.Part{
	"id": replayed, "proc": simtest.Counts, "from": simtest.Counts, "to": simtest.Counts, "conn": visited, "epoch": simtest.Counts,
	"request": simtest.Counts, "reply": simtest.Counts, "err": simtest.Counts,
	"travel": "when it arrives is known, but of a message that is held, whose state is not", "post": simtest.Blinds,
	"late": simtest.Blinds, "stream": simtest.Blinds,
}

var eventParts = map[string]simtest.Part{
	"at": simtest.Counts, "seq": "events are added in their order", "kind": simtest.Counts, "buffered": simtest.Counts, "proc": visited, "call": visited,
	"do": "what was planned is known to who planned it",
}
