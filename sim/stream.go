package sim

import (
	"errors"
	"slices"
	"strconv"
	"time"
)

// ErrReset is the error of a stream whose server or client has gone off since.
var ErrReset = errors.New("connection reset")

// A Receiver holds a stream's near end. It is called as the world's events happen, and must not act on the world.
type Receiver interface {
	// Opened is called with the answer to the dial: nil, or ErrRefused.
	Opened(err error)
	// Received is called for each reply, in the order of the requests.
	Received(reply any)
	// Arriving is called before Received, and again after each pause that the reply waits for. It may let the host pass
	// a mark.
	Arriving(reply any)
	// Broken is called when the other side or the near end's own host has ended the connection.
	Broken(err error)
}

// A Stream is a guest's connection from a client host to a server: a dial, then requests one way and replies the other,
// in order. Its messages travel as in a [Proc.Call]. After a lost message, no message arrives the same way.
type Stream struct {
	world    *World
	from, to *Host
	conn     *conn
	receiver Receiver
	epoch    int       // of the server, when it accepted
	waiting  int       // messages that wait in a paused host
	stalled  [2]bool   // a message out, or back, was lost
	travels  [2]Chance // how long messages take
	losses   [2]Chance
	accepted bool
	ended    bool
}

// dial is the request that opens a stream.
type dial struct{}

// String returns what the trace shows.
func (dial) String() string { return "connect" }

// accepted is the answer to a dial.
type accepted struct{}

// String returns what the trace shows.
func (accepted) String() string { return "connected" }

// Dial opens a stream from the host to a server, given by its host's ID. The nth stream of a pair of hosts has the same
// chance in each run, whatever was dialled between others.
func (h *Host) Dial(to int, r Receiver) *Stream {
	w := h.world
	server := w.hosts[to]
	l := w.link(h, server)
	l.dials++
	nth := "/" + strconv.Itoa(l.dials)
	s := &Stream{world: w, from: h, to: server, conn: w.newConn(h), receiver: r, epoch: server.epoch}
	for way, l := range []*link{out: l, back: w.link(server, h)} {
		s.travels[way], s.losses[way] = w.chance(l.name+nth), w.chance(l.lossy+nth)
	}
	w.streams = append(w.streams, s)
	s.send(dial{})
	return s
}

// Send sends a request. On a paused host it waits for the end of the pause.
func (s *Stream) Send(request any) {
	if !s.ended {
		s.send(request)
	}
}

func (s *Stream) send(request any) {
	w := s.world
	c := w.newCall()
	w.posted++ // guests may send forever
	c.stream, c.from, c.to, c.request, c.conn, c.epoch = s, s.from, s.to, request, s.conn, s.epoch
	switch e := (event{kind: doSend, call: c}); {
	case s.from.pauses > 0:
		s.waiting++
		s.from.stalled = append(s.from.stalled, e)
	case s.waiting > 0: // behind those that are about to leave
		s.waiting++
		w.queue.push(w.now, e)
	default:
		w.request(c)
	}
}

// leave lets a message that waited in its host leave it.
func (w *World) leave(e *event) {
	h, s := e.call.from, e.call.stream
	switch {
	case s.conn.born != h.epoch:
		w.drop(e.call)
	case h.pauses > 0:
		h.stalled = append(h.stalled, *e)
	default:
		s.waiting--
		w.request(e.call)
	}
}

// transmitOn is transmit for a message of a stream, which has its own chance.
func (w *World) transmitOn(s *Stream, l *link, c *call, way int, delay time.Duration) {
	c.travel = s.travels[way].In(w.config.Latency) + l.slow
	switch {
	case l.loss > 0 && s.losses[way].Hit(l.loss) || l.cuts > 0 || s.stalled[way]:
		w.lose(c, way)
	case l.holdsUp(c, way):
		from, to := c.ends(way)
		w.note(Held, from, to, c.id, nil)
	default:
		w.scheduleArrival(c, way, w.now.Add(delay+c.travel))
	}
}

// Close abandons the stream. Messages already sent still arrive; nothing comes back.
func (s *Stream) Close() {
	s.ended, s.conn.left = true, true
	s.world.streams = slices.DeleteFunc(s.world.streams, func(o *Stream) bool { return o == s })
}

// broken ends the stream from the other side.
func (s *Stream) broken() {
	if !s.ended {
		s.Close()
		s.receiver.Broken(ErrReset)
	}
}

// hangUp ends the streams of a host that goes off: its own now, the others' when they learn it.
func (w *World) hangUp(h *Host) {
	for _, s := range slices.Clone(w.streams) {
		switch h {
		case s.from:
			s.broken()
		case s.to:
			if !s.accepted {
				continue // the dial has not arrived
			}
			c := w.newCall()
			c.stream, c.from, c.to, c.conn, c.err = s, s.from, s.to, s.conn, ErrReset
			w.transmit(c, back, 0)
		}
	}
	for _, e := range h.stalled {
		if e.kind == doSend {
			w.drop(e.call)
		}
	}
}

// greets reports whether the host answers a message although it is paused: its kernel accepts connections meanwhile.
// The kernel of a suspended machine does not.
func (h *Host) greets(c *call) bool {
	_, dials := c.request.(dial)
	return dials && h.suspensions == 0
}

// accept hands a message of a stream to its server.
func (w *World) accept(c *call) {
	h := c.to
	_, dials := c.request.(dial)
	switch {
	case h.downs > 0 || !dials && h.epoch != c.stream.epoch:
		w.note(Refused, h, c.from, c.id, nil)
		if c.err = ErrReset; dials {
			c.err = ErrRefused
		}
		w.transmit(c, back, 0)
		return
	case dials:
		c.stream.epoch, c.stream.accepted, c.reply = h.epoch, true, accepted{}
	default:
		w.ask(c)
		return
	}
	w.reply(c)
}

// watched shows the receiver a reply that comes next, and reports whether its host takes it now: a fault at a mark may
// have paused the host.
func (w *World) watched(e *event) bool {
	c, h := e.call, e.call.from
	if !c.stream.ended && c.err == nil && c.reply != (accepted{}) {
		c.stream.receiver.Arriving(c.reply)
	}
	if h.pauses > 0 {
		e.buffered = true
		h.inbox = append(h.inbox, *e)
		return false
	}
	return true
}

// hand hands the guest a message that has come back.
func (w *World) hand(c *call) {
	s := c.stream
	if s.ended {
		w.note(Late, c.from, c.to, c.id, nil)
		w.drop(c)
		return
	}
	w.note(Received, c.from, c.to, c.id, nil)
	reply, err := c.reply, c.err
	_, dials := c.request.(dial)
	w.drop(c)
	switch {
	case dials:
		if s.ended = err != nil; s.ended {
			s.Close()
		}
		s.receiver.Opened(err)
	case err != nil:
		s.broken()
	default:
		s.receiver.Received(reply)
	}
}
