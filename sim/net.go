package sim

import (
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/lockstorm/lockstorm/clock"
)

// ErrTimeout is the error of a call without a reply in time. The request may have been carried out, or may be later.
var ErrTimeout = errors.New("no reply in time")

// ErrRefused is the error of a call whose server was off. The request was not carried out and never will be.
var ErrRefused = errors.New("connection refused")

// A link carries messages one way between two hosts.
type link struct {
	seeded  bool  // its streams are seeded for this run
	cuts    int32 // how many cuts are in force
	loss    int   // messages lost in a million
	sent    int   // messages so far
	dials   int   // streams so far
	lost    int   // messages that did not arrive
	slow    time.Duration
	holds   []*HeldMessages // those that wait for a message, or hold some
	latency Chance          // one draw per message
	losses  Chance          // a separate stream, so that loss changes no latency
	name    string          // "net/c1>n2"
	lossy   string          // "net/c1>n2/loss"
}

// A conn is one connection of one proc to one server. Messages on it keep their order. A caller that stops waiting for
// a reply opens an independent connection.
type conn struct {
	id   uint32           // in the run: a conn is reused for another
	from *Host            // opened it
	born int              // how often that host had crashed by then
	left bool             // its caller has given it up
	last [2]clock.Instant // when the latest message out, and back, arrives
	held [2]*HeldMessages // what holds up the messages out, and back
}

// A call is one request and its reply. One message of it is on its way at any time.
type call struct {
	id      uint32
	proc    *Proc // waits for it; nil once it has given up
	from    *Host
	to      *Host
	conn    *conn
	epoch   int // of the server, when the request was sent
	request any
	reply   any
	err     error
	travel  time.Duration // of its latest message, chosen when it was sent
	post    bool          // it is a message without a reply
	late    bool          // its server will answer later
	stream  *Stream       // of a guest's message; nil for others
}

// The directions of a message.
const (
	out  = 0
	back = 1
)

// link returns the link from one host to another. The first use wires the world: no host can be added after that.
func (w *World) link(src, dst *Host) *link {
	if len(w.links) == 0 {
		w.wire()
	}
	return &w.links[src.ID*len(w.hosts)+dst.ID]
}

// disturb returns the link from one host to another for a change.
func (w *World) disturb(src, dst *Host) *link {
	l := w.link(src, dst)
	i := src.ID*len(w.hosts) + dst.ID
	if at, there := slices.BinarySearch(w.disturbed, i); !there {
		w.disturbed = slices.Insert(w.disturbed, at, i)
	}
	return l
}

// wire makes a link for each ordered pair of hosts.
func (w *World) wire() {
	n := len(w.hosts)
	w.links = slices.Grow(w.links[:0], n*n)[:n*n]
	for i := range w.links {
		l := &w.links[i]
		*l = link{name: l.name, lossy: l.lossy, loss: w.config.Loss, holds: l.holds[:0]}
	}
}

// seed seeds the streams of a link at its first message. It keeps names from run to run, because they seldom change.
func (w *World) seed(l *link, src, dst *Host) {
	if a, b, ok := strings.Cut(strings.TrimPrefix(l.name, "net/"), ">"); !ok || a != src.Name || b != dst.Name {
		l.name = "net/" + src.Name + ">" + dst.Name
		l.lossy = l.name + "/loss"
	}
	l.seeded, l.latency, l.losses = true, w.chance(l.name), w.chance(l.lossy)
}

// newCall returns a new call.
func (w *World) newCall() *call {
	w.calls++
	w.inFlight++
	c := reused(&w.spareCalls)
	*c = call{id: w.calls}
	return c
}

// reused takes a value from the spare ones, or makes one.
func reused[T any](spare *[]*T) *T {
	last := len(*spare) - 1
	if last < 0 {
		return new(T)
	}
	v := (*spare)[last]
	*spare = (*spare)[:last]
	return v
}

// newConn returns a new connection.
func (w *World) newConn(src *Host) *conn {
	c := reused(&w.spareConns)
	w.opened++
	*c = conn{id: w.opened, from: src, born: src.epoch}
	return c
}

// request sends the call's request.
func (w *World) request(c *call) {
	w.note(Sent, c.from, c.to, c.id, c.request)
	w.transmit(c, out, 0)
}

