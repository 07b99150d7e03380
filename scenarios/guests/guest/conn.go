package guest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net"
	"os"
	"strconv"
	"sync"
	"syscall"
	"time"

	"github.com/lockstorm/lockstorm/sim"
	"github.com/lockstorm/lockstorm/sim/redis"
)

// A conn is a guest's connection to a node. It is a net.Conn and a sim.Receiver.
type conn struct {
	client    *Client
	node, nth int
	wire      Wire
	stream    *sim.Stream // set by the world

	mu      sync.Mutex
	pos     int    // what it has sent so far
	partial []byte // of a command that is not whole yet
	in      []byte // what has come, and was not read
	err     error  // why nothing more comes
	ready   bool   // the dial was answered
	asked   int    // requests that were sent
	replies int    // that have come
	errors  int    // of these, the errors that a server answers with instead of doing what was asked

	news        chan struct{} // something changed for a reader
	read, write deadline
}

func (c *Client) dial(ctx context.Context, node int) (net.Conn, error) {
	n := &conn{client: c, node: node, news: make(chan struct{}, 1), read: newDeadline(), write: newDeadline()}
	if !c.admit(n) {
		return nil, n.opError("dial", net.ErrClosed)
	}
	n.read.slack, n.write.slack = n.slack(), n.slack()
	n.wire = c.bubble.wire(int64(100*c.host.ID + n.nth))
	n.act(func() { n.stream = c.host.Dial(c.Config.Servers[node], n) })
	for {
		ready, err := n.opened()
		switch {
		case err != nil:
			return nil, n.opError("dial", err)
		case ready:
			return n, nil
		}
		select {
		case <-n.news:
		case <-ctx.Done():
			time.Sleep(n.slack())
			n.Close()
			return nil, n.opError("dial", ctx.Err())
		}
	}
}

// slack is how much later than set the connection's timers fire, as a kernel's do. It is some microseconds, and
// differs for each connection. Go fires timers of one moment in random order, and several connections often time out
// at one moment.
func (n *conn) slack() time.Duration {
	return time.Duration((n.client.host.ID%16*16+n.node%16)*64 + n.nth%64)
}

// admit numbers a new connection; not for a guest that has ended.
func (c *Client) admit(n *conn) bool {
	c.bubble.mu.Lock()
	defer c.bubble.mu.Unlock()
	if c.ended || c.bubble.over {
		return false
	}
	c.opened[n.node]++
	n.nth = c.opened[n.node]
	c.conns = append(c.conns, n)
	return true
}

func (n *conn) opened() (bool, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.ready, n.err
}

// counts returns how many requests were sent, and how many of them were answered.
func (n *conn) counts() (asked, replies int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.asked, n.replies
}

// act performs an action in the world for the connection.
func (n *conn) act(do func()) {
	n.pos++
	n.client.bubble.act(action{n.client, n.node, n.nth, n.pos, do})
}

// last is the position of an action that a connection performs last at a moment.
const last = math.MaxInt

// send sends a request. A request about the connection alone follows all others of the same moment.
func (n *conn) send(request any) {
	n.asked++
	n.pos++
	a := action{n.client, n.node, n.nth, n.pos, func() {
		n.client.passage.asks(n.node, n.wire, request)
		n.stream.Send(request)
	}}
	if r, ok := request.(interface{ Aside() bool }); ok && r.Aside() {
		a.pos = last
	}
	n.client.bubble.act(a)
}

// notify wakes a reader of the connection.
func (n *conn) notify() {
	select {
	case n.news <- struct{}{}:
	default:
	}
}

// Opened is called by the world when the dial was answered.
func (n *conn) Opened(err error) {
	if err != nil {
		err = syscall.ECONNREFUSED
	}
	n.mu.Lock()
	n.ready = true
	n.mu.Unlock()
	n.fail(err)
}

// Arriving is called by the world before a reply has come, which may be where the client passes a mark.
func (n *conn) Arriving(reply any) { n.client.passage.hears(n.node, n.wire, reply) }

// Received is called by the world when a reply has come.
func (n *conn) Received(reply any) {
	n.mu.Lock()
	text, known := n.wire.Bytes(reply)
	if !known {
		n.foreign(fmt.Sprintf("%s answers with a %T, of another protocol: give its Kind.Wire", n.RemoteAddr(), reply))
	}
	n.in = append(n.in, text...)
	n.replies++
	if r, ok := reply.(*redis.Reply); ok && isRefusal(r) {
		n.errors++
	}
	n.mu.Unlock()
	n.fail(nil)
}

