package live

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"net"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/lockstorm/lockstorm/sim"
	"github.com/lockstorm/lockstorm/sim/redis"
)

// A Proxy is a server from the view of one client: a port on which it accepts connections. The Servers decide what
// those are, for example streams of the world from the client's host to the server's.
type Proxy struct {
	Client, Node int // hosts

	driver   *Driver
	gate     *gate        // of the client; nil for a server
	listener net.Listener // nil for one of a crossing
	accepted func(p *Proxy, c *net.TCPConn) Connection

	mu     sync.Mutex
	conns  map[Connection]bool
	closed bool
}

// A Connection is a connection that a proxy has accepted.
type Connection interface {
	Begin() // is called once, by the world
	Reset() // ends the connection
}

// newProxy returns a proxy between two hosts. It calls accept for each connection.
func newProxy(d *Driver, client, node int, accept func(p *Proxy, c *net.TCPConn) Connection) (*Proxy, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &Proxy{Client: client, Node: node, driver: d, listener: l, accepted: accept, conns: map[Connection]bool{}}
	go p.accept()
	return p, nil
}

func (p *Proxy) address() string { return p.listener.Addr().String() }

func (p *Proxy) accept() {
	for {
		c, err := p.listener.Accept()
		if err != nil {
			return
		}
		if !p.take(c.(*net.TCPConn)) {
			return
		}
	}
}

// take begins a connection, and reports whether the proxy is open.
func (p *Proxy) take(c *net.TCPConn) bool {
	n := p.accepted(p, c)
	if !p.add(n) {
		n.Reset()
		return false
	}
	p.driver.Do(n.Begin)
	return true
}

func (p *Proxy) add(n Connection) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.closed {
		p.conns[n] = true
	}
	return !p.closed
}

// Drop forgets a connection that one side has closed.
func (p *Proxy) Drop(n Connection) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.conns, n)
}

// open returns the connections that neither side has closed.
func (p *Proxy) open() []Connection {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Collect(maps.Keys(p.conns))
}

// close ends the proxy and its connections.
func (p *Proxy) close() {
	if p.listener != nil {
		_ = p.listener.Close()
	}
	p.mu.Lock()
	p.closed = true
	conns := p.conns
	p.conns = map[Connection]bool{}
	p.mu.Unlock()
	for n := range conns {
		n.Reset()
	}
}

// A crossing is the port under which all servers know one of them, so that they can exchange its address. It
// identifies a host by the address that it connects from: see source.
type crossing struct {
	listener net.Listener
	proxies  map[string]*Proxy // by the address of the host that connects
}

// newCrossing returns a crossing to a node, for some hosts.
func newCrossing(d *Driver, hosts []int, node int, accept func(p *Proxy, c *net.TCPConn) Connection) (*crossing, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	x := &crossing{l, map[string]*Proxy{}}
	for _, host := range hosts {
		p := &Proxy{Client: host, Node: node, driver: d, accepted: accept, conns: map[Connection]bool{}}
		x.proxies[source(host)] = p
	}
	go x.accept()
	return x, nil
}

// source is the address that a host's server connects from. All of 127.0.0.0/8 is this machine.
func source(host int) string { return fmt.Sprintf("127.0.0.%d", 10+host) }

func (x *crossing) accept() {
	for {
		c, err := x.listener.Accept()
		if err != nil {
			return
		}
		p := x.proxies[c.RemoteAddr().(*net.TCPAddr).IP.String()]
		if p == nil || !p.take(c.(*net.TCPConn)) {
			_ = c.Close()
		}
	}
}

func (x *crossing) port() string { return strconv.Itoa(x.listener.Addr().(*net.TCPAddr).Port) }

func (x *crossing) close() {
	_ = x.listener.Close()
	for _, p := range x.proxies {
		p.close()
	}
}

// A redisConn is one of a client's connections to Redis, as a stream of the world. It is a sim.Receiver.
type redisConn struct {
	proxy  *Proxy
	tcp    *net.TCPConn
	wire   redis.Wire
	stream *sim.Stream
	ended  func() // is called when the connection has ended

	asked, answered int // requests
}

// Begin opens the stream. If the client connects before the run has begun, it waits until then.
func (n *redisConn) Begin() {
	if n.proxy.driver.Early(n.Begin) {
		return
	}
	client := n.proxy.driver.Host(n.proxy.Client)
	if !client.Up() { // the process is gone
		n.Reset()
		return
	}
	n.stream = client.Dial(n.proxy.Node, n)
	go n.read()
}

// read passes on what the client sends, until it closes the connection.
func (n *redisConn) read() {
	var partial []byte
	b := make([]byte, 16<<10)
	for {
		k, err := n.tcp.Read(b)
		if err != nil {
			break
		}
		partial = append(partial, b[:k]...)
		if partial = n.sendWhole(partial); partial == nil {
			break
		}
	}
	n.proxy.driver.Do(n.leave)
}

