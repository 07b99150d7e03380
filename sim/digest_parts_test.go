package sim

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/clock"
)

// A model is a world whose digest is put together by hand: two servers, and two clients with a proc each.
type model struct {
	*World
	n0, n1, c, e *Host
	p, q         *Proc // of the clients
}

func modelled(config Config) *model {
	w := New(config) // it never runs, so that there is nothing to close
	m := &model{World: w, n0: w.AddHost("n0", &told{}, 0, 0), n1: w.AddHost("n1", &told{}, 0, 0), c: w.AddHost("c", nil, 0, 0), e: w.AddHost("e", nil, 0, 0)}
	m.p, m.q = &Proc{name: "main", host: m.c, world: w}, &Proc{name: "main", host: m.e, world: w}
	m.c.procs, m.e.procs = []*Proc{m.p}, []*Proc{m.q}
	return m
}

type told struct { // a service, a reply and a request, whose state may be unknown
	n      uint64
	opaque bool
}

func (*told) Serve(any) any { return nil }

func (o *told) Digest(d *Digest, lane int) {
	d.Add(lane, o.n)
	d.Opaque = d.Opaque || o.opaque
}

// sum returns a digest with lanes lanes, and whether the state is unknown.
func sum(lanes int, add func(d *Digest)) (uint64, bool) {
	var d Digest
	d.Reset(lanes)
	add(&d)
	return d.Sum(), d.Opaque
}

// apart checks that states are known and have different digests, and that each has one.
func apart(t *testing.T, what string, lanes int, states ...func(d *Digest)) {
	t.Helper()
	var all []uint64
	for i, state := range states {
		s, unknown := sum(lanes, state)
		if again, _ := sum(lanes, state); unknown || again != s {
			t.Errorf("%s: state %d is unknown, or has two digests", what, i)
		}
		if slices.Contains(all, s) {
			t.Errorf("%s is not in a state: %d has the digest of one before", what, i)
		}
		all = append(all, s)
	}
}

// alike checks that states have one digest.
func alike(t *testing.T, what string, lanes int, a, b func(d *Digest)) {
	t.Helper()
	if a, _ := sum(lanes, a); a != first(sum(lanes, b)) {
		t.Errorf("%s makes another state", what)
	}
}

func first(s uint64, _ bool) uint64 { return s }

// blind checks that a state is unknown.
func blind(t *testing.T, what string, state func(d *Digest)) {
	t.Helper()
	if _, unknown := sum(2, state); !unknown {
		t.Errorf("%s is in a state that is known", what)
	}
}

func TestEachKindOfValueCountsInADigest(t *testing.T) {
	for what, values := range map[string][]any{
		"a text": {"a", "b", "ab", "abcdefgh", "abcdefghi", "abcdefghj"}, "a number": {int64(1), int64(2)}, "a small number": {1, 2},
		"a number without sign": {uint64(1), uint64(2)}, "a truth": {true, false}, "nothing": {nil, int64(7), []any{}},
		"texts": {[]string{"a"}, []string{"b"}, []string{"a", "b"}, []string{}}, "a list": {[]any{1}, []any{2}, []any{1, 2}},
		"an error": {errors.New("a"), errors.New("b")}, "a state": {&told{n: 1}, &told{n: 2}},
		"a state in a list": {[]any{&told{n: 1}}, []any{&told{n: 2}}},
	} {
		var states []func(*Digest)
		for _, v := range values {
			states = append(states, func(d *Digest) { d.Value(-1, v) })
		}
		apart(t, what, 0, states...)
	}
	apart(t, "where a text ends", 0, func(d *Digest) { d.Text(-1, ""); d.Text(-1, "a") }, func(d *Digest) { d.Text(-1, "a"); d.Text(-1, "") })
	apart(t, "how many texts there are", 0, func(d *Digest) { d.Value(-1, []string{"a"}); d.Text(-1, "b") },
		func(d *Digest) { d.Value(-1, []string{"a", "b"}) })
	for what, v := range map[string]any{
		"a struct": struct{}{}, "one in a list": []any{struct{}{}}, "an unknown state": &told{opaque: true}, "one of a list": []any{&told{opaque: true}},
	} {
		blind(t, what, func(d *Digest) { d.Value(-1, v) })
	}
}

