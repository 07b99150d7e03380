package findings_test

import (
	"testing"
	"time"

	"github.com/go-redsync/redsync/v4"
)

// redsync, README: a lock "as described in this post", which works as long as a majority of the servers answers. One
// of three goes silent for one client. The other two extend its lock immediately. Extend waits for the third until
// the lock, which lives 500 ms here and 8 s by default, has expired and another client has it. Without WithFailFast
// Extend has no timeout, though Lock has one.
func TestRedsyncExtendWaitsForTheLastServer(t *testing.T) {
	onEach(t, func(t *testing.T, start func() server) {
		s := []server{start(), start(), start()}
		p := newProxy(t, s[2])
		a := overGoRedis(t, nil, s[0].addr, s[1].addr, p.addr).NewMutex("lock", redsync.WithExpiry(500*time.Millisecond))
		b := overGoRedis(t, nil, s[0].addr, s[1].addr, s[2].addr).NewMutex("lock")
		if err := a.Lock(); err != nil {
			t.Fatal(err)
		}
		p.hold()
		from := time.Now()
		extended := make(chan error, 1)
		go func() {
			_, err := a.Extend()
			extended <- err
		}()
		for b.TryLock() != nil {
			sleep(10*time.Millisecond, s...)
		}
		select {
		case err := <-extended:
			t.Fatalf("the library has changed: Extend returned %v before another client had the lock", err)
		default:
		}
		p.free()
		if time.Since(from) < 450*time.Millisecond {
			t.Error("no server extended the lock, or this machine is too busy")
		}
		if err := <-extended; err == nil {
			t.Error("Extend says that the lock is extended, and another client has it")
		} else {
			t.Log(err)
		}
	})
}