// sendWhole sends the complete commands, and returns the rest; nil if that is not a command.
func (n *redisConn) sendWhole(b []byte) (rest []byte) {
	for {
		args, rest, err := redis.ReadCommand(b)
		switch {
		case err != nil:
			return nil
		case args == nil:
			return append(make([]byte, 0, len(b)), b...)
		}
		q := &redis.Request{Wire: &n.wire, Args: args}
		n.proxy.driver.Do(func() {
			n.asked++
			n.proxy.gate.asks(q, n.proxy.Node, func() { n.stream.Send(q) })
		})
		b = rest
	}
}

// leave abandons the stream. What the client has sent still arrives.
func (n *redisConn) leave() {
	n.stream.Close()
	n.end()
}

func (n *redisConn) end() {
	n.Reset()
	n.proxy.Drop(n)
	n.ended()
}

// Reset ends the connection to the client as a host that is off does.
func (n *redisConn) Reset() {
	_ = n.tcp.SetLinger(0)
	_ = n.tcp.Close()
}

// Opened is called when the dial was answered. A refused connection is reset, as the kernel has accepted it already.
func (n *redisConn) Opened(err error) {
	if err != nil {
		n.end()
	}
}

// Received passes on a reply. The kernel takes it, unless it is very long and the client never reads.
func (n *redisConn) Received(reply any) {
	n.answered++
	if bytes.HasPrefix(reply.(*redis.Reply).Bytes, []byte("-NOSCRIPT")) && n.proxy.gate.latest != nil && n.proxy.driver.warm() {
		n.proxy.gate.loads++
	}
	n.proxy.gate.isAnswered(n.proxy.Node, func() {
		_ = n.tcp.SetWriteDeadline(time.Now().Add(time.Second))
		if _, err := n.tcp.Write(reply.(*redis.Reply).Bytes); errors.Is(err, os.ErrDeadlineExceeded) {
			d := n.proxy.driver
			d.Fail(fmt.Errorf("client %s does not read what a server has sent to it", d.Host(n.proxy.Client).Name))
		}
	})
}

// Arriving does nothing: the gate sees what comes.
func (n *redisConn) Arriving(any) {}

// Broken is called when the server has gone off.
func (n *redisConn) Broken(error) { n.end() }

// A gate is where the messages of a client wait for marks that the client does not report.
//
// A client of ours reports when it passes a mark within the lock. An adapter does not, and so the proxy watches: the
// first request of an attempt that names the lock's key is the mark before it. The reply with which all servers have
// answered is the mark after it. Messages on their way then wait until the fault at that mark is in force.
//
// A fault that hits less than a millisecond after the mark before an attempt must find the requests on their way. A
// process needs as long to wake up and send them. So there the proxy watches clients of ours too, and waits for a
// moment until all requests of the attempt have arrived. Then the mark passes, and then the requests continue.
type gate struct {
	driver  *Driver
	client  int  // its host
	adapter bool // it does not say when it passes a mark
	gathers bool // requests are gathered at the mark before an attempt
	servers int  // that the lock asks
	latest  *passage
	loads   int // attempts in which a server did not know the lock's script
}

// A passage is what the proxy has seen of one question.
type passage struct {
	marks    [2]string // before and after
	asked    []int     // the servers that were asked for the key
	answered []int     // the asked servers that have answered
	held     []func()  // what waits at a mark; nil while nothing does
	passed   func(mark string, then func())
}

// begin begins the passage of a question. A mark calls passed, whose argument then continues the client.
func (g *gate) begin(verb string, passed func(mark string, then func())) {
	g.latest = nil
	if marks, ok := attemptMarks[verb]; ok && (g.adapter || g.gathers) {
		g.latest = &passage{marks: marks, passed: passed}
	}
}

// end ends the passage of the latest question.
func (g *gate) end() { g.latest = nil }

// watches reports whether the proxy, not the client, notices a mark.
func (g *gate) watches(mark string) bool { return g.gathers && beforeAttempt(mark) }

// asks passes a request on, either immediately or after the mark that the request shows.
func (g *gate) asks(r *redis.Request, node int, send func()) {
	p := g.latest
	names := func(arg string) bool { return strings.Contains(arg, g.driver.Key) }
	switch {
	case p == nil || p.held == nil && !slices.ContainsFunc(r.Args, names):
		send()
	case p.held != nil:
		p.asked, p.held = append(p.asked, node), append(p.held, send)
	case len(p.asked) > 0:
		p.asked = append(p.asked, node)
		send()
	default:
		p.asked = append(p.asked, node)
		p.held = []func(){send}
		if !g.gathers {
			p.pass(p.marks[0])
			return
		}
		w := g.driver.World
		w.At(w.Now().Add(gathering), func() { p.pass(p.marks[0]) })
	}
}

// isAnswered passes a reply on, in the same way.
func (g *gate) isAnswered(node int, receive func()) {
	p := g.latest
	if p == nil || !g.adapter || !slices.Contains(p.asked, node) || slices.Contains(p.answered, node) {
		receive()
		return
	}
	p.answered = append(p.answered, node)
	if len(p.answered) < g.servers {
		receive()
		return
	}
	p.held = []func(){receive}
	p.pass(p.marks[1])
}

// pass lets the client pass a mark, and then the messages that wait.
func (p *passage) pass(mark string) {
	p.passed(mark, func() {
		held := p.held
		p.held = nil
		for _, do := range held {
			do()
		}
	})
}
