package findings_test

import (
	"testing"
	"time"

	"github.com/redis/rueidis"
	"github.com/redis/rueidis/rueidislock"
)

// rueidisLocker returns a locker as its README makes it for one server. miniredis has no client-side caching, which the
// README says how to do without.
func rueidisLocker(t *testing.T, addr string, s server, change func(*rueidislock.LockerOption)) rueidislock.Locker {
	t.Helper()
	option := rueidislock.LockerOption{KeyMajority: 1, NoLoopTracking: true, TryNextAfter: time.Minute} // 20 ms are too short for a busy machine
	option.ClientOption = rueidis.ClientOption{InitAddress: []string{addr}, ForceSingleClient: true, DisableCache: s.mini != nil}
	if change != nil {
		change(&option)
	}
	l, err := rueidislock.NewLocker(option)
	if err != nil {
		t.Fatal(err)
	}
	return l
}
