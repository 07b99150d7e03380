package sim

import (
	"math"
	"slices"
	"time"

	"github.com/lockstorm/lockstorm/clock"
)

// This file has what a server does apart from answering: it answers late, sends messages to other servers, and waits
// for times on its host's clocks. This keeps no run going: a run ends when its clients have ended.

// later is the type of Later.
type later struct{}

// Later is the reply of a Service that answers later, with [Host.Answer], or never.
var Later any = later{}

// An Ask is a request that its server answers later.
type Ask struct {
	call  *call
	id    uint32 // of the call, because calls are reused
	epoch int
}

// Asking is the request that the host's service is handling. A service that replies with Later keeps it.
func (h *Host) Asking() Ask {
	if h.asking == nil {
		return Ask{epoch: h.epoch}
	}
	return Ask{h.asking, h.asking.id, h.epoch}
}

// Answer sends the reply to a request that was to be answered later. If the host has gone off since, nothing happens,
// because the connection is gone. Each Ask is answered once at most.
func (h *Host) Answer(a Ask, reply any) {
	if a.epoch != h.epoch {
		return
	}
	if !a.call.late {
		panic("sim: " + h.Name + " answers what it has not put off")
	}
	if h.corked() {
		h.unsent = append(h.unsent, func() { h.answer(a.call, reply) })
		return
	}
	h.answer(a.call, reply)
}

// answer sends a late reply.
func (h *Host) answer(c *call, reply any) {
	w := h.world
	c.late, c.reply = false, reply
	w.inFlight++
	w.note(Served, h, c.from, c.id, reply)
	w.transmit(c, back, h.serving.In(w.config.Serve))
}

// Push sends a part of the answer to a request on a stream that is answered later. More parts may follow, and the
// answer itself, if there is one. If the host has gone off since, nothing happens.
func (h *Host) Push(a Ask, part any) {
	if a.epoch != h.epoch {
		return
	}
	if !a.call.late && h.asking != a.call || a.call.stream == nil {
		panic("sim: " + h.Name + " sends a part of what it has not put off, or has no stream for")
	}
	if h.corked() {
		h.unsent = append(h.unsent, func() { h.push(a.call.stream, part) })
		return
	}
	h.push(a.call.stream, part)
}

func (h *Host) push(s *Stream, part any) {
	w := h.world
	c := w.newCall()
	c.stream, c.from, c.to, c.conn, c.reply = s, s.from, s.to, s.conn, part
	w.note(Posted, h, c.from, c.id, part)
	w.transmit(c, back, h.serving.In(w.config.Serve))
}

// A Conn is the connection of a request, as its server knows it. The zero value is none.
type Conn struct {
	conn *conn
	id   uint32
}

// Conn is the connection of the request.
func (a Ask) Conn() Conn {
	if a.call == nil {
		return Conn{}
	}
	return Conn{a.call.conn, a.call.conn.id}
}

// Open reports whether the client still has the connection. A client closes it with the first call on it that has no
// reply in time, when its proc ends, and in a crash. No network can report that to a server immediately. So only what
// it keeps for the client may depend on it, which is lost anyway.
func (c Conn) Open() bool {
	return c.conn != nil && c.conn.id == c.id && !c.conn.left && c.conn.born == c.conn.from.epoch
}

// deferReply keeps a call until its server answers it.
func (w *World) deferReply(c *call) {
	c.late, c.reply = true, nil
	w.inFlight--
	w.note(Deferred, c.to, c.from, c.id, nil)
}

// Post sends a message without a reply to another server's service, given by its host's ID. Messages from one host to
// another keep their order, as on one connection. Any of them may be lost, and the sender does not learn it. A host
// that is off sends nothing.
func (h *Host) Post(to int, message any) {
	switch {
	case !h.Up():
	case h.corked():
		h.unsent = append(h.unsent, func() { h.post(to, message) })
	default:
		h.post(to, message)
	}
}

