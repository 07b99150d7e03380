package findings_test

import (
	"errors"
	"testing"
	"time"

	"github.com/redis/rueidis/rueidislock"

	"github.com/lockstorm/lockstorm/sim/simtest/need"
)

// rueidislock, README: "The returned ctx will be canceled automatically and immediately once the KeyMajority is not
// held anymore". The network between the holder and the server goes silent. The key expires, another client gets the
// lock, and the holder's ctx lives for half a validity more: an extension waits for its reply until the end that it
// asks for.
func TestRueidislockOutlivesItsKey(t *testing.T) {
	const validity = time.Second
	onEach(t, func(t *testing.T, start func() server) {
		s := start()
		for range 5 { // a machine that freezes for 400 ms proves nothing
			p := newProxy(t, s)
			option := func(o *rueidislock.LockerOption) { o.KeyValidity = validity }
			a, b := rueidisLocker(t, p.addr, s, option), rueidisLocker(t, s.addr, s, option)
			from := time.Now()
			holds, _, err := a.WithContext(t.Context(), "lock")
			if err != nil {
				t.Fatal(err)
			}
			p.hold()
			_, release, err := b.TryWithContext(t.Context(), "lock")
			for ; err != nil; _, release, err = b.TryWithContext(t.Context(), "lock") {
				sleep(5*time.Millisecond, s)
			}
			early, other := holds.Err() != nil, time.Since(from)
			<-holds.Done()
			over := time.Since(from)
			p.free()
			release()
			a.Close()
			b.Close()
			if other > validity+400*time.Millisecond {
				continue
			}
			if early {
				t.Fatal("the library has changed: the holder's ctx ends before another client gets the lock")
			}
			t.Logf("of a validity of %v: the other has the lock after %v, and the holder's ctx ends after %v", validity, other, over)
			return
		}
		need.Possible(t, "no partition is short", errors.New("this machine is too busy"))
	})
}
