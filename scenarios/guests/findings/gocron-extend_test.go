package findings_test

import (
	"errors"
	"testing"
	"time"

	redislock "github.com/go-co-op/gocron-redis-lock/v2"
	"github.com/go-redsync/redsync/v4"
	"github.com/redis/go-redis/v9"

	"github.com/lockstorm/lockstorm/sim/simtest/need"
)

// gocron-redis-lock, WithAutoExtendDuration "sets the duration for auto extending the lock". The server is
// unreachable for one extension, and then returns while the lock still has most of its time. No more extension
// follows, the job gets no notice, and another instance runs the same job in parallel.
func TestGocronStopsExtending(t *testing.T) {
	onEach(t, func(t *testing.T, start func() server) {
		s := start()
		p := newProxy(t, s)
		locker := func(addr string) (l interface{ Close() error }, lock func() error) {
			client := redis.NewClient(&redis.Options{Addr: addr})
			locker, err := redislock.NewRedisLockerWithOptions(client, redislock.WithAutoExtendDuration(100*time.Millisecond),
				redislock.WithRedsyncOptions(redsync.WithExpiry(700*time.Millisecond), redsync.WithTries(1)))
			if err != nil {
				t.Fatal(err)
			}
			return client, func() error { _, err := locker.Lock(t.Context(), "job"); return err }
		}
		a, lockA := locker(p.addr)
		defer a.Close()
		b, lockB := locker(s.addr)
		defer b.Close()
		if err := lockA(); err != nil {
			t.Fatal(err)
		}
		for range 8 { // longer than the expiry: as long as extensions arrive, the lock is held
			sleep(100*time.Millisecond, s)
		}
		if lockB() == nil {
			need.Possible(t, "no lock is extended", errors.New("this machine is too busy to extend a lock of 700 ms each 100 ms"))
		}
		p.refuse.Store(true)
		p.cut()
		for p.refused.Load() < 4 { // one extension, and go-redis's three more tries
			time.Sleep(time.Millisecond)
		}
		p.refuse.Store(false)
		left := s.PTTL(t.Context(), "job").Val()
		if left < 100*time.Millisecond {
			need.Possible(t, "no lock is extended", errors.New("this machine is too busy, and the lock has expired meanwhile"))
		}
		for from := time.Now(); lockB() != nil; sleep(10*time.Millisecond, s) {
			if time.Since(from) > 3*time.Second {
				t.Fatal("the library has changed: it goes on extending")
			}
		}
		t.Logf("the server is back when the lock has %v left, and is not asked to extend it", left)
	})
}
