package findings_test

import (
	"testing"
	"time"

	"github.com/redis/rueidis/rueidislock"
)

// rueidislock, Locker: "WithContext acquires a distributed redis lock by name by waiting for it." One reply comes
// later than TryNextAfter (20 ms). From then on it waits for a message that never comes. The lock is free, and even
// after another client acquires and releases it, it still waits. This needs client-side caching with NoLoopTracking,
// as in the README's example.
func TestRueidislockWaitsForAFreeLock(t *testing.T) {
	t.Parallel()
	s := realServer(t) // miniredis has no client-side caching
	p := newProxy(t, s)
	validity := func(o *rueidislock.LockerOption) { o.KeyValidity = 500 * time.Millisecond }
	a := rueidisLocker(t, p.addr, s, func(o *rueidislock.LockerOption) { validity(o); o.TryNextAfter = 0 }) // the default, 20 ms
	b := rueidisLocker(t, s.addr, s, validity)
	defer b.Close()
	defer a.Close()
	for err := rueidislock.ErrNotLocked; err != nil; { // so that the server knows the scripts
		var release func()
		if _, release, err = a.TryWithContext(t.Context(), "another lock"); err == nil {
			release()
		}
	}
	acquired := make(chan error, 1)
	p.hold()
	go func() {
		_, _, err := a.WithContext(t.Context(), "lock")
		acquired <- err
	}()
	time.Sleep(250 * time.Millisecond) // more than 20 ms
	p.free()
	time.Sleep(600 * time.Millisecond) // longer than the validity
	for range 2 {
		_, release, err := b.TryWithContext(t.Context(), "lock")
		if err != nil {
			t.Fatalf("the lock is not free: %v", err)
		}
		time.Sleep(50 * time.Millisecond)
		release()
	}
	select {
	case err := <-acquired:
		t.Fatalf("the library has changed, or this machine is too busy: it does not wait on, and returns %v", err)
	case <-time.After(300 * time.Millisecond):
		t.Log("the lock was free for longer than its validity, was taken and released twice, and WithContext still waits")
	}
}
