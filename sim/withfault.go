package sim

import (
	"time"

	"github.com/lockstorm/lockstorm/clock"
)

// A Recent is a message that was sent since Config.Look was last called.
type Recent struct {
	Call     uint32 // like Event.Call
	Back     bool   // it is the reply
	From, To int    // hosts

	call   *call
	sent   clock.Instant
	before clock.Instant // when the previous message on its connection arrives
	plain  bool          // it is on its way, and only its link decides when it arrives
}

// WouldBeLost is a delay which means that a message does not arrive.
const WouldBeLost time.Duration = -1

// Recent returns the messages that were sent since Config.Look was last called. Only Config.Look may call it, and
// Config.Recent must be set.
func (w *World) Recent() []Recent { return w.recent }

// sends records a message.
func (w *World) sends(c *call, way int, l *link, before, t clock.Instant) {
	from, to := c.ends(way)
	w.recent = append(w.recent, Recent{
		Call: c.id, Back: way == back, From: from.ID, To: to.ID, call: c, sent: w.now, before: before,
		plain: l.slow == 0 && l.loss == 0 && t > before,
	})
}

// WithFault calls f with the world as it would be if recent message i had been late by d, or lost for WouldBeLost,
// because of a fault of its link for a nanosecond. It returns false without calling f if more than that message might
// differ. Only Config.Look may call it, with the instant that it was given.
func (w *World) WithFault(i int, d time.Duration, t clock.Instant, f func()) bool {
	m := &w.recent[i]
	way := out
	if m.Back {
		way = back
	}
	e := w.soleArrival(m, way, t)
	if e == nil || !w.sameLookTime(e, d, t) {
		return false
	}
	c, kept, last := m.call, *e, m.call.conn.last[way]
	if d == WouldBeLost {
		e.kind, e.proc = doWake, &nobody // an event that does nothing
		c.conn.last[way] = m.before
		if c.proc.call == c {
			c.proc.call = nil
			defer func() { c.proc.call = c }()
		}
	} else {
		e.at = e.at.Add(d)
		c.conn.last[way] = e.at
	}
	f()
	*e, c.conn.last[way] = kept, last
	return true
}

var nobody = Proc{dead: true} // a proc that is gone

// soleArrival returns the event at which m arrives, or nil if m shares its arrival with other messages.
func (w *World) soleArrival(m *Recent, way int, t clock.Instant) (arrival *event) {
	if !m.plain || m.sent+1 >= t || m.call.id != m.Call || m.call.proc == nil || m.call.proc.dead {
		return nil
	}
	for i := range w.recent {
		if o := &w.recent[i]; o != m && o.sent == m.sent && o.From == m.From && o.To == m.To {
			return nil
		}
	}
	found := 0
	w.eachDue(func(e *event) {
		if e.kind == doWake && !e.proc.dead { // a step that lasts beyond now: the proc might not have waited
			found = 2 // unpredictable
		}
		if e.kind == doRequest+kind(way) && e.call.conn == m.call.conn {
			arrival = e
			found++
		}
	})
	if found != 1 || arrival.call != m.call || arrival.buffered {
		return nil
	}
	return arrival
}

// eachDue calls do with each event of the queue.
func (w *World) eachDue(do func(*event)) {
	if w.queue.any {
		do(&w.queue.first)
	}
	for i := range w.queue.heap {
		do(&w.queue.heap[i])
	}
}

// sameLookTime reports whether Config.Look would be called at the same instant if e were removed, or late by d.
func (w *World) sameLookTime(e *event, d time.Duration, t clock.Instant) bool {
	if e != w.queue.peek() {
		return true
	}
	var next *event
	w.eachDue(func(o *event) {
		if o != e && (next == nil || o.before(next)) {
			next = o
		}
	})
	if d != WouldBeLost {
		later := event{at: e.at.Add(d), seq: e.seq}
		if next == nil || later.before(next) {
			return w.onGrid(later.at) == t
		}
	}
	return next != nil && w.onGrid(next.at) == t && !w.overlooked(next)
}
