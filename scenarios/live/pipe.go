package live

import (
	"fmt"
	"net"
	"time"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/sim"
)

// A pipe is one connection of a replica to its master, as accepted by the proxy between the two. Data travels in
// pieces, each a message of the world. The master's pieces first wait in its host for the lag. Both ends notice a
// missing piece with the next one, as a broken connection. Before the world's time begins, pieces arrive immediately.
type pipe struct {
	*Driver
	proxy   *Proxy
	connect func() (net.Conn, error) // to the master's server
	prompt  bool                     // nothing waits in the master: the other end is no replica

	ends [2]net.Conn
	sent [2]int // pieces, by each
	got  [2]int
	due  clock.Reading // when the latest of the master's pieces is sent, on its monotonic clock
	over bool
}

// The two ends of a pipe.
const (
	ofReplica = iota
	ofMaster
)

// Begin hears what the replica sends.
func (p *pipe) Begin() { go p.read(ofReplica, p.ends[ofReplica]) }

// A piece is a part of what one end has sent. One without bytes says that the connection is there.
type piece struct {
	pipe  *pipe
	end   int // which has sent it
	nth   int
	bytes []byte
	last  bool
}

// String describes the piece in a trace.
func (q piece) String() string {
	switch {
	case q.last:
		return "replication ends"
	case len(q.bytes) == 0:
		return "replication, a beat"
	}
	return fmt.Sprintf("replication, %d bytes", len(q.bytes))
}

// read hands what one end sends to the world, until the connection ends.
func (p *pipe) read(end int, c net.Conn) {
	b := make([]byte, 64<<10)
	for {
		n, err := c.Read(b)
		text := append([]byte(nil), b[:n]...)
		p.Do(func() { p.send(end, text, err != nil) })
		if err != nil {
			return
		}
	}
}

// host returns the host of one end.
func (p *pipe) host(end int) *sim.Host {
	if end == ofMaster {
		return p.Host(p.proxy.Node)
	}
	return p.Host(p.proxy.Client)
}

// send lets a piece leave the host of one end. A piece from a server that was killed meanwhile is lost.
func (p *pipe) send(end int, b []byte, last bool) {
	switch {
	case p.over:
		return
	case p.World == nil:
		p.give(end^1, b, last)
		return
	case !p.host(end).Up():
		return
	}
	q, h, to := piece{p, end, p.sent[end], b, last}, p.host(end), p.host(end^1).ID
	p.sent[end]++
	if end == ofReplica || p.prompt {
		h.Post(to, q)
		return
	}
	p.due = max(p.due, h.Mono().Add(p.lag()))
	h.After(time.Duration(p.due-h.Mono()), func() { h.Post(to, q) })
}

// lag draws how long a write waits in the master.
func (p *pipe) lag() time.Duration { return p.World.Chance("replication").In(p.Scenario.Replicas.Lag) }

// take accepts a piece that has reached the other host.
func (p *pipe) take(q piece) {
	switch to := q.end ^ 1; {
	case p.over:
	case q.nth != p.got[to]:
		p.close()
	default:
		p.got[to]++
		p.give(to, q.bytes, q.last)
	}
}

// give passes bytes to the server at one end. The first ones connect to the master.
func (p *pipe) give(to int, b []byte, last bool) {
	err := error(nil)
	if p.ends[to] == nil && len(b) > 0 {
		err = p.dial()
	}
	if err == nil && len(b) > 0 {
		_ = p.ends[to].SetWriteDeadline(time.Now().Add(time.Second)) // never reached: the kernel takes it
		_, err = p.ends[to].Write(b)
	}
	if err != nil || last {
		p.close()
	}
}

// dial connects to the master.
func (p *pipe) dial() error {
	c, err := p.connect()
	if err != nil {
		return err
	}
	p.ends[ofMaster] = c
	go p.read(ofMaster, c)
	return nil
}

// close ends the connection.
func (p *pipe) close() {
	p.over = true
	p.proxy.Drop(p)
	p.Reset()
}

// Reset ends the connection at both ends, as a host does that is off.
func (p *pipe) Reset() {
	for _, c := range p.ends {
		if t, ok := c.(*net.TCPConn); ok {
			_ = t.SetLinger(0)
		}
		if c != nil {
			_ = c.Close()
		}
	}
}