// ends returns the sender and the receiver of a message of the call.
func (c *call) ends(way int) (from, to *Host) {
	if way == back {
		return c.to, c.from
	}
	return c.from, c.to
}

// transmit puts one message of a call on its link. It leaves after delay.
func (w *World) transmit(c *call, way int, delay time.Duration) {
	from, to := c.ends(way)
	l := w.link(from, to)
	if !l.seeded {
		w.seed(l, from, to)
	}
	l.sent++
	if c.stream != nil {
		w.transmitOn(c.stream, l, c, way, delay)
		return
	}
	c.travel = l.latency.In(w.config.Latency) + l.slow
	switch {
	case l.loss > 0 && l.losses.Hit(l.loss) || l.cuts > 0:
		w.lose(c, way)
	case l.holdsUp(c, way):
		w.note(Held, from, to, c.id, nil)
	default:
		at := w.arrival(delay, c.travel)
		if w.config.Recent {
			w.sends(c, way, l, c.conn.last[way], at)
		}
		w.scheduleArrival(c, way, at)
	}
}

// arrival returns when a message arrives that leaves after delay: on the grid, if there is one, and never before it was
// sent.
func (w *World) arrival(delay, travel time.Duration) clock.Instant {
	leaves := w.now.Add(delay)
	return max(w.onGrid(leaves).Add(travel), leaves)
}

// scheduleArrival schedules the arrival of a message, behind earlier ones on its connection.
func (w *World) scheduleArrival(c *call, way int, t clock.Instant) {
	t = max(t, c.conn.last[way])
	c.conn.last[way] = t
	w.queue.push(t, event{kind: doRequest + kind(way), call: c})
}

// lose ends a call that has lost a message. Its caller learns it through its timeout.
func (w *World) lose(c *call, way int) {
	from, to := c.ends(way)
	w.link(from, to).lost++
	w.note(Lost, from, to, c.id, nil)
	if c.stream != nil {
		c.stream.stalled[way] = true
	}
	w.drop(c)
}

// drop ends a call: no message of it is on its way any more.
func (w *World) drop(c *call) {
	if c.proc != nil && c.proc.call == c {
		c.proc.call = nil
	}
	c.proc = nil
	if !c.post {
		w.inFlight--
	}
	w.spareCalls = append(w.spareCalls, c)
}

// lands reports whether a message reaches its host's kernel. A message from the kernel's buffer has reached it already,
// even if its link was cut since.
func (w *World) lands(e *event, way int) bool {
	from, to := e.call.ends(way)
	if e.buffered {
		to.backlog--
		return true
	}
	if w.cuts > 0 && w.link(from, to).cuts > 0 {
		w.lose(e.call, way)
		return false
	}
	return true
}

// arrive hands a request to its server.
func (w *World) arrive(e *event) {
	if !w.lands(e, out) {
		return
	}
	c, h := e.call, e.call.to
	if c.stream != nil {
		if h.downs > 0 || h.greets(c) || !h.buffers(e) {
			w.accept(c)
		}
		return
	}
	if h.downs > 0 || h.epoch != c.epoch {
		if c.post {
			w.lose(c, out)
			return
		}
		w.note(Refused, h, c.from, c.id, nil)
		c.err = ErrRefused
		w.transmit(c, back, 0)
		return
	}
	if h.buffers(e) {
		return
	}
	if c.post {
		w.handle(c)
		return
	}
	w.ask(c)
}

// ask makes a server handle a request, and sends the reply unless the service or the disk delays it.
func (w *World) ask(c *call) {
	h := c.to
	h.asking = c
	c.reply = w.serve(h, c.request)
	switch reply := c.reply; {
	case reply == Later:
		w.deferReply(c)
	case h.syncing:
		w.deferReply(c)
		h.unsent = append(h.unsent, func() { h.answer(c, reply) })
	default:
		w.reply(c)
	}
	h.flush()
}

// reply sends the server's answer.
func (w *World) reply(c *call) {
	w.note(Served, c.to, c.from, c.id, c.reply)
	w.transmit(c, back, c.to.serving.In(w.config.Serve))
}

