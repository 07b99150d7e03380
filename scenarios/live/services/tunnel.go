package services

import (
	"net"
	"slices"
	"time"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/scenarios/live"
	"github.com/lockstorm/lockstorm/sim"
)

// A network is the connections of adapters to a service, and the state of the links between hosts: how often each is
// cut, and how slow it is.
type network struct {
	driver  *live.Driver
	address func(host int) (network, address string) // of the server on a host
	greets  bool                                     // the server speaks first, before any bytes of the client's
	tunnels []*tunnel
	cuts    map[[2]int]int
	late    map[[2]int]time.Duration
}

func newNetwork(d *live.Driver, address func(host int) (network, address string)) network {
	return network{driver: d, address: address, cuts: map[[2]int]int{}, late: map[[2]int]time.Duration{}}
}

// Accept returns a tunnel.
func (n *network) Accept(p *live.Proxy, c *net.TCPConn) live.Connection {
	return &tunnel{network: n, proxy: p, near: c, ways: [2]way{{from: p.Client, to: p.Node}, {from: p.Node, to: p.Client}}}
}

func (n *network) cut(src, to int) bool { return n.cuts[[2]int{src, to}] > 0 }

func (n *network) slow(src, to int) time.Duration { return n.late[[2]int{src, to}] }

// apply notes what has happened to a link. If it is no longer cut, tunnels send the waiting bytes again.
func (n *network) apply(e sim.Event) {
	between := [2]int{int(e.Host), int(e.Peer)}
	switch e.Kind {
	case sim.CutOff:
		n.cuts[between]++
	case sim.Mended:
		if n.cuts[between]--; n.cuts[between] == 0 {
			n.mend(between)
		}
	case sim.DelaySet:
		n.late[between] += e.Body.(time.Duration)
	}
}

func (n *network) mend(between [2]int) {
	for _, t := range n.tunnels {
		for direction, w := range t.ways {
			if between == [2]int{w.from, w.to} {
				t.setOff(direction)
			}
		}
	}
}

// A tunnel is one connection of an adapter to a service, whose protocol the proxy does not read. Its bytes take as long
// as messages of the world. While the link is cut they wait, as TCP sends unacknowledged bytes again; so does its end.
type tunnel struct {
	network *network
	proxy   *live.Proxy
	near    *net.TCPConn
	far     net.Conn // nil until the first bytes arrive
	ways    [2]way
	over    bool
}

// A way is the bytes in transit in one direction.
type way struct {
	from, to int // hosts
	chance   *sim.Chance
	parcels  []parcel
	last     clock.Instant // when the latest one arrives
}

// A parcel is some bytes, or the end of the connection if there are none.
type parcel struct {
	due   clock.Instant
	bytes []byte
}

// The directions of a tunnel.
const (
	toService = iota
	toClient
)

// Begin passes on what the client sends. If the client connects before the run has begun, its bytes wait until then.
func (t *tunnel) Begin() {
	if t.network.driver.Early(t.Begin) {
		return
	}
	t.network.tunnels = append(t.network.tunnels, t)
	for i := range t.ways {
		w := &t.ways[i]
		name := func(host int) string { return t.network.driver.Host(host).Name }
		w.chance = t.network.driver.World.Chance("tunnel/" + name(w.from) + ">" + name(w.to))
	}
	if t.network.greets {
		t.send(toService, []byte{}) // nothing but the connection itself
	}
	go t.read(t.near, toService)
}

// read sends the bytes that arrive from one side, until it ends.
func (t *tunnel) read(side net.Conn, direction int) {
	for err := error(nil); err == nil; {
		b := make([]byte, 16<<10)
		var n int
		n, err = side.Read(b)
		t.network.driver.Do(func() {
			if n > 0 {
				t.send(direction, b[:n])
			}
			if err != nil {
				t.send(direction, nil)
			}
		})
	}
}

// send sends a parcel off.
func (t *tunnel) send(direction int, bytes []byte) {
	w, n := &t.ways[direction], t.network
	w.parcels = append(w.parcels, parcel{clock.Forever, bytes})
	n.driver.World.Carried(n.driver.Host(w.from), n.driver.Host(w.to), n.cut(w.from, w.to))
	t.setOff(direction)
}

// setOff starts the waiting parcels of a direction, unless the link is cut.
func (t *tunnel) setOff(direction int) {
	w, n := &t.ways[direction], t.network
	if n.cut(w.from, w.to) || t.over {
		return
	}
	for i := range w.parcels {
		p := &w.parcels[i]
		if p.due != clock.Forever {
			continue
		}
		p.due = max(w.last, n.driver.Now().Add(w.chance.In(n.driver.Scenario.Network.Latency)+n.slow(w.from, w.to)))
		w.last = p.due
		n.driver.World.At(p.due, func() { t.arrive(direction) })
	}
}

// arrive hands over the parcels that are due. A cut loses those in transit, which are then sent again.
func (t *tunnel) arrive(direction int) {
	w, n := &t.ways[direction], t.network
	cut := n.cut(w.from, w.to)
	for i := range w.parcels {
		if cut && w.parcels[i].due <= n.driver.World.Now() {
			w.parcels[i].due = clock.Forever
		}
	}
	for !cut && !t.over && len(w.parcels) > 0 && w.parcels[0].due <= n.driver.World.Now() {
		p := w.parcels[0]
		w.parcels = w.parcels[1:]
		t.deliver(direction, p.bytes)
	}
}

// deliver passes bytes to the other side, or ends the connection. If that has ended already, its reader notices.
func (t *tunnel) deliver(direction int, bytes []byte) {
	switch {
	case bytes == nil:
		t.end()
	case direction == toClient:
		_, _ = t.near.Write(bytes)
	case t.far != nil || t.dial():
		_, _ = t.far.Write(bytes)
	}
}

// dial connects to the service. A refusal ends the connection: the client's kernel has accepted it already.
func (t *tunnel) dial() bool {
	network, address := t.network.address(t.proxy.Node)
	far, err := net.Dial(network, address)
	if err != nil {
		t.send(toClient, nil)
		return false
	}
	t.far = far
	go t.read(far, toClient)
	return true
}

// end ends the connection on both sides.
func (t *tunnel) end() {
	t.over = true
	t.network.tunnels = slices.DeleteFunc(t.network.tunnels, func(o *tunnel) bool { return o == t })
	t.proxy.Drop(t)
	t.Reset()
}

// Reset closes both sides.
func (t *tunnel) Reset() {
	_ = t.near.Close()
	if t.far != nil {
		_ = t.far.Close()
	}
}