// Broken is called by the world when the connection has ended.
func (n *conn) Broken(error) { n.fail(syscall.ECONNRESET) }

// fail ends the connection, if there is a reason to, and wakes the guest.
func (n *conn) fail(err error) {
	n.mu.Lock()
	if n.err == nil {
		n.err = err
	}
	n.mu.Unlock()
	n.client.bubble.handed = true
	n.notify()
}

// Read returns what has come.
func (n *conn) Read(b []byte) (int, error) {
	for {
		if n.read.passed() {
			return 0, n.opError("read", os.ErrDeadlineExceeded)
		}
		n.mu.Lock()
		k, err := copy(b, n.in), n.err
		n.in = n.in[k:]
		more := len(n.in) > 0
		n.mu.Unlock()
		switch {
		case k > 0 || len(b) == 0:
			if more {
				n.notify()
			}
			return k, nil
		case err != nil:
			n.notify() // for others who read
			return 0, n.opError("read", err)
		}
		select {
		case <-n.news:
		case <-n.read.done():
		}
	}
}

// Write sends the requests that are whole.
func (n *conn) Write(b []byte) (int, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.err != nil {
		return 0, n.opError("write", n.err)
	}
	if n.write.passed() {
		return 0, n.opError("write", os.ErrDeadlineExceeded)
	}
	n.partial = append(n.partial, b...)
	for {
		request, rest, err := n.wire.Next(n.partial)
		if err != nil {
			n.err = err
			n.foreign(fmt.Sprintf("%q: %v", n.partial[:min(len(n.partial), 64)], err))
			return 0, n.opError("write", err)
		}
		n.partial = rest
		if request == nil {
			break
		}
		n.send(request)
	}
	return len(b), nil
}

// foreign ends the run, because library and server speak different protocols.
func (n *conn) foreign(what string) {
	n.client.bubble.fail(errBytes, what)
	n.act(n.client.host.World().Abandon)
}

// Close abandons the connection.
func (n *conn) Close() error {
	n.mu.Lock()
	again := errors.Is(n.err, net.ErrClosed)
	if !again {
		n.err = net.ErrClosed
		n.act(func() { n.stream.Close() })
	}
	n.mu.Unlock()
	n.notify()
	return nil
}

func (n *conn) opError(op string, err error) error {
	return &net.OpError{Op: op, Net: "tcp", Source: n.LocalAddr(), Addr: n.RemoteAddr(), Err: err}
}

// address is a host's name and a port.
type address string

// Network returns the name of the network.
func (address) Network() string { return "tcp" }

// String returns the address.
func (a address) String() string { return string(a) }

// LocalAddr returns the client's end.
func (n *conn) LocalAddr() net.Addr {
	return address(n.client.name + ":" + strconv.Itoa(10000*(n.node+1)+n.nth))
}

// RemoteAddr returns the node's end.
func (n *conn) RemoteAddr() net.Addr { return address(n.client.Nodes[n.node]) }

// SetDeadline limits reading and writing.
func (n *conn) SetDeadline(t time.Time) error {
	n.read.set(t)
	n.write.set(t)
	return nil
}

// SetReadDeadline limits reading.
func (n *conn) SetReadDeadline(t time.Time) error { n.read.set(t); return nil }

// SetWriteDeadline limits writing. A write never waits here.
func (n *conn) SetWriteDeadline(t time.Time) error { n.write.set(t); return nil }

// A deadline is a moment at which waiting ends.
type deadline struct {
	mu     sync.Mutex
	timer  *time.Timer
	slack  time.Duration
	cancel chan struct{} // closed when it has passed
}

func newDeadline() deadline { return deadline{cancel: make(chan struct{})} }

func (d *deadline) done() chan struct{} {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.cancel
}

func (d *deadline) passed() bool {
	select {
	case <-d.done():
		return true
	default:
		return false
	}
}

// set moves the deadline; the zero time is none.
func (d *deadline) set(t time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.timer != nil {
		d.timer.Stop()
	}
	d.timer = nil
	select {
	case <-d.cancel:
		d.cancel = make(chan struct{})
	default:
	}
	if t.IsZero() {
		return
	}
	cancel := d.cancel
	if left := time.Until(t); left > 0 {
		d.timer = time.AfterFunc(left+d.slack, func() { d.pass(cancel) })
	} else {
		close(cancel)
	}
}

// pass is the moment at which it passes, unless it was moved.
func (d *deadline) pass(cancel chan struct{}) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.cancel == cancel && d.timer != nil {
		d.timer = nil
		close(cancel)
	}
}
