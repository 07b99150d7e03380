package sim

import (
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/lockstorm/lockstorm/clock"
)

// ErrTimeout is what a call gives when no reply came in time. What it asked for may have been done, or may yet be.
var ErrTimeout = errors.New("no reply in time")

// ErrRefused is what a call gives when the server was off. What it asked for was not done and never will be.
var ErrRefused = errors.New("connection refused")

// A link carries messages one way between two hosts.
type link struct {
	name    string // "net/c1>n2"
	sown    bool   // its streams are seeded for this run
	latency Chance // one draw a message
	losses  Chance // a stream of its own, so that loss moves no latency
	cuts    int    // how many cuts are in force
	loss    int    // messages lost in a million
	slow    time.Duration
	catches []*Catch // waiting for a message, or holding some
}

// A conn is one connection of one proc to one server. Messages within it keep their order; a caller that gives up on a
// reply opens a new one, which owes the old one nothing.
type conn struct {
	last [2]clock.Instant // when the latest message out, and back, arrives
	held [2]*Catch        // what holds up the messages out, and back
}

// A call is one request and its reply. One message of it is under way at any time.
type call struct {
	id      uint32
	proc    *Proc // who waits for it; nil once given up
	from    *Host
	to      *Host
	conn    *conn
	epoch   int // of the server, when the request was sent
	request any
	reply   any
	err     error
}

// The directions of a message.
const (
	out  = 0
	back = 1
)

// link gives the link from one host to another. The first use wires the world: no host comes after that.
func (w *World) link(from, to *Host) *link {
	if len(w.links) == 0 {
		w.wire()
	}
	return &w.links[from.ID*len(w.hosts)+to.ID]
}

// wire makes a link for each ordered pair of hosts. Names are kept from run to run, for they seldom change.
func (w *World) wire() {
	n := len(w.hosts)
	w.links = slices.Grow(w.links[:0], n*n)[:n*n]
	for i, from := range w.hosts {
		for j, to := range w.hosts {
			l := &w.links[i*n+j]
			*l = link{name: l.name, loss: w.config.Loss, catches: l.catches[:0]}
			if a, b, ok := strings.Cut(strings.TrimPrefix(l.name, "net/"), ">"); !ok || a != from.Name || b != to.Name {
				l.name = "net/" + from.Name + ">" + to.Name
			}
		}
	}
}

// newCall takes a call from the spare ones, or makes one.
func (w *World) newCall() *call {
	w.calls++
	var c *call
	if n := len(w.spareCalls); n > 0 {
		c, w.spareCalls = w.spareCalls[n-1], w.spareCalls[:n-1]
	} else {
		c = &call{}
	}
	*c = call{id: w.calls}
	return c
}

// newConn gives a fresh connection.
func (w *World) newConn() *conn {
	if n := len(w.spareConns); n > 0 {
		c := w.spareConns[n-1]
		w.spareConns = w.spareConns[:n-1]
		*c = conn{}
		return c
	}
	return &conn{}
}

// request sends the call's request on its way.
func (w *World) request(c *call) {
	w.note(Sent, c.from, c.to, c.id, c.request)
	w.transmit(c, out, 0)
}

// transmit puts one message of a call on its link. It leaves after delay.
func (w *World) transmit(c *call, way int, delay time.Duration) {
	from, to := c.from, c.to
	if way == back {
		from, to = to, from
	}
	l := w.link(from, to)
	if !l.sown {
		l.sown, l.latency, l.losses = true, w.chance(l.name), w.chance(l.name+"/loss")
	}
	delay += l.latency.In(w.config.Latency) + l.slow
	if l.loss > 0 && l.losses.Hit(l.loss) || l.cuts > 0 {
		w.note(Lost, from, to, c.id, nil)
		w.drop(c)
		return
	}
	if l.caught(w, c, way) {
		w.note(Held, from, to, c.id, nil)
		return
	}
	w.deliver(c, way, w.now.Add(delay))
}

// deliver plans the arrival of a message, behind those that went before it on its connection.
func (w *World) deliver(c *call, way int, at clock.Instant) {
	at = max(at, c.conn.last[way])
	c.conn.last[way] = at
	w.queue.push(at, event{kind: doRequest + kind(way), call: c})
}

