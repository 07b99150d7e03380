package live

import (
	"net"
	"time"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/sim"
)

// A tunnel is one connection of an adapter's to a service, whose protocol the proxy does not read. Its bytes take as long each way
// as a message of the world does. While the way is cut they wait, as TCP sends again what was not acknowledged; so does the
// end of the connection.
type tunnel struct {
	proxy   *proxy
	service service
	near    *net.TCPConn
	far     net.Conn // nil until the first bytes arrive
	ways    [2]way
	over    bool
}

// A way is what is under way in one direction.
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

func newTunnel(s service, p *proxy, near *net.TCPConn) *tunnel {
	return &tunnel{proxy: p, service: s, near: near, ways: [2]way{{from: p.client, to: p.node}, {from: p.node, to: p.client}}}
}

// begin passes on what the client sends; that of a client that connects before the run has begun, as soon as it has.
func (t *tunnel) begin() {
	r := t.proxy.run
	if r.world == nil {
		r.early = append(r.early, t.begin)
		return
	}
	for i := range t.ways {
		w := &t.ways[i]
		w.chance = r.world.Chance("tunnel/" + r.host(w.from).Name + ">" + r.host(w.to).Name)
	}
	go t.read(t.near, toService)
}

// read sends off what comes from one side, until that ends. It runs in a goroutine of its own.
func (t *tunnel) read(from net.Conn, direction int) {
	for err := error(nil); err == nil; {
		b := make([]byte, 16<<10)
		var n int
		n, err = from.Read(b)
		t.proxy.run.act(func() {
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
	w, r := &t.ways[direction], t.proxy.run
	w.parcels = append(w.parcels, parcel{clock.Forever, bytes})
	r.world.Carried(r.host(w.from), r.host(w.to), r.network.cut(w.from, w.to))
	t.setOff(direction)
}

// setOff lets the parcels of a direction travel that do not, unless the way is cut.
func (t *tunnel) setOff(direction int) {
	w, r := &t.ways[direction], t.proxy.run
	if r.network.cut(w.from, w.to) || t.over {
		return
	}
	for i := range w.parcels {
		p := &w.parcels[i]
		if p.due != clock.Forever {
			continue
		}
		p.due = max(w.last, r.now().Add(w.chance.In(r.scenario.Network.Latency)+r.network.slow(w.from, w.to)))
		w.last = p.due
		r.world.At(p.due, func() { t.arrive(direction) })
	}
}

// arrive hands over what is due. A cut loses what was under way, which is then sent again.
func (t *tunnel) arrive(direction int) {
	w, r := &t.ways[direction], t.proxy.run
	cut := r.network.cut(w.from, w.to)
	for i := range w.parcels {
		if cut && w.parcels[i].due <= r.world.Now() {
			w.parcels[i].due = clock.Forever
		}
	}
	for !cut && !t.over && len(w.parcels) > 0 && w.parcels[0].due <= r.world.Now() {
		p := w.parcels[0]
		w.parcels = w.parcels[1:]
		t.deliver(direction, p.bytes)
	}
}

// deliver hands bytes to who is to have them, or ends the connection. That it has ended already is told elsewhere.
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
	network, address := t.service.address(t.proxy.node)
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
	t.proxy.drop(t)
	t.reset()
}

// reset closes both sides.
func (t *tunnel) reset() {
	_ = t.near.Close()
	if t.far != nil {
		_ = t.far.Close()
	}
}

// A network is what tunnels need to know of the ways between hosts: how often each is cut, and by how much it is slow.
type network struct {
	cuts map[[2]int]int
	late map[[2]int]time.Duration
}

func (n *network) cut(from, to int) bool { return n.cuts[[2]int{from, to}] > 0 }

func (n *network) slow(from, to int) time.Duration { return n.late[[2]int{from, to}] }

// apply notes what has happened to a way, and reports whether it is no longer cut.
func (n *network) apply(e sim.Event) (mended bool) {
	way := [2]int{int(e.Host), int(e.Peer)}
	switch e.Kind {
	case sim.CutOff:
		n.cuts[way]++
	case sim.Mended:
		n.cuts[way]--
		return n.cuts[way] == 0
	case sim.DelaySet:
		n.late[way] += e.Body.(time.Duration)
	}
	return false
}

// mend lets tunnels send again what waits for a way between two hosts.
func (r *run) mend(from, to int) {
	for _, a := range r.agents {
		for _, p := range a.proxies {
			for _, c := range p.open() {
				t, ok := c.(*tunnel)
				if !ok {
					continue
				}
				for direction := range t.ways {
					if w := &t.ways[direction]; w.from == from && w.to == to {
						t.setOff(direction)
					}
				}
			}
		}
	}
}