// unwanted reports whether the event is a reply that no proc waits for any more.
func (e *event) unwanted() bool {
	return e.kind == doReply && e.call.stream == nil && (e.call.proc == nil || e.call.proc.dead)
}

// answer hands a reply to its caller, and returns the proc that continues with it.
func (w *World) answer(e *event) *Proc {
	if !w.lands(e, back) {
		return nil
	}
	c, h := e.call, e.call.from
	dropped := w.config.Tick > 0 && e.unwanted() // where states are compared, it must not order what waits either
	if !dropped && h.buffers(e) {
		return nil
	}
	if c.stream != nil {
		if w.watched(e) {
			w.hand(c)
		}
		return nil
	}
	p := c.proc
	if e.unwanted() {
		w.note(Late, h, c.to, c.id, nil)
		w.drop(c)
		return nil
	}
	w.note(Received, h, c.to, c.id, nil)
	p.reply, p.err = c.reply, c.err
	w.drop(c)
	return p.release()
}

// Cut stops all messages from one host to another, even those on their way. Cuts add up: messages pass again when each
// has been mended.
func (w *World) Cut(src, dst *Host) {
	w.disturb(src, dst).cuts++
	w.cuts++
	w.note(CutOff, src, dst, 0, nil)
}

// Mend ends one Cut.
func (w *World) Mend(src, dst *Host) {
	w.link(src, dst).cuts--
	w.cuts--
	w.note(Mended, src, dst, 0, nil)
}

// Sent is how many messages have left one host for another in this run.
func (w *World) Sent(src, dst *Host) int { return w.link(src, dst).sent }

// LostOn is how many of these messages were lost.
func (w *World) LostOn(src, dst *Host) int { return w.link(src, dst).lost }

// Carried counts a message that an Outside has carried from one host to another itself, and whether it was lost.
func (w *World) Carried(src, dst *Host, lost bool) {
	l := w.link(src, dst)
	if l.sent++; lost {
		l.lost++
	}
}

// Lose makes the link lose that many more of a million messages; a negative number undoes it.
func (w *World) Lose(src, dst *Host, perMillion int) {
	w.disturb(src, dst).loss += perMillion
	w.note(LossSet, src, dst, 0, int64(perMillion))
}

// Slow makes each message on the link take that much longer; a negative duration undoes it.
func (w *World) Slow(src, dst *Host, d time.Duration) {
	w.disturb(src, dst).slow += d
	w.note(DelaySet, src, dst, 0, d)
}

// HeldMessages are the next message from one host to another and later ones on the same connection. They wait until
// they are released. Messages on other connections do not wait.
type HeldMessages struct {
	world *World
	link  *link
	done  bool
	way   int
	conn  *conn
	calls []*call
}

// Hold holds the next message from one host to another.
func (w *World) Hold(src, dst *Host) *HeldMessages {
	l := w.disturb(src, dst)
	h := &HeldMessages{world: w, link: l}
	l.holds = append(l.holds, h)
	return h
}

// Any reports whether a message is held, or was.
func (h *HeldMessages) Any() bool { return len(h.calls) > 0 }

// Release lets the messages continue. They arrive after the latency from when they were sent: a second draw would
// change the latencies of all later messages on the link.
func (h *HeldMessages) Release() {
	if h.done {
		return
	}
	h.done = true
	h.link.holds = slices.DeleteFunc(h.link.holds, func(o *HeldMessages) bool { return o == h })
	if h.Any() {
		h.conn.held[h.way] = nil
	}
	for _, c := range h.calls {
		from, to := c.ends(h.way)
		h.world.note(Freed, from, to, c.id, nil)
		h.world.scheduleArrival(c, h.way, h.world.arrival(0, c.travel))
	}
}

// holdsUp reports whether the message is held: with the messages that its connection holds already, or as the first of
// others.
func (l *link) holdsUp(c *call, way int) bool {
	if h := c.conn.held[way]; h != nil {
		h.calls = append(h.calls, c)
		return true
	}
	for _, h := range l.holds {
		if !h.Any() {
			h.way, h.conn, h.calls = way, c.conn, append(h.calls, c)
			c.conn.held[way] = h
			return true
		}
	}
	return false
}
