package findings_test

import (
	"testing"
	"time"

	"github.com/redis/rueidis/rueidislock"
)

// rueidislock, Locker: "ForceWithContext takes over a distributed redis lock by canceling the original holder." Without
// client-side caching it returns, and the original holder's ctx lives until its next extension.
func TestRueidislockForceLeavesTheHolder(t *testing.T) {
	onEach(t, func(t *testing.T, start func() server) {
		s := start()
		option := func(o *rueidislock.LockerOption) {
			o.ClientOption.DisableCache = true
			o.KeyValidity = time.Minute
		}
		a, b := rueidisLocker(t, s.addr, s, option), rueidisLocker(t, s.addr, s, option)
		defer a.Close()
		defer b.Close()
		holds, _, err := a.TryWithContext(t.Context(), "lock")
		if err != nil {
			t.Fatal(err)
		}
		_, release, err := b.ForceWithContext(t.Context(), "lock")
		if err != nil {
			t.Fatal(err)
		}
		defer release()
		select {
		case <-holds.Done():
			t.Error("the library has changed: the original holder is canceled")
		case <-time.After(200 * time.Millisecond):
		}
	})
}
