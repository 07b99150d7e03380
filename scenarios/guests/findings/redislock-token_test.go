package findings_test

import (
	"testing"
	"time"

	"github.com/bsm/redislock"
)

// bsm/redislock, Options.Token: "Token is a unique value that is used to identify the lock." Two tokens differ, and
// both lock, as the script compares no more of the holder's token than the other one is long. No fault is needed.
func TestRedislockTokenThatBeginsAsAnother(t *testing.T) {
	onEach(t, func(t *testing.T, start func() server) {
		s := start()
		obtain := func(token string) (*redislock.Lock, error) {
			return redislock.Obtain(t.Context(), s, "lock", time.Minute, &redislock.Options{Token: token})
		}
		a, err := obtain("worker-10")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := obtain("worker-2"); err != redislock.ErrNotObtained {
			t.Errorf("a third client gets %v, and the lock is held", err)
		}
		if _, err := obtain("worker-1"); err != nil {
			t.Fatalf("the library has changed: worker-1 does not get worker-10's lock: %v", err)
		}
		if err := a.Refresh(t.Context(), time.Minute, nil); err != redislock.ErrNotObtained {
			t.Errorf("worker-10 learns of it by its next refresh, and it got %v", err)
		}
	})
}