// drop ends a call whose message is lost. Its caller learns of it through its timeout.
func (w *World) drop(c *call) {
	if c.proc != nil && c.proc.call == c {
		c.proc.call = nil
	}
	c.proc = nil
	w.spareCalls = append(w.spareCalls, c)
}

// arrive hands a request to its server.
func (w *World) arrive(c *call) {
	h := c.to
	switch {
	case w.link(c.from, h).cuts > 0:
		w.note(Lost, c.from, h, c.id, nil)
		w.drop(c)
		return
	case h.downs > 0 || h.epoch != c.epoch:
		w.note(Refused, h, c.from, c.id, nil)
		c.err = ErrRefused
		w.transmit(c, back, 0)
		return
	case h.pauses > 0:
		h.inbox = append(h.inbox, event{kind: doRequest, call: c})
		return
	}
	c.reply = h.service.Serve(c.request)
	w.note(Served, h, c.from, c.id, c.reply)
	w.transmit(c, back, h.serving.In(w.config.Serve))
}

// answer hands a reply to its caller, and gives the proc that goes on with it.
func (w *World) answer(c *call) *Proc {
	h := c.from
	if w.link(c.to, h).cuts > 0 {
		w.note(Lost, c.to, h, c.id, nil)
		w.drop(c)
		return nil
	}
	if h.pauses > 0 {
		h.inbox = append(h.inbox, event{kind: doReply, call: c})
		return nil
	}
	p := c.proc
	if p == nil || p.dead || p.call != c {
		w.note(Late, h, c.to, c.id, nil)
		w.drop(c)
		return nil
	}
	w.note(Received, h, c.to, c.id, nil)
	p.reply, p.err = c.reply, c.err
	w.drop(c)
	return p.release()
}

// Cut stops all messages from one host to another, those under way too. Cuts add up: messages pass again when each has
// been mended.
func (w *World) Cut(from, to *Host) {
	w.link(from, to).cuts++
	w.note(CutOff, from, to, 0, nil)
}

// Mend ends one Cut.
func (w *World) Mend(from, to *Host) {
	w.link(from, to).cuts--
	w.note(Mended, from, to, 0, nil)
}

// Lose makes the link lose so many more of a million messages; a negative number undoes it.
func (w *World) Lose(from, to *Host, perMillion int) { w.link(from, to).loss += perMillion }

// Slow makes each message on the link take so much longer; a negative duration undoes it.
func (w *World) Slow(from, to *Host, by time.Duration) { w.link(from, to).slow += by }

// A Catch catches the next message from one host to another, and holds it until it is released. What follows on the
// same connection waits behind it; what follows on another one does not.
type Catch struct {
	world *World
	link  *link
	done  bool
	way   int
	conn  *conn
	calls []*call
}

// Hold sets a Catch on a link.
func (w *World) Hold(from, to *Host) *Catch {
	l := w.link(from, to)
	k := &Catch{world: w, link: l}
	l.catches = append(l.catches, k)
	return k
}

// Caught tells whether a message is, or was, held.
func (k *Catch) Caught() bool { return len(k.calls) > 0 }

// Release lets the held messages go on. They arrive after their link's usual latency.
func (k *Catch) Release() {
	if k.done {
		return
	}
	k.done = true
	k.link.catches = slices.DeleteFunc(k.link.catches, func(o *Catch) bool { return o == k })
	if k.Caught() {
		k.conn.held[k.way] = nil
	}
	for _, c := range k.calls {
		from, to := c.from, c.to
		if k.way == back {
			from, to = to, from
		}
		k.world.note(Freed, from, to, c.id, nil)
		k.world.deliver(c, k.way, k.world.now.Add(k.link.latency.In(k.world.config.Latency)))
	}
}

// caught tells whether a Catch takes the message: one that holds up its connection already, or a free one.
func (l *link) caught(w *World, c *call, way int) bool {
	if k := c.conn.held[way]; k != nil {
		k.calls = append(k.calls, c)
		return true
	}
	for _, k := range l.catches {
		if !k.Caught() {
			k.way, k.conn, k.calls = way, c.conn, append(k.calls, c)
			c.conn.held[way] = k
			return true
		}
	}
	return false
}
