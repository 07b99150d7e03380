package findings_test

import (
	"testing"
	"time"

	"github.com/go-redsync/redsync/v4"
)

// redsync, WithSetNXOnExtend: a lock has expired, and another client has held it and released it. Extend sets the key
// again and returns true, so that the first client does not learn that another was in between.
func TestRedsyncExtendsALockThatAnotherHeld(t *testing.T) {
	onEach(t, func(t *testing.T, start func() server) {
		s := start()
		rs := overGoRedis(t, nil, s.addr)
		a := rs.NewMutex("lock", redsync.WithExpiry(100*time.Millisecond), redsync.WithSetNXOnExtend())
		if err := a.TryLock(); err != nil {
			t.Fatal(err)
		}
		b := rs.NewMutex("lock")
		for b.TryLock() != nil { // until the lock of a has expired
			sleep(10*time.Millisecond, s)
		}
		if _, err := b.Unlock(); err != nil {
			t.Fatal(err)
		}
		if ok, err := a.Extend(); !ok || err != nil {
			t.Errorf("the library has changed: a lock that another client held is not extended: %v, %v", ok, err)
		}
	})
}