func (h *Host) post(to int, message any) {
	w := h.world
	c := w.newCall()
	w.inFlight--
	w.posted++
	c.post, c.from, c.to, c.request, c.conn = true, h, w.hosts[to], message, h.connTo(to)
	c.epoch = c.to.epoch
	w.note(Posted, h, c.to, c.id, message)
	w.transmit(c, out, 0)
}

// connTo returns the host's own connection to another. A crash ends it.
func (h *Host) connTo(to int) *conn {
	if len(h.conns) == 0 {
		h.conns = make([]*conn, len(h.world.hosts))
	}
	if h.conns[to] == nil {
		h.conns[to] = h.world.newConn(h)
	}
	return h.conns[to]
}

// handle hands a posted message to its service.
func (w *World) handle(c *call) {
	w.note(Told, c.to, c.from, c.id, nil)
	w.serve(c.to, c.request)
	w.drop(c)
	c.to.flush()
}

// A Timer is something that a server will do.
type Timer struct {
	host  *Host
	wall  bool          // it goes by the host's wall clock, otherwise by the monotonic one
	due   clock.Reading // on that clock
	next  clock.Instant // when it checks again whether it is due
	epoch int
	do    func() // nil once done, or stopped
}

// After plans a function for the moment when that much time has passed on the host's monotonic clock. On a paused host
// it waits for the host to continue, behind the messages that wait there. A crash cancels it.
func (h *Host) After(d time.Duration, do func()) *Timer {
	return h.after(&Timer{due: laterBy(h.Mono(), d), do: do})
}

// AfterWall is After on the host's wall clock. That clock may jump over the moment, or back from it.
func (h *Host) AfterWall(d time.Duration, do func()) *Timer {
	return h.after(&Timer{wall: true, due: laterBy(h.Wall(), d), do: do})
}

// laterBy returns the reading that is later by d, or the last one.
func laterBy(now clock.Reading, d time.Duration) clock.Reading {
	return now.Add(min(max(d, 0), math.MaxInt64-max(time.Duration(now), 0)))
}

func (h *Host) after(t *Timer) *Timer {
	t.host, t.next, t.epoch = h, clock.Forever, h.epoch
	if h.Up() {
		h.world.posted++
		h.timers = append(h.timers, t)
		t.arm()
	}
	return t
}

// Stop cancels the plan. It has no effect on a timer that has run or was stopped.
func (t *Timer) Stop() {
	t.do = nil
	h := t.host
	h.timers = slices.DeleteFunc(h.timers, func(o *Timer) bool { return o == t })
}

// arm plans a check no later than the timer is due.
func (t *Timer) arm() {
	at := t.host.clock.WhenMono
	if t.wall {
		at = t.host.clock.WhenWall
	}
	if at := at(t.due, t.host.world.now); at < t.next {
		t.askAt(at)
	}
}

// early reports whether the clock does not show the moment yet.
func (t *Timer) early() bool {
	if t.wall {
		return t.host.Wall() < t.due
	}
	return t.host.Mono() < t.due
}

func (t *Timer) askAt(due clock.Instant) {
	t.next = due
	t.host.world.queue.push(due, event{kind: doTick, do: func() { t.ask(due) }})
}

// ask calls the function if it is due. It does nothing if the timer has been set to another moment since.
func (t *Timer) ask(due clock.Instant) {
	h := t.host
	switch {
	case t.do == nil || t.epoch != h.epoch || t.next != due:
	case h.pauses > 0:
		h.stalled = append(h.stalled, event{kind: doTick, do: func() { t.again() }})
	case h.backlog > 0:
		t.askAt(h.world.now)
	case t.early():
		t.again()
	default:
		do := t.do
		t.Stop()
		do()
		h.flush()
	}
}

// again sets the timer again, as if for the first time.
func (t *Timer) again() {
	t.next = clock.Forever
	if t.do != nil && t.epoch == t.host.epoch {
		t.arm()
	}
}
