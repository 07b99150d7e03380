package live

import (
	"maps"
	"net"
	"slices"
	"sync"

	"github.com/lockstorm/lockstorm/sim"
	"github.com/lockstorm/lockstorm/sim/redis"
)

// A proxy is what one client takes for one server: a port on which it accepts connections, each of which is a stream of the
// world from the client's host to the server's, or a tunnel where the server is a service's.
type proxy struct {
	run          *run
	client, node int // hosts
	listener     net.Listener

	mu     sync.Mutex
	conns  map[connection]bool
	closed bool
}

// A connection is one that a proxy has accepted.
type connection interface {
	begin() // is called once, by the world
	reset()
}

func newProxy(r *run, client, node int) (*proxy, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &proxy{run: r, client: client, node: node, listener: l, conns: map[connection]bool{}}
	go p.accept()
	return p, nil
}

func (p *proxy) address() string { return p.listener.Addr().String() }

func (p *proxy) accept() {
	for {
		c, err := p.listener.Accept()
		if err != nil {
			return
		}
		n := p.run.servers.accept(p, c.(*net.TCPConn))
		if !p.add(n) {
			n.reset()
			return
		}
		p.run.act(n.begin)
	}
}

func (p *proxy) add(n connection) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.closed {
		p.conns[n] = true
	}
	return !p.closed
}

func (p *proxy) drop(n connection) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.conns, n)
}

// open returns the connections that neither side has closed.
func (p *proxy) open() []connection {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Collect(maps.Keys(p.conns))
}

// close ends the proxy and its connections.
func (p *proxy) close() {
	_ = p.listener.Close()
	p.mu.Lock()
	p.closed = true
	conns := p.conns
	p.conns = map[connection]bool{}
	p.mu.Unlock()
	for n := range conns {
		n.reset()
	}
}

// A conn is one of a client's connections. It is a sim.Receiver.
type conn struct {
	proxy  *proxy
	tcp    *net.TCPConn
	nodes  []*node
	wire   redis.Wire
	stream *sim.Stream

	asked, answered int // requests
}

func (n *nodes) accept(p *proxy, c *net.TCPConn) connection {
	return &conn{proxy: p, tcp: c, nodes: n.all}
}

// begin opens the stream; that of a client that connects before the run has begun, as soon as it has.
func (n *conn) begin() {
	if n.proxy.run.world == nil {
		n.proxy.run.early = append(n.proxy.run.early, n.begin)
		return
	}
	from := n.proxy.run.host(n.proxy.client)
	if !from.Up() { // the process is gone
		n.reset()
		return
	}
	n.stream = from.Dial(n.proxy.node, n)
	go n.read()
}

// read passes on what the client sends, until it closes the connection.
func (n *conn) read() {
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
	n.proxy.run.act(n.leave)
}

// sendWhole sends the commands that are whole, and returns the rest; nil if it is no command.
func (n *conn) sendWhole(b []byte) (rest []byte) {
	for {
		args, rest, err := redis.ReadCommand(b)
		switch {
		case err != nil:
			return nil
		case args == nil:
			return append(make([]byte, 0, len(b)), b...)
		}
		q := &redis.Request{Wire: &n.wire, Args: args}
		n.proxy.run.act(func() {
			n.asked++
			n.agent().asks(q, n.proxy.node, func() { n.stream.Send(q) })
		})
		b = rest
	}
}

// leave abandons the stream. What the client has sent still arrives.
func (n *conn) leave() {
	n.stream.Close()
	n.end()
}

func (n *conn) end() {
	n.reset()
	n.proxy.drop(n)
	if n.proxy.node < len(n.nodes) { // else it is the observer
		n.nodes[n.proxy.node].forget(&n.wire)
	}
}

// reset ends the connection to the client as a host does that is off.
func (n *conn) reset() {
	_ = n.tcp.SetLinger(0)
	_ = n.tcp.Close()
}

// Opened is called when the dial was answered. A refused one is reset: the kernel has accepted it already.
func (n *conn) Opened(err error) {
	if err != nil {
		n.end()
	}
}

// Received passes on a reply. The kernel takes it, whatever the client does.
func (n *conn) Received(reply any) {
	n.answered++
	n.agent().isAnswered(n.proxy.node, func() { _, _ = n.tcp.Write(reply.(*redis.Reply).Bytes) })
}

func (n *conn) agent() *agent { return n.proxy.run.agents[n.proxy.client] }

// Broken is called when the server has gone off.
func (n *conn) Broken(error) { n.end() }
