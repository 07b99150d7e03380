package sim

import (
	"math/bits"
	"slices"
	"time"

	"github.com/lockstorm/lockstorm/clock"
)

// A Digest is a fingerprint of everything in a world, between two events, that can matter later. Two runs whose worlds
// have equal digests at the same instant continue alike, if services and procs have added what they know.
//
// The first hosts of the world may be interchangeable, like the nodes of a lock that asks all of them alike. Each has a
// separate lane, and lanes are sorted before they are summed. So two worlds that differ only in which node is which
// have one digest.
//
// The knowledge of a proc is in the variables of its code and can't be looked up. But the code is the same, and it
// knows only the answers of the world, so these are added. A digest has 64 bits: among ten million states the chance
// that any two share one is three in a million.
type Digest struct {
	Opaque bool // part of the world has no known digest: no other state is known to be equal

	rest  fold
	lanes []fold
}

// A fold is a sum of numbers in order.
type fold uint64

// The primes of XXH64 (Collet, 2012).
const (
	prime1 = 0x9e3779b185ebca87
	prime2 = 0xc2b2ae3d27d4eb4f
	prime4 = 0x85ebca77c2b2ae63
)

// add is a round of XXH64. After the same number, folds that differ still differ. So do equal folds after different
// numbers.
func (f *fold) add(v uint64) {
	*f = fold(bits.RotateLeft64(uint64(*f)^bits.RotateLeft64(v*prime2, 31)*prime1, 27)*prime1 + prime4)
}

// addText adds a text, eight bytes at a time.
func (f *fold) addText(s string) {
	f.add(uint64(len(s)))
	for ; len(s) >= 8; s = s[8:] {
		f.add(uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
			uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56)
	}
	if len(s) > 0 {
		rest := uint64(0)
		for i := range len(s) {
			rest |= uint64(s[i]) << (8 * i)
		}
		f.add(rest)
	}
}

// packed puts small counts into one number.
func packed(counts ...int) (v uint64) {
	for _, c := range counts {
		v = v<<12 | uint64(c)
	}
	return v
}

// A Digester adds what it knows to a digest: a Service whose state can matter later, a request or a reply.
type Digester interface {
	Digest(d *Digest, lane int)
}

// Reset clears the digest, and sets its number of lanes.
func (d *Digest) Reset(lanes int) {
	d.rest, d.Opaque = 0, false
	d.lanes = slices.Grow(d.lanes[:0], lanes)[:lanes]
	clear(d.lanes)
}

// at returns the fold of a lane; without such a lane, the fold of the rest of the world.
func (d *Digest) at(lane int) *fold {
	if lane >= 0 && lane < len(d.lanes) {
		return &d.lanes[lane]
	}
	return &d.rest
}

// Add adds numbers to a lane. Without such a lane, such as -1, they belong to the rest of the world.
func (d *Digest) Add(lane int, values ...uint64) {
	f := d.at(lane)
	sum := *f
	for _, v := range values {
		sum.add(v)
	}
	*f = sum
}

// named adds the number of a host without its own lane; a host with a lane needs no number in it.
func (d *Digest) named(host int) {
	if host >= len(d.lanes) {
		d.Add(-1, uint64(host))
	}
}

// Text adds a text.
func (d *Digest) Text(lane int, s string) { d.at(lane).addText(s) }

// Value adds a request, a reply or any other value.
func (d *Digest) Value(lane int, v any) {
	if o, ok := v.(Digester); ok {
		o.Digest(d, lane)
		return
	}
	d.Opaque = !d.at(lane).addValue(v) || d.Opaque
}

// addValue adds a value of a plain type. It returns false for others.
func (f *fold) addValue(v any) bool {
	switch v := v.(type) {
	case nil:
		f.add(1)
	case string:
		f.addText(v)
	case int64:
		f.add(uint64(v))
	case int:
		f.add(uint64(v))
	case uint64:
		f.add(v)
	case bool:
		f.add(truth(v))
	case []string:
		f.add(uint64(len(v)))
		for _, s := range v {
			f.addText(s)
		}
	case []any:
		for _, x := range v {
			if !f.addValue(x) {
				return false
			}
		}
	case error:
		f.addText(v.Error())
	case Digester:
		var d Digest
		v.Digest(&d, -1)
		f.add(uint64(d.rest))
		return !d.Opaque
	default:
		return false
	}
	return true
}

// addChance adds the state of a stream, if it is used: even similar hosts have separate streams.
func (d *Digest) addChance(lane int, c *Chance, r Range) {
	if r.Max > r.Min {
		d.Add(lane, c.state)
	}
}

// drew adds a proc's random number. A child has its own stream, which no digest has.
func (p *Proc) drew(n uint64) {
	p.seen.add(n)
	p.blind = p.blind || p.parent != nil
}

func truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// Sum returns the digest as a number.
func (d *Digest) Sum() uint64 {
	slices.Sort(d.lanes)
	for _, l := range d.lanes {
		d.rest.add(uint64(l))
	}
	return mix(uint64(d.rest))
}

