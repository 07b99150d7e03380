package findings_test

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lockstorm/lockstorm/sim/simtest/need"
)

// rueidislock, README: "A Redis Distributed Lock Pattern", with a link to Redis's page, whose lock uses durations,
// and not clock times. Here each end is a time of the client's clock, which the server compares with its own. Two
// clients, whose clocks are six seconds behind the server's, both get the lock of five seconds together.
func TestRueidislockTakesTheClientsClock(t *testing.T) {
	onEach(t, func(t *testing.T, start func() server) {
		s, behind := start(), time.Now().Add(-6*time.Second)
		synctest.Test(t, func(t *testing.T) { // for a separate clock
			time.Sleep(time.Until(behind))
			a, b := rueidisLocker(t, s.addr, s, nil), rueidisLocker(t, s.addr, s, nil)
			defer a.Close()
			defer b.Close()
			for range 20 { // the server ends both keys immediately, and a client that learns of it in time holds no more
				holdsA, releaseA, err := a.TryWithContext(t.Context(), "lock")
				if err != nil {
					t.Fatalf("the library has changed: it does not lock with a clock that is behind: %v", err)
				}
				defer releaseA()
				holdsB, releaseB, err := b.TryWithContext(t.Context(), "lock")
				if err != nil {
					t.Fatalf("the library has changed: the second client does not get the lock: %v", err)
				}
				defer releaseB()
				if holdsA.Err() == nil && holdsB.Err() == nil {
					return
				}
			}
			need.Possible(t, "two clients do not hold at once", errors.New("this machine is so busy that each hears of its end first"))
		})
	})
}
