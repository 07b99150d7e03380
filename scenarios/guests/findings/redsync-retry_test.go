package findings_test

import (
	"errors"
	"testing"

	"github.com/go-redsync/redsync/v4"
)

// redsync: "ErrTaken happens when the lock is already taken in a quorum on nodes", and "ErrLockAlreadyExpired is the
// error resulting if trying to unlock the lock which already expired". One client alone, and one reply that gets lost
// with its connection: go-redis sends the command again, which finds its own first deed, and redsync takes that for
// another's.
func TestRedsyncTakesItselfForAnother(t *testing.T) {
	onEach(t, func(t *testing.T, start func() server) {
		p := newProxy(t, start())
		m := overGoRedis(t, nil, p.addr).NewMutex("lock", redsync.WithTimeoutFactor(0.5)) // time for a busy machine
		_, _ = m.Unlock()                                                                 // so that the server knows the script
		if err := m.TryLock(); err != nil {
			t.Fatal(err)
		}
		p.lose.Store(1)
		if _, err := m.Unlock(); !errors.Is(err, redsync.ErrLockAlreadyExpired) {
			t.Errorf("the library has changed: Unlock returns %v", err)
		}
		p.lose.Store(1)
		var taken *redsync.ErrTaken
		if err := m.TryLock(); !errors.As(err, &taken) {
			t.Errorf("the library has changed: TryLock returns %v", err)
		}
		if err := m.TryLock(); err != nil {
			t.Errorf("it has not cleaned up: %v", err)
		}
	})
}