// saw returns a reading that a proc has asked for.
func (p *Proc) saw(r clock.Reading) time.Duration {
	p.seen.add(uint64(r))
	return time.Duration(r)
}

// heard adds the outcome of a call to what the proc knows. A reply of an unknown type can't be compared with others.
func (p *Proc) heard() {
	switch {
	case p.world.config.Look == nil: // no caller compares states
	case p.err != nil:
		p.seen.addText(p.err.Error())
	default:
		p.learned(p.reply)
	}
}

// learned adds a reply to what the proc knows.
func (p *Proc) learned(reply any) {
	o, ok := reply.(Digester)
	if !ok {
		p.blind = !p.seen.addValue(reply) || p.blind
		return
	}
	d := &p.world.learned
	d.Reset(0)
	o.Digest(d, -1)
	p.seen.add(uint64(d.rest))
	p.blind = p.blind || d.Opaque
}

// passed adds a mark to what the proc knows.
func (p *Proc) passed(name string) {
	if p.world.config.Look != nil {
		p.seen.addText(name)
	}
}

// Forget says that earlier answers don't matter to the proc any more, except what the caller adds by known. It changes
// nothing in a run. It lets states be recognized that differ only in what no code remembers.
func (p *Proc) Forget(known ...uint64) {
	p = p.self()
	p.seen = 0
	for _, k := range known {
		p.seen.add(k)
	}
	for _, c := range p.children {
		c.seen = 0
	}
}

// Know adds values to what the proc knows, after Forget.
func (p *Proc) Know(values ...any) {
	p = p.self()
	for _, v := range values {
		p.blind = !p.seen.addValue(v) || p.blind
	}
}

// Digest adds the world as it is at t, before any event then. The first lanes of its hosts are interchangeable.
func (w *World) Digest(d *Digest, t clock.Instant) {
	d.Add(-1, uint64(t))
	for _, h := range w.hosts {
		h.digest(d, t)
	}
	w.digestLinks(d)
	w.pending = w.pending[:0]
	w.eachDue(func(e *event) {
		if !e.idle() {
			w.pending = append(w.pending, e)
		}
	})
	slices.SortFunc(w.pending, func(a, b *event) int {
		if a.before(b) {
			return -1
		}
		return 1 // no two are equal
	})
	w.digestDue(d, w.pending)
}

// digestLinks adds the links: all of them if each message draws, otherwise those that faults have changed.
func (w *World) digestLinks(d *Digest) {
	n := len(w.hosts)
	if c := &w.config; c.Latency.Max > c.Latency.Min || c.Loss > 0 {
		for i := range w.links {
			w.links[i].digest(d, w.hosts[i/n], w.hosts[i%n])
		}
		return
	}
	for _, i := range w.disturbed {
		w.links[i].digest(d, w.hosts[i/n], w.hosts[i%n])
	}
}

// digestDue adds what is due, in order. Of two clients whose last replies come at one instant, the one that is served
// first draws the lower token, so the order matters there too. The order in which one client hears from several lanes
// doesn't matter. So events are divided into runs, each of one client's messages in lanes or of other events of one
// owner, and each event adds the number of its run to its lane.
func (w *World) digestDue(d *Digest, events []*event) {
	run, last := uint64(0), -1
	for i, e := range events {
		if again(events[:i], e) {
			continue
		}
		owner, lane := w.owner(d, e)
		if owner != last {
			run, last = run+1, owner
		}
		d.Add(lane, run, uint64(e.at))
		w.digestEvent(d, e, lane)
	}
}

// digestWaiting adds what waits in a paused host, in order. It doesn't matter since when it waits.
func (h *Host) digestWaiting(d *Digest, events []event) {
	d.Add(h.ID, uint64(len(events)))
	run, last := uint64(0), -1
	for i := range events {
		owner, lane := h.world.owner(d, &events[i])
		if owner != last {
			run, last = run+1, owner
		}
		d.Add(lane, run)
		h.world.digestEvent(d, &events[i], lane)
	}
}

// idle reports whether an event has no effect.
func (e *event) idle() bool {
	switch e.kind {
	case doWake:
		return e.proc.dead
	case doTimer:
		return !e.proc.waits() || e.proc.timer != e.at
	case doReply:
		return e.unwanted()
	}
	return false
}

// again reports whether an event is a timer that was set before for the same instant. Only the first rings.
func again(earlier []*event, e *event) bool {
	for i := len(earlier) - 1; e.kind == doTimer && i >= 0 && earlier[i].at == e.at; i-- {
		if earlier[i].kind == doTimer && earlier[i].proc == e.proc {
			return true
		}
	}
	return false
}

// owner returns the owner of an event and its lane. The owner is the number of a client; for a client's event in a
// lane, that number plus the number of hosts; for an event without a client, a number beyond these.
func (w *World) owner(d *Digest, e *event) (owner, lane int) {
	switch e.kind {
	case doTimer, doWake:
		owner, lane = e.proc.host.ID, e.proc.lane(d)
	case doRequest, doReply:
		if owner, lane = e.call.from.ID, min(e.call.from.ID, e.call.to.ID); lane >= len(d.lanes) {
			lane = -1
		}
	default: // no client has that number
		return 2 * len(w.hosts), -1
	}
	if lane >= 0 {
		owner += len(w.hosts)
	}
	return owner, lane
}

