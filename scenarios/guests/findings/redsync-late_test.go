package findings_test

import (
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-redsync/redsync/v4"
	rsgoredis "github.com/go-redsync/redsync/v4/redis/goredis/v9"
	"github.com/redis/go-redis/v9"
)

// redsync: Lock draws one value for all its tries. The release of a try that failed is late, a later try of the same
// Lock wins, and then that release arrives: it finds its own value, and deletes the key. Another client gets the lock.
func TestRedsyncFreesALaterTry(t *testing.T) {
	onEach(t, func(t *testing.T, start func() server) {
		s := start()
		late := newLateRelease(t, s.addr)
		other := overGoRedis(t, nil, s.addr)
		client := redis.NewClient(&redis.Options{Addr: late.addr, ReadTimeout: 300 * time.Millisecond, MaxRetries: -1})
		defer client.Close()
		b := other.NewMutex("lock", redsync.WithExpiry(time.Minute))
		_, _ = b.Unlock() // so that the server knows the script
		if err := b.TryLock(); err != nil {
			t.Fatal(err)
		}
		go func() {
			<-late.kept // the first try of a has failed, and its release is on its way
			_, _ = b.Unlock()
		}()
		a := redsync.New(rsgoredis.NewPool(client)).NewMutex("lock", redsync.WithExpiry(time.Minute))
		if err := a.Lock(); err != nil {
			t.Fatal(err)
		}
		if err := other.NewMutex("lock").TryLock(); err == nil {
			t.Fatal("the lock is held, and another client gets it")
		}
		late.deliver()
		if err := other.NewMutex("lock").TryLock(); err != nil {
			t.Fatalf("the library has changed: the late release frees nothing: %v", err)
		}
		t.Logf("another client has the lock, and a counts on it for %v more", time.Until(a.Until()).Round(time.Second))
	})
}

// A lateRelease is a proxy between a client and a server that delays the first release, which is a script. The client
// stops waiting and closes the connection, as when packets are late.
type lateRelease struct {
	addr    string
	kept    chan struct{} // closed when there is one
	release chan struct{} // closed when it should arrive
	arrived chan struct{} // closed when the server has answered it
	first   atomic.Bool
}

func newLateRelease(t *testing.T, server string) *lateRelease {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r := &lateRelease{addr: l.Addr().String(), kept: make(chan struct{}), release: make(chan struct{}), arrived: make(chan struct{})}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			to, err := net.Dial("tcp", server)
			if err != nil {
				client.Close()
				continue
			}
			t.Cleanup(func() { client.Close(); to.Close() })
			go r.pass(to, client)
		}
	}()
	return r
}

// pass passes on requests and replies. The connection that carries the release stays open to the server.
func (r *lateRelease) pass(to, client net.Conn) {
	var late atomic.Bool
	go func() {
		for b := make([]byte, 4096); ; {
			n, err := to.Read(b)
			if err != nil {
				client.Close()
				return
			}
			if late.Load() {
				close(r.arrived)
				return
			}
			_, _ = client.Write(b[:n])
		}
	}()
	for b := make([]byte, 4096); ; {
		n, err := client.Read(b)
		if err != nil {
			to.Close()
			return
		}
		const script = "*5\r\n$7\r\nevalsha" // with a key and a value: a release
		if strings.HasPrefix(strings.ToLower(string(b[:n])), script) && r.first.CompareAndSwap(false, true) {
			late.Store(true)
			close(r.kept)
			<-r.release
			_, _ = to.Write(b[:n])
			return
		}
		_, _ = to.Write(b[:n])
	}
}

// deliver lets the release arrive.
func (r *lateRelease) deliver() {
	close(r.release)
	<-r.arrived
}
