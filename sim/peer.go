package sim

import (
	"math"
	"slices"
	"time"

	"github.com/lockstorm/lockstorm/clock"
)

// What a server does besides answering at once: it answers late, sends messages to other servers, and waits for times on
// its own clocks. None of it keeps a run going: a run ends when its clients have ended, though servers would talk on.

// later is the type of Later.
type later struct{}

// Later is what a Service replies when it will answer in its own time, with [Host.Answer], or never.
var Later any = later{}

// An Ask is a request whose answer was put off.
type Ask struct {
	call  *call
	id    uint32 // of the call: it is used again for another
	epoch int
}

// Asking is the request that the host's service is handling: who replies with Later keeps it.
func (h *Host) Asking() Ask {
	if h.asking == nil {
		return Ask{epoch: h.epoch}
	}
	return Ask{h.asking, h.asking.id, h.epoch}
}

// Answer sends the reply to a request whose answer was put off. If the host has gone off since, the connection is gone,
// and nothing happens. Each Ask is answered once at most.
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

// answer sends a reply that was put off.
func (h *Host) answer(c *call, reply any) {
	w := h.world
	c.late, c.reply = false, reply
	w.inFlight++
	w.note(Served, h, c.from, c.id, reply)
	w.transmit(c, back, h.serving.In(w.config.Serve))
}

// Push sends a part of the answer to a request of a stream whose answer is put off, or is about to be. More of them may
// follow, and the answer itself, if there is one. If the host has gone off since, nothing happens.
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

// A Conn is the connection that a request came by, as its server knows it. The zero value is none.
type Conn struct {
	conn *conn
	id   uint32
}

// Conn is the connection that the request came by.
func (a Ask) Conn() Conn {
	if a.call == nil {
		return Conn{}
	}
	return Conn{a.call.conn, a.call.conn.id}
}

// Open reports whether the client still has the connection. A client gives it up with the first call on it that has no
// reply in time, when its proc ends, and in a crash. That the server knows at once is more than a network can promise:
// only what it keeps for the client may depend on it, for that is lost anyway.
func (c Conn) Open() bool {
	return c.conn != nil && c.conn.id == c.id && !c.conn.left && c.conn.born == c.conn.from.epoch
}

// deferReply takes a call out of flight until its server answers it.
func (w *World) deferReply(c *call) {
	c.late, c.reply = true, nil
	w.inFlight--
	w.note(Deferred, c.to, c.from, c.id, nil)
}

// Post sends a message that wants no reply to another server's service, given by its host's ID. Messages from one host
// to another keep their order, as on one connection; any of them may be lost, and the sender does not learn of it. On a
// host that is off nothing is sent.
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

// connTo returns the host's own connection to another. It does not outlive a crash.
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
	wall  bool          // it goes by the host's wall clock, and else by the monotonic one
	due   clock.Reading // on that clock
	next  clock.Instant // when it is asked again whether it is due
	epoch int
	do    func() // nil once done, or stopped
}

// After plans something for the moment when so much more has passed on the host's monotonic clock. On a paused host it
// waits for the host to go on, behind the messages that wait there; a crash takes it along.
func (h *Host) After(d time.Duration, do func()) *Timer {
	return h.after(&Timer{due: laterBy(h.Mono(), d), do: do})
}

// AfterWall is After on the host's wall clock, which may jump over the moment, or back from it.
func (h *Host) AfterWall(d time.Duration, do func()) *Timer {
	return h.after(&Timer{wall: true, due: laterBy(h.Wall(), d), do: do})
}

// laterBy returns the reading that comes so much later, or the last one that there is.
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

// Stop takes the plan back. A timer that is done, or was stopped, stays as it is.
func (t *Timer) Stop() {
	t.do = nil
	h := t.host
	h.timers = slices.DeleteFunc(h.timers, func(o *Timer) bool { return o == t })
}

// arm plans to ask no later than the timer is due.
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

// ask does what is due. It does nothing if the timer has been set for another moment since.
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

// again sets the timer as if for the first time.
func (t *Timer) again() {
	t.next = clock.Forever
	if t.do != nil && t.epoch == t.host.epoch {
		t.arm()
	}
}