// lane returns the lane of a proc: a child that asks one of the nodes has the lane of that node.
func (p *Proc) lane(d *Digest) int {
	if q := p.parent; q != nil && len(q.children) == len(d.lanes) {
		return p.index
	}
	return -1
}

// digest adds a host: its clocks, its faults, its procs or its service, and what waits in it.
func (h *Host) digest(d *Digest, t clock.Instant) {
	lane := h.ID
	d.Add(lane, uint64(h.clock.Wall(t)), uint64(h.clock.Mono(t)), uint64(h.clock.Rate(t)), uint64(h.lost()),
		packed(h.pauses, h.downs, h.backlog))
	// It is not known yet how much a suspension will lose, or which of several pauses something waits for.
	d.Opaque = d.Opaque || h.suspensions > 0 || h.pauses > 1 || h.stalls > 0 || len(h.refusals) > 0
	switch s := h.service.(type) {
	case nil:
		d.Add(lane, uint64(h.epoch))
		for _, p := range h.procs {
			if p.parent == nil {
				p.digest(d, t)
			}
		}
	case Digester:
		s.Digest(d, lane)
		d.addChance(lane, &h.serving, h.world.config.Serve)
	default:
		d.Opaque = true
	}
	d.Opaque = d.Opaque || len(h.timers) > 0 || len(h.alarms) > 0
	h.digestWaiting(d, h.inbox)
	h.digestWaiting(d, h.stalled)
}

// digest adds a proc that no other waits for, and its children. Children that ask the nodes, one each, go to the nodes'
// lanes.
func (p *Proc) digest(d *Digest, t clock.Instant) {
	d.Text(-1, p.name)
	p.digestIn(d, -1)
	d.Add(-1, uint64(p.undone))
	for _, c := range p.children {
		c.digestIn(d, c.lane(d))
		d.Opaque = d.Opaque || len(c.children) > 0
	}
	for to, c := range p.conns {
		switch {
		case c == nil || c.last[out] <= t && c.last[back] <= t: // nothing is on its way: it is like a new one
			d.Add(to, 0)
		default:
			d.Add(to, 1, uint64(max(c.last[out], t)), uint64(max(c.last[back], t)))
		}
		d.Opaque = d.Opaque || c != nil && (c.held[out] != nil || c.held[back] != nil)
	}
}

// digestIn adds what a proc knows and waits for.
func (p *Proc) digestIn(d *Digest, lane int) {
	d.Opaque = d.Opaque || p.blind
	waits := p.waits()
	d.Add(lane, uint64(p.seen),
		truth(p.dead)|truth(waits)<<1|truth(waits && p.hasty)<<2|truth(waits && p.call != nil)<<3)
	d.addChance(lane, &p.steps, p.world.config.Step)
	if lane < 0 {
		d.Add(lane, p.draws.state, p.wakes.state)
	}
	if waits {
		d.Add(lane, uint64(p.deadline))
	}
}

// digest adds what is wrong with a link, and its streams.
func (l *link) digest(d *Digest, src, dst *Host) {
	lane := min(src.ID, dst.ID) // the lane of the node, if either end is one: nodes have the first numbers
	if l.cuts != 0 || l.slow != 0 || l.loss != 0 || len(l.holds) > 0 {
		d.named(lane)
		d.Add(lane, uint64(max(src.ID, dst.ID)), truth(src.ID < dst.ID), uint64(l.cuts), uint64(l.slow), uint64(l.loss))
		d.Opaque = d.Opaque || len(l.holds) > 0
	}
	if l.seeded {
		d.addChance(lane, &l.latency, src.world.config.Latency)
		if l.loss > 0 && l.loss < 1_000_000 || src.world.config.Loss > 0 {
			d.Add(lane, l.losses.state)
		}
	}
}

// digestEvent adds an event.
func (w *World) digestEvent(d *Digest, e *event, lane int) {
	d.Add(lane, uint64(e.kind))
	switch e.kind {
	case doTimer, doWake: // the proc adds what it waits for
		if lane < 0 {
			d.Text(lane, e.proc.name)
		}
		d.Add(lane, uint64(e.proc.host.ID))
	case doRequest, doReply:
		w.digestCall(d, e)
	case doFunc: // its planner adds it
	default:
		d.Opaque = true
	}
}

// digestCall adds a message on its way.
func (w *World) digestCall(d *Digest, e *event) {
	c := e.call
	lane := min(c.from.ID, c.to.ID)
	d.named(lane)
	d.Add(lane, uint64(max(c.from.ID, c.to.ID)), truth(e.buffered), truth(c.epoch == c.to.epoch),
		truth(c.proc != nil && !c.proc.dead), truth(c.conn.left))
	d.Opaque = d.Opaque || c.post || c.late || c.stream != nil
	if e.kind == doRequest {
		d.Value(lane, c.request)
		return
	}
	if c.err != nil {
		d.Text(lane, c.err.Error())
		return
	}
	d.Value(lane, c.reply)
}
