package live

import (
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/sim"
	"github.com/lockstorm/lockstorm/sim/redis"
	"github.com/lockstorm/lockstorm/sim/simtest/need"
)

// A watched gate is one client's gate, with a log of what has passed it, in order, and the marks that wait for
// permission.
type watchedGate struct {
	gate
	log   []string
	marks []func()
}

func watching(g gate) *watchedGate {
	w := &watchedGate{gate: g}
	w.driver, w.servers = &Driver{Key: "lock"}, 3
	w.begin("acquire", func(mark string, then func()) {
		w.log, w.marks = append(w.log, "mark "+mark), append(w.marks, then)
	})
	return w
}

func (w *watchedGate) request(node int, args ...string) {
	w.asks(&redis.Request{Args: args}, node, func() { w.log = append(w.log, fmt.Sprint(strings.ToLower(args[0]), node)) })
}

func (w *watchedGate) reply(node int) {
	w.isAnswered(node, func() { w.log = append(w.log, fmt.Sprint("reply", node)) })
}

func (w *watchedGate) goOn(mark int) { w.marks[mark]() }

func (w *watchedGate) has(t *testing.T, want string) {
	t.Helper()
	if got := strings.Join(w.log, ", "); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

// A library that greets its servers, asks three of them for the lock and hears of all three passes both marks: what
// comes between a mark and its fault waits, in its order, and nothing else does.
func TestALibraryPassesTheMarksThatItsRequestsShow(t *testing.T) {
	w := watching(gate{adapter: true})
	w.request(1, "PING")
	w.request(1, "SET", "lock", "a")
	w.request(2, "SET", "lock", "a")
	w.request(3, "PING") // it may be what the client waits for
	w.has(t, "ping1, mark asking")
	w.goOn(0)
	w.request(3, "SET", "lock", "a")
	w.has(t, "ping1, mark asking, set1, set2, ping3, set3")
	w.log = nil
	w.reply(1)
	w.reply(1) // of another request, to a server that has answered
	w.reply(9) // of a server that was not asked for the key
	w.reply(2)
	w.has(t, "reply1, reply1, reply9, reply2")
	w.reply(3)
	w.request(1, "GET", "lock")
	w.has(t, "reply1, reply1, reply9, reply2, mark answered")
	w.goOn(1)
	w.request(1, "GET", "lock")
	w.has(t, "reply1, reply1, reply9, reply2, mark answered, reply3, get1, get1")
}

// A library asks one server, and the others only once the first mark has passed. The second mark waits for their answers
// too.
func TestServersThatAreAskedAfterTheMarkAnswerToo(t *testing.T) {
	w := watching(gate{adapter: true})
	w.request(1, "SET", "lock", "a")
	w.goOn(0)
	w.request(2, "SET", "lock", "a")
	w.request(3, "SET", "lock", "a")
	for node := 1; node <= 3; node++ {
		w.reply(node)
	}
	w.has(t, "mark asking, set1, set2, set3, reply1, reply2, mark answered")
	w.goOn(1)
	w.has(t, "mark asking, set1, set2, set3, reply1, reply2, mark answered, reply3")
}

// A client of ours reports its own marks. Only if a fault hits right after one, the proxy gathers the requests, and
// lets them continue after a millisecond. In replies it sees no mark.
func TestRequestsAreGatheredForImmediateFault(t *testing.T) {
	w := watching(gate{gathers: true})
	world := sim.New(sim.Config{})
	defer world.Close()
	w.driver.World = world
	var passed clock.Instant
	w.begin("acquire", func(mark string, then func()) {
		passed = world.Now()
		w.log = append(w.log, "mark "+mark)
		then()
	})
	world.At(3*ms, func() { w.request(1, "SET", "lock", "a") })
	world.At(3*ms+1, func() { w.request(2, "SET", "lock", "a"); w.request(3, "SET", "lock", "a") })
	world.Run()
	w.has(t, "mark asking, set1, set2, set3")
	if passed != 4*ms {
		t.Errorf("the mark is passed at %s, want 4ms", time.Duration(passed))
	}
	for node := 1; node <= 3; node++ {
		w.reply(node)
	}
	w.has(t, "mark asking, set1, set2, set3, reply1, reply2, reply3")
	if !w.watches("asking") || w.watches("answered") || watching(gate{adapter: true}).watches("asking") {
		t.Error("the proxy sees a mark for whoever says it himself, or none where it gathers")
	}
}

// Without a question, or in a release, nothing waits. Our own clients' requests don't wait either if nothing is
// gathered.
func TestRequestWithoutMarkPassesGate(t *testing.T) {
	none := func(string, func()) { t.Error("a mark is passed") }
	for name, prepare := range map[string]func(*watchedGate){
		"release":  func(w *watchedGate) { w.begin("release", none) },
		"over":     func(w *watchedGate) { w.begin("acquire", none); w.end() },
		"released": func(w *watchedGate) { w.begin("acquire", none); w.begin("release", none) },
		"ours":     func(w *watchedGate) { w.adapter = false; w.begin("acquire", none) },
	} {
		t.Run(name, func(t *testing.T) {
			w := watching(gate{adapter: true})
			prepare(w)
			for node := 1; node <= 3; node++ {
				w.request(node, "SET", "lock", "a")
				w.reply(node)
			}
			w.has(t, "set1, reply1, set2, reply2, set3, reply3")
		})
	}
}

// A recorded connection is one that a proxy has accepted, and knows how it ended.
type recorded struct {
	tcp   *net.TCPConn
	ended chan struct{}
}

func (r *recorded) Begin() {}
func (r *recorded) Reset() {
	_ = r.tcp.Close()
	close(r.ended) // twice would panic
}

// recording returns what a proxy does with a connection, and where those come that it has accepted.
func recording() (accept func(*Proxy, *net.TCPConn) Connection, all chan *recorded) {
	all = make(chan *recorded, 9)
	return func(_ *Proxy, c *net.TCPConn) Connection {
		r := &recorded{c, make(chan struct{})}
		all <- r
		return r
	}, all
}

func dialed(t *testing.T, address string) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// hasEnded waits for the other side to end a connection.
func hasEnded(t *testing.T, c net.Conn) {
	t.Helper()
	_ = c.SetReadDeadline(time.Now().Add(time.Minute))
	if _, err := c.Read(make([]byte, 1)); err == nil || strings.Contains(err.Error(), "timeout") {
		t.Errorf("the connection has not ended: %v", err)
	}
}

// When a proxy ends, its connections end, once each, except those that had ended before. A connection that arrives
// meanwhile ends too, and later ones are refused.
func TestProxyClosesItsConnections(t *testing.T) {
	need.Loopback(t, "nothing is run live")
	accept, all := recording()
	p, err := newProxy(&Driver{wake: make(chan struct{}, 1)}, 1, 2, accept)
	if err != nil {
		t.Fatal(err)
	}
	over, open := dialed(t, p.address()), dialed(t, p.address())
	first, second := <-all, <-all
	if first.tcp.RemoteAddr().String() != over.LocalAddr().String() {
		first, second = second, first
	}
	eventually(t, "the proxy has not two connections", func() bool { return len(p.open()) == 2 })
	p.Drop(first)
	p.close()
	hasEnded(t, open)
	<-second.ended
	select {
	case <-first.ended:
		t.Error("a connection that was over is ended again")
	default:
	}
	if len(p.open()) > 0 {
		t.Error("a proxy that has ended has connections")
	}
	if c, err := net.Dial("tcp", p.address()); err == nil {
		_ = c.Close()
		t.Error("a proxy that has ended accepts a connection")
	}
	here, there := pair2(t)
	if p.take(there) {
		t.Error("a proxy that has ended takes a connection")
	}
	hasEnded(t, here)
}

// pair2 returns both ends of a connection.
func pair2(t *testing.T) (here net.Conn, there *net.TCPConn) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	here = dialed(t, l.Addr().String())
	c, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	return here, c.(*net.TCPConn)
}

