package guests_test

import (
	"cmp"
	"context"
	"net"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/guests"
	"github.com/lockstorm/lockstorm/scenarios/guests/guest"
	"github.com/lockstorm/lockstorm/scenarios/locks"
	"github.com/lockstorm/lockstorm/sim/simtest/need"
)

// server starts a redis-server on this machine, and returns its address.
func server(t *testing.T) string {
	program := need.Program(t, "no adapter is run on a real Redis", "redis-server")
	need.Loopback(t, "no adapter is run on a real Redis")
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address, port := l.Addr().String(), l.Addr().(*net.TCPAddr).Port
	l.Close()
	c := exec.Command(program, "--bind", "127.0.0.1", "--port", strconv.Itoa(port), "--save", "", "--dir", t.TempDir())
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Process.Kill(); _ = c.Wait() })
	for range 500 {
		if conn, err := net.Dial("tcp", address); err == nil {
			conn.Close()
			return address
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("redis-server does not answer")
	return ""
}

// An adapter does on a real server what it does here: one of two clients has the lock, under the key and the value by
// which the judges know it, and the other gets it when it has been released.
func TestAdaptersOnARealServer(t *testing.T) {
	address := server(t)
	look := redis.NewClient(&redis.Options{Addr: address})
	defer look.Close()
	config := locks.Config{Key: scenarios.LockKey, Rules: locks.Rules{TTL: 30 * time.Second, Timeout: 5 * time.Second}}
	each(t, func(t *testing.T, l *guests.Library) {
		if l.Wire != nil {
			t.Skip("it speaks to no Redis")
		}
		ctx := t.Context()
		one, two := open(t, l, config, address), open(t, l, config, address)
		value, _, err := one.Acquire(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := look.Get(ctx, cmp.Or(l.Key, scenarios.LockKey)).Result(); got != value || value == "" {
			t.Errorf("the key holds %q, %v, and the adapter says %q", got, err, value)
		}
		if waits := strings.Contains(l.As, "loop") || strings.Contains(l.As, "Backoff"); !waits {
			if _, _, err := two.Acquire(ctx); err == nil {
				t.Error("two clients have the lock")
			}
		}
		if err := one.Release(ctx); err != nil {
			t.Error(err)
		}
		if _, _, err := two.Acquire(ctx); err != nil {
			t.Errorf("nobody has the lock, and it can't be acquired: %v", err)
		}
		if e, ok := two.(guest.Extender); ok != l.Extends {
			t.Errorf("it extends: %v, and the list says %v", ok, l.Extends)
		} else if ok {
			if _, err := e.Extend(ctx); err != nil {
				t.Error(err)
			}
		}
		_ = two.Release(ctx)
	})
}

// open makes a client's lock on a server.
func open(t *testing.T, l *guests.Library, c locks.Config, address string) guest.Lock {
	t.Helper()
	dial := func(ctx context.Context, network, address string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, address)
	}
	lock, err := l.New(guest.NewClient(c, []string{address}, dial))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(lock.Close)
	return lock
}