func TestALaneIsInTheDigestWhicheverItIs(t *testing.T) {
	one := func(lane int, v uint64) func(*Digest) { return func(d *Digest) { d.Add(lane, v) } }
	apart(t, "what is in a lane", 2, one(0, 1), one(0, 2), one(-1, 1))
	alike(t, "which lane it is", 2, one(0, 1), one(1, 1))
	apart(t, "a host without a lane", 1, func(d *Digest) { d.named(1) }, func(d *Digest) { d.named(2) })
	alike(t, "a host with a lane", 2, func(d *Digest) { d.named(0) }, func(d *Digest) { d.named(1) })
	m := modelled(Config{})
	empty := newWorld(t, Config{})
	apart(t, "the instant", 0, func(d *Digest) { empty.Digest(d, 5) }, func(d *Digest) { empty.Digest(d, 6) })
	apart(t, "which server is off", 0, func(d *Digest) { m.n0.downs = 1; m.n0.digest(d, 0); m.n1.digest(d, 0); m.n0.downs = 0 },
		func(d *Digest) { m.n1.downs = 1; m.n0.digest(d, 0); m.n1.digest(d, 0); m.n1.downs = 0 })
}

// Every answer to a proc is in what it has seen: its code can know nothing else.
func TestAnswersAreInTheDigestOfAProc(t *testing.T) {
	m := modelled(Config{Look: func(clock.Instant) bool { return true }})
	seen := func(do func(p *Proc)) (uint64, bool) {
		p := &Proc{host: m.c, world: m.World}
		m.running = p
		do(p)
		return uint64(p.seen), p.blind
	}
	heard := func(reply any, err error) func(*Proc) {
		return func(p *Proc) { p.reply, p.err = reply, err; p.heard() }
	}
	for what, all := range map[string][]func(*Proc){
		"a clock":             {func(p *Proc) { p.saw(1) }, func(p *Proc) { p.saw(2) }},
		"an error":            {heard(nil, errors.New("a")), heard(nil, errors.New("b"))},
		"a reply":             {heard("a", nil), heard("b", nil)},
		"a reply with states": {heard(&told{n: 1}, nil), heard(&told{n: 2}, nil)},
		"a mark":              {func(p *Proc) { p.passed("a") }, func(p *Proc) { p.passed("b") }},
		"a draw":              {func(p *Proc) { p.drew(1) }, func(p *Proc) { p.drew(2) }},
		"what it keeps":       {func(p *Proc) { p.Forget(1) }, func(p *Proc) { p.Forget(2) }, func(p *Proc) { p.Forget() }},
		"what it knows":       {func(p *Proc) { p.Know("a") }, func(p *Proc) { p.Know("b") }},
	} {
		var sums []uint64
		for i, do := range all {
			s, unknown := seen(do)
			if unknown || slices.Contains(sums, s) {
				t.Errorf("%s is not in what a proc has seen: %d is as one before, or unknown", what, i)
			}
			sums = append(sums, s)
		}
	}
	for what, do := range map[string]func(*Proc){
		"a reply of an unknown type":  heard(struct{}{}, nil),
		"a reply of an unknown state": heard(&told{opaque: true}, nil),
		"the draw of a child":         func(p *Proc) { p.parent = m.p; p.drew(1) },
		"knowledge of unknown type":   func(p *Proc) { p.Know(struct{}{}) },
	} {
		if _, unknown := seen(do); !unknown {
			t.Errorf("%s is taken for known", what)
		}
	}
	alike(t, "what it has forgotten", 0, func(d *Digest) { d.Add(-1, first(seen(func(p *Proc) { p.saw(1); p.Forget() }))) },
		func(d *Digest) { d.Add(-1, first(seen(func(p *Proc) { p.saw(2); p.Forget() }))) })
}

// The order of simultaneous events counts between clients, and between a client's messages from nodes and its own
// timers. It does not count between messages from several nodes.
func TestTheOrderOfWhatIsDueCountsWhereItMatters(t *testing.T) {
	m := modelled(Config{})
	m.p.waiting, m.p.timer, m.q.waiting, m.q.timer = true, 5, true, 5
	second := &Proc{name: "second", host: m.c, world: m.World, waiting: true, timer: 5}
	timer := func(p *Proc, at clock.Instant) *event { return &event{at: at, kind: doTimer, proc: p} }
	reply := func(from, to *Host) *event {
		return &event{at: 5, kind: doReply, call: &call{from: to, to: from, proc: m.p, conn: &conn{}, reply: "x"}}
	}
	due := func(events ...*event) func(*Digest) { return func(d *Digest) { m.digestDue(d, events) } }
	waiting := func(events ...*event) func(*Digest) {
		return func(d *Digest) {
			var all []event
			for _, e := range events {
				all = append(all, *e)
			}
			m.c.digestWaiting(d, all)
		}
	}
	n0c, n1c, n1e := reply(m.n0, m.c), reply(m.n1, m.c), reply(m.n1, m.e)
	for _, lanes := range []int{0, 2} {
		apart(t, "when something is due", lanes, due(timer(m.p, 5)), due(timer(m.p, 6)))
		apart(t, "whose a timer is", lanes, due(timer(m.p, 5)), due(timer(m.q, 5)), due(timer(second, 5)))
		apart(t, "that it is a timer", lanes, due(timer(m.p, 5)), due(&event{at: 5, kind: doWake, proc: m.p}), due(&event{at: 5, kind: doFunc}))
		apart(t, "the order of a client's timer and of its reply", lanes, due(timer(m.p, 5), n0c), due(n0c, timer(m.p, 5)))
		apart(t, "the order of two clients' replies", lanes, due(n0c, n1e), due(n1e, n0c))
		apart(t, "the order of what waits in a paused client", lanes, waiting(timer(m.p, 5), n0c), waiting(n0c, timer(m.p, 5)), waiting(n0c))
		apart(t, "whose the timer is that waits", lanes, waiting(timer(m.p, 5)), waiting(timer(second, 5)))
		alike(t, "a second timer of one proc", lanes, due(timer(m.p, 5)), due(timer(m.p, 5), timer(m.p, 5)))
	}
	alike(t, "the order of what a client gets from two nodes", 2, due(n0c, n1c), due(n1c, n0c))
	apart(t, "where something waits", 0, func(d *Digest) { m.c.inbox = []event{*n0c}; m.c.digest(d, 0); m.c.inbox = nil },
		func(d *Digest) { m.c.stalled = []event{*n0c}; m.c.digest(d, 0); m.c.stalled = nil })
	for _, k := range []kind{doTick, doSend} {
		blind(t, "a tick or what a guest sends", due(&event{at: 5, kind: k}))
	}
}

