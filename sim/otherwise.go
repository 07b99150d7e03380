package sim

import (
	"time"

	"github.com/lockstorm/lockstorm/clock"
)

// A Recent is a message that was sent since the last look.
type Recent struct {
	Call     uint32 // as Event.Call has it
	Back     bool   // it is the reply
	From, To int    // hosts

	call   *call
	sent   clock.Instant
	before clock.Instant // when the message before it on its connection arrives
	plain  bool          // it is on its way, and nothing but its link decides when it arrives
}

// WouldBeLost stands for a message that does not arrive, in place of how late it is.
const WouldBeLost time.Duration = -1

// Recent lists the messages that were sent since the last look. It is for Config.Look, if Config.Recent is set.
func (w *World) Recent() []Recent { return w.recent }

// sends records a message.
func (w *World) sends(c *call, way int, l *link, before, at clock.Instant) {
	from, to := c.ends(way)
	w.recent = append(w.recent, Recent{
		Call: c.id, Back: way == back, From: from.ID, To: to.ID, call: c, sent: w.now, before: before,
		plain: l.slow == 0 && l.loss == 0 && at > before,
	})
}

// Otherwise calls look in the world as it would be at this look, had the i-th of the recent messages been late, or lost, by a fault of
// its link that lasted for a nanosecond: all but the message is the same then. It is for Config.Look, which is called at an instant;
// and it is false, and look is not called, where more than the message may differ.
func (w *World) Otherwise(i int, late time.Duration, at clock.Instant, look func()) bool {
	m := &w.recent[i]
	way := out
	if m.Back {
		way = back
	}
	e := w.alone(m, way, at)
	if e == nil || !w.looksSame(e, late, at) {
		return false
	}
	c, kept, last := m.call, *e, m.call.conn.last[way]
	if late == WouldBeLost {
		e.kind, e.proc = doWake, &nobody // an event of which nothing comes
		c.conn.last[way] = m.before
		if c.proc.call == c {
			c.proc.call = nil
			defer func() { c.proc.call = c }()
		}
	} else {
		e.at = e.at.Add(late)
		c.conn.last[way] = e.at
	}
	look()
	*e, c.conn.last[way] = kept, last
	return true
}

// nobody is a proc that is gone.
var nobody = Proc{dead: true}

// alone returns the arrival of a recent message; nil if it is none of its own: others were sent with it, or are behind it.
func (w *World) alone(m *Recent, way int, at clock.Instant) (arrival *event) {
	if !m.plain || m.sent+1 >= at || m.call.id != m.Call || m.call.proc == nil || m.call.proc.dead {
		return nil
	}
	for i := range w.recent {
		if o := &w.recent[i]; o != m && o.sent == m.sent && o.From == m.From && o.To == m.To {
			return nil
		}
	}
	found := 0
	w.eachDue(func(e *event) {
		if e.kind == doWake && !e.proc.dead { // a step that takes longer than until now: it might not have waited
			found = 2 // not to be foreseen
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

// eachDue calls do with each event.
func (w *World) eachDue(do func(*event)) {
	if w.queue.any {
		do(&w.queue.first)
	}
	for i := range w.queue.heap {
		do(&w.queue.heap[i])
	}
}

// looksSame reports whether somebody would look at the same instant without e, or with e later: what is due first then is a reason to.
func (w *World) looksSame(e *event, late time.Duration, at clock.Instant) bool {
	if e != w.queue.peek() {
		return true
	}
	var next *event
	w.eachDue(func(o *event) {
		if o != e && (next == nil || o.before(next)) {
			next = o
		}
	})
	if late != WouldBeLost {
		later := event{at: e.at.Add(late), seq: e.seq}
		if next == nil || later.before(next) {
			return w.onGrid(later.at) == at
		}
	}
	return next != nil && w.onGrid(next.at) == at && !w.overlooked(next)
}
