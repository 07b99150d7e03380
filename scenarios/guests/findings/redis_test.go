package findings_test

import (
	"net"
	"os/exec"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"

	"github.com/lockstorm/lockstorm/sim/simtest/need"
)

// A server is a Redis: miniredis, or a redis-server of this machine.
type server struct {
	*redis.Client
	addr string
	mini *miniredis.Miniredis // nil for a redis-server
}

// onEach runs a reproduction on miniredis, and on a redis-server. start starts another server of the kind.
func onEach(t *testing.T, reproduce func(t *testing.T, start func() server)) {
	t.Parallel()
	t.Run("miniredis", func(t *testing.T) {
		t.Parallel()
		reproduce(t, func() server {
			need.Loopback(t, "nothing is run on miniredis")
			mini := miniredis.RunT(t)
			return newServer(t, mini.Addr(), mini)
		})
	})
	t.Run("redis-server", func(t *testing.T) {
		t.Parallel()
		reproduce(t, func() server { return realServer(t) })
	})
}

// newServer returns a server that answers.
func newServer(t *testing.T, addr string, mini *miniredis.Miniredis) server {
	s := server{redis.NewClient(&redis.Options{Addr: addr}), addr, mini}
	t.Cleanup(func() { s.Close() })
	return s
}

// realServer starts a redis-server, on a port that the kernel chose, and ends it with the test.
func realServer(t *testing.T) server {
	t.Helper()
	path := need.Program(t, "nothing is run on a real Redis", "redis-server")
	for range 5 { // another process may take the port first
		port := freePort(t)
		c := exec.Command(path, "--port", port, "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", t.TempDir())
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan struct{})
		go func() { _ = c.Wait(); close(ended) }()
		t.Cleanup(func() { _ = c.Process.Kill(); <-ended })
		if addr := "127.0.0.1:" + port; listens(addr, ended) {
			return newServer(t, addr, nil)
		}
	}
	t.Fatal("redis-server does not start")
	return server{}
}

// freePort returns a port that the kernel chose.
func freePort(t *testing.T) string {
	need.Loopback(t, "nothing is run on a real server")
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return strconv.Itoa(l.Addr().(*net.TCPAddr).Port)
}

// listens waits until a server takes connections, and reports false if it ends before.
func listens(addr string, ended chan struct{}) bool {
	for {
		if c, err := net.Dial("tcp", addr); err == nil {
			c.Close()
			return true
		}
		select {
		case <-ended:
			return false
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// sleep lets time pass, on miniredis too, whose keys live by a clock that the test sets.
func sleep(d time.Duration, on ...server) {
	start := time.Now()
	time.Sleep(d)
	passed := time.Since(start)
	for _, s := range on {
		if s.mini != nil {
			s.mini.FastForward(passed)
		}
	}
}

// A proxy sits between a client and a server, and acts like a bad network.
type proxy struct {
	addr              string
	requests, replies sync.RWMutex // locked while nothing gets through
	lose              atomic.Int32 // this many replies get lost, each with its connection
	refuse            atomic.Bool  // new connections are closed immediately
	refused           atomic.Int32 // how many were
	mu                sync.Mutex
	conns             []net.Conn
}

// newProxy returns a proxy to a server.
func newProxy(t *testing.T, to server) *proxy {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{addr: l.Addr().String()}
	t.Cleanup(func() { l.Close(); p.cut() })
	go func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			p.connect(client, to.addr)
		}
	}()
	return p
}

// connect connects a client to the server, or refuses to.
func (p *proxy) connect(client net.Conn, to string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.refuse.Load() {
		client.Close()
		p.refused.Add(1)
		return
	}
	server, err := net.Dial("tcp", to)
	if err != nil {
		client.Close()
		return
	}
	p.conns = append(p.conns, client, server)
	go pass(server, client, &p.requests, new(atomic.Int32))
	go pass(client, server, &p.replies, &p.lose)
}

// hold keeps back all bytes both ways, as a network that loses packets does: neither end learns of it. free lets them
// through.
func (p *proxy) hold() { p.requests.Lock(); p.replies.Lock() }
func (p *proxy) free() { p.replies.Unlock(); p.requests.Unlock() }

// cut ends all connections.
func (p *proxy) cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range p.conns {
		c.Close()
	}
	p.conns = nil
}

// pass passes on what one end sends, while the gate is open.
func pass(to, from net.Conn, gate *sync.RWMutex, lose *atomic.Int32) {
	defer to.Close()
	defer from.Close()
	for b := make([]byte, 4096); ; {
		n, err := from.Read(b)
		if err != nil || lose.Load() > 0 && lose.Add(-1) >= 0 {
			return
		}
		gate.RLock()
		_, err = to.Write(b[:n])
		gate.RUnlock()
		if err != nil {
			return
		}
	}
}