func TestEachPartOfAMessageCounts(t *testing.T) {
	m := modelled(Config{})
	plain := call{from: m.c, to: m.n0, proc: m.p, conn: &conn{}, request: "x"}
	with := func(change func(*call)) func(*Digest) {
		c := plain
		change(&c)
		return func(d *Digest) { m.digestEvent(d, &event{kind: doRequest, call: &c}, min(c.from.ID, c.to.ID)) }
	}
	as := with(func(*call) {})
	apart(t, "a part of a request", 0, as, with(func(c *call) { c.to = m.n1 }), with(func(c *call) { c.from = m.e }),
		with(func(c *call) { c.proc = nil }), with(func(c *call) { c.epoch = 7 }), with(func(c *call) { c.conn = &conn{left: true} }),
		with(func(c *call) { c.request = "y" }))
	dead := &Proc{dead: true}
	alike(t, "a caller that has died, and not one that has given up,", 0, with(func(c *call) { c.proc = nil }), with(func(c *call) { c.proc = dead }))
	answer := func(reply any, err error) func(*Digest) {
		c := plain
		c.reply, c.err = reply, err
		return func(d *Digest) { m.digestEvent(d, &event{kind: doReply, call: &c}, 0) }
	}
	apart(t, "a reply", 0, as, answer("x", nil), answer("y", nil), answer(nil, errors.New("a")), answer(nil, errors.New("b")))
	for what, change := range map[string]func(*call){
		"a post": func(c *call) { c.post = true }, "a late answer": func(c *call) { c.late = true },
		"a guest's message": func(c *call) { c.stream = &Stream{} }, "an unknown request": func(c *call) { c.request = struct{}{} },
	} {
		blind(t, what, with(change))
	}
}

func TestEachPartOfALinkCounts(t *testing.T) {
	const some = 500_000
	m := modelled(Config{})
	of := func(l link, src, dst *Host) func(*Digest) { return func(d *Digest) { l.digest(d, src, dst) } }
	cut := disturbed(1, 0, 0)
	apart(t, "which link it is", 0, of(cut, m.n0, m.c), of(cut, m.n1, m.c), of(cut, m.c, m.n0), of(cut, m.e, m.n0))
	apart(t, "a part of a link", 0, of(disturbed(0, 0, 0), m.n0, m.c), of(cut, m.n0, m.c), of(disturbed(2, 0, 0), m.n0, m.c),
		of(disturbed(0, some, 0), m.n0, m.c), of(disturbed(0, some+1, 0), m.n0, m.c), of(disturbed(0, 0, 1), m.n0, m.c), of(disturbed(0, 0, 2), m.n0, m.c))
	h := disturbed(0, 0, 0)
	h.holds = []*HeldMessages{{}}
	blind(t, "a link that holds messages", of(h, m.n0, m.c))
	lossy := func(state uint64) link {
		l := disturbed(0, some, 0)
		l.seeded, l.losses.state = true, state
		return l
	}
	apart(t, "what a lossy link draws", 0, of(lossy(1), m.n0, m.c), of(lossy(2), m.n0, m.c))
	draws := func(c Config, latency, losses uint64) func(*Digest) {
		w := modelled(c)
		l := w.link(w.n0, w.c)
		l.seeded, l.latency.state, l.losses.state = true, latency, losses
		return func(d *Digest) { w.digestLinks(d) }
	}
	slow, loses := Config{Latency: Range{1, 2}}, Config{Latency: Range{1, 1}, Loss: some}
	apart(t, "what links draw of latency", 0, draws(slow, 1, 0), draws(slow, 2, 0))
	apart(t, "what links draw of loss", 0, draws(loses, 0, 1), draws(loses, 0, 2))
	cutOff := func(state uint64) func(*Digest) { // for a while, after which it draws as before
		w, l := modelled(loses), lossy(state)
		l.loss = 1_000_000 + some
		return of(l, w.n0, w.c)
	}
	apart(t, "what a link will draw of the world's loss", 0, cutOff(1), cutOff(2))
}