// Servers know each other by one port, which identifies them by the address that they connect from. It turns a
// stranger away.
func TestCrossingIdentifiesHosts(t *testing.T) {
	need.Loopback(t, "nothing is run live")
	accept, all := recording()
	var from []int
	x, err := newCrossing(&Driver{wake: make(chan struct{}, 1)}, []int{1, 3}, 2, func(p *Proxy, c *net.TCPConn) Connection {
		from = append(from, p.Client)
		return accept(p, c)
	})
	if err != nil {
		t.Fatal(err)
	}
	var last net.Conn
	for _, host := range []int{3, 1} {
		d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(source(host))}}
		if last, err = d.Dial("tcp", "127.0.0.1:"+x.port()); err != nil {
			need.Possible(t, "no connection comes from "+source(host), err)
		}
		<-all
	}
	stranger := dialed(t, "127.0.0.1:"+x.port())
	hasEnded(t, stranger)
	if !slices.Equal(from, []int{3, 1}) {
		t.Errorf("hosts %d have connected, want 3 and 1", from)
	}
	x.close()
	hasEnded(t, last)
	if c, err := net.Dial("tcp", "127.0.0.1:"+x.port()); err == nil {
		_ = c.Close()
		t.Error("a crossing that has ended accepts a connection")
	}
}

// A connection to a server that refuses it, or that goes off, is reset, as the kernel of a host that is off does; the
// proxy forgets it. What can't be a command ends it too.
func TestAConnectionToRedisEndsAsItsServerDoes(t *testing.T) {
	need.Loopback(t, "nothing is run live")
	for name, end := range map[string]func(*redisConn, net.Conn){
		"refused":    func(n *redisConn, _ net.Conn) { n.Opened(sim.ErrRefused) },
		"broken":     func(n *redisConn, _ net.Conn) { n.Broken(sim.ErrReset) },
		"no command": func(n *redisConn, c net.Conn) { _, _ = io.WriteString(c, "*1\r\n:1\r\n"); n.read() },
	} {
		t.Run(name, func(t *testing.T) {
			d := &Driver{wake: make(chan struct{}, 1)}
			here, there := pair2(t)
			p := &Proxy{driver: d, gate: &gate{driver: d}, conns: map[Connection]bool{}}
			ended := 0
			n := &redisConn{proxy: p, tcp: there, ended: func() { ended++ }, stream: &sim.Stream{}}
			p.add(n)
			n.Opened(nil)
			if ended > 0 {
				t.Error("a connection that is accepted ends")
			}
			if name == "no command" {
				n.stream = opened(t, n)
			}
			end(n, here)
			for _, do := range d.actions {
				do()
			}
			_ = here.SetReadDeadline(time.Now().Add(time.Minute))
			if _, err := here.Read(make([]byte, 1)); err == nil || !strings.Contains(err.Error(), "reset") {
				t.Errorf("the client reads %v, want that it was reset", err)
			}
			if ended != 1 || len(p.open()) > 0 {
				t.Errorf("it ended %d times, and the proxy has %d connections", ended, len(p.open()))
			}
		})
	}
}

// opened returns a stream between two hosts of a world.
func opened(t *testing.T, r sim.Receiver) *sim.Stream {
	t.Helper()
	w := sim.New(sim.Config{})
	t.Cleanup(w.Close)
	server, client := w.AddHost("n1", nil, 0, 0), w.AddHost("c1", nil, 0, 0)
	return client.Dial(server.ID, r)
}

// The proxy decides whether a release was acknowledged: each server got something since, and has answered it.
func TestAServerHasAnsweredWhatItWasAskedSince(t *testing.T) {
	need.Loopback(t, "nothing is run live")
	d := &Driver{wake: make(chan struct{}, 1)}
	p := &Proxy{driver: d, gate: &gate{driver: d}, conns: map[Connection]bool{}}
	here, there := pair2(t)
	go func() { _, _ = io.Copy(io.Discard, here) }()
	n := &redisConn{proxy: p, tcp: there}
	n.stream = opened(t, n)
	p.add(n)
	a := &agent{Driver: d, proxies: []*Proxy{p}}
	before := a.requests()
	for _, step := range []struct {
		do   func()
		want bool
	}{
		{func() {}, false}, // nothing was asked
		{func() { n.sendWhole([]byte("*1\r\n$4\r\nPING\r\n")) }, false},
		{func() { n.Received(&redis.Reply{}) }, true},
		{func() { n.sendWhole([]byte("*1\r\n$4\r\nPING\r\n")) }, false},
		{func() { before = a.requests(); n.Received(&redis.Reply{}) }, false}, // all of it was asked before
	} {
		step.do()
		for _, do := range d.actions {
			do()
		}
		if d.actions = nil; a.answered(before) != step.want {
			t.Errorf("%d asked, %d answered, %d before: %v", n.asked, n.answered, before[n], !step.want)
		}
	}
}

// A client that sends a part of a command, and the rest with the next, has sent two commands.
func TestCommandsThatComeInPiecesAreWhole(t *testing.T) {
	d := &Driver{wake: make(chan struct{}, 1)}
	n := &redisConn{proxy: &Proxy{driver: d, gate: &gate{driver: d}}}
	const text = "*1\r\n$4\r\nPING\r\n*2\r\n$3\r\nGET\r\n$4\r\nlock\r\n"
	for cut := range len(text) {
		d.actions, n.asked = nil, 0
		rest := n.sendWhole([]byte(text[:cut]))
		first := len(d.actions)
		if rest = n.sendWhole(append(rest, text[cut:]...)); len(rest) > 0 || len(d.actions) != 2 || first > 1 && cut < len(text) {
			t.Errorf("cut at %d: %d commands, then %d, and %q is left", cut, first, len(d.actions), rest)
		}
	}
}