// disturbed returns a link to which something was done.
func disturbed(cuts int32, loss int, slow time.Duration) link {
	return link{cuts: cuts, loss: loss, slow: slow}
}

func TestEachPartOfAHostCounts(t *testing.T) {
	m := modelled(Config{})
	with := func(h *Host, change func()) func(*Digest) {
		return func(d *Digest) {
			kept := *h
			change()
			h.digest(d, 3*ms)
			*h = kept
		}
	}
	apart(t, "what a service says", 0, with(m.n0, func() {}), with(m.n0, func() { m.n0.service = &told{n: 1} }))
	apart(t, "how often a client was off", 0, with(m.c, func() {}), with(m.c, func() { m.c.epoch++ }))
	blind(t, "a host that two pause", with(m.c, func() { m.c.pauses = 2 }))
	apart(t, "a monotonic clock", 0, with(m.n0, func() {}), with(m.n0, func() {
		fast := clock.New(0, 100_000*clock.PPM)
		fast.Drift(ms, -100_000*clock.PPM)
		fast.Step(ms, -100*time.Microsecond) // its wall clock is right again
		m.n0.clock = fast
	}))
}

func TestEachPartOfAProcCounts(t *testing.T) {
	m := modelled(Config{})
	with := func(change func(p, q *Proc)) func(*Digest) {
		return func(d *Digest) {
			p, q := *m.p, *m.q
			change(m.p, m.q)
			m.c.digest(d, 3*ms)
			m.e.digest(d, 3*ms)
			*m.p, *m.q = p, q
		}
	}
	as := with(func(_, _ *Proc) {})
	busy := func(out, back clock.Instant) []*conn {
		return []*conn{{last: [2]clock.Instant{out, back}}, nil, nil, nil}
	}
	conns := func(p, q []*conn) func(*Digest) { return with(func(a, b *Proc) { a.conns, b.conns = p, q }) }
	quiet := busy(3*ms, 2*ms)
	for _, lanes := range []int{0, 2} {
		apart(t, "a part of a proc", lanes, as, with(func(p, _ *Proc) { p.name = "other" }), with(func(p, _ *Proc) { p.seen = 1 }),
			with(func(p, _ *Proc) { p.dead = true }), with(func(p, _ *Proc) { p.undone = 1 }), with(func(p, _ *Proc) { p.waiting = true }),
			with(func(p, _ *Proc) { p.waiting, p.deadline = true, 1 }), with(func(p, _ *Proc) { p.waiting, p.hasty = true, true }),
			with(func(p, _ *Proc) { p.waiting, p.call = true, &call{} }), with(func(_, q *Proc) { q.dead = true }))
		apart(t, "until when a connection is busy, and whose", lanes, conns(quiet, quiet), conns(busy(4*ms, 0), quiet), conns(busy(5*ms, 0), quiet),
			conns(busy(0, 4*ms), quiet), conns(busy(0, 5*ms), quiet), conns(quiet, busy(4*ms, 0)), conns(busy(4*ms, 5*ms), quiet))
		alike(t, "a connection that nothing waits for", lanes, conns(quiet, quiet), conns([]*conn{nil, nil, nil, nil}, quiet))
	}
	for way := range 2 {
		held := &conn{}
		held.held[way] = &HeldMessages{}
		blind(t, "a connection that is held up", conns([]*conn{held}, nil))
	}
	blind(t, "an unknown proc", with(func(p, _ *Proc) { p.blind = true }))
	asking := func(seen ...fold) func(*Digest) {
		return with(func(p, _ *Proc) {
			for i, s := range seen {
				p.children = append(p.children, &Proc{name: "x", host: m.c, world: m.World, parent: p, index: i, seen: s})
			}
		})
	}
	apart(t, "which child has seen what", 0, as, asking(1), asking(1, 2), asking(2, 1))
	alike(t, "which node a child asks", 2, asking(1, 2), asking(2, 1))
	blind(t, "a child of a child", with(func(p, _ *Proc) { p.children = []*Proc{{host: m.c, world: m.World, parent: p, children: []*Proc{m.q}}} }))
}
