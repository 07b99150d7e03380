package locktest

import (
	"fmt"
	"testing"

	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/guest"
)

// RunGuest runs a client library under scenarios as Run does a lock of its own: unmodified, with its goroutines, timers and
// connections, in a bubble of testing/synctest. A run that breaks a promise is repeated three times before it is reported, since
// such a run is not wholly determined by its seed. The test must not be parallel.
func RunGuest(t *testing.T, pattern string, lock guest.Constructor, options ...Option) {
	t.Helper()
	newTrial(t, pattern, hosting(t, lock), options).run(t)
}

// FuzzGuest looks for faults under which a client library breaks a promise, as Fuzz does for a lock of its own: what it finds is
// shrunk, written beside the test, and tried first the next time. Faults that can't strike a library are not drawn.
func FuzzGuest(t *testing.T, pattern string, lock guest.Constructor, options ...Option) {
	t.Helper()
	newTrial(t, pattern, hosting(t, lock), options).fuzz(t)
}

// hosting puts a client library into scenarios.
func hosting(t *testing.T, lock guest.Constructor) func(*skill) putLock {
	if lock == nil {
		return nil
	}
	return func(can *skill) putLock {
		host := guest.Host(t, func(c *guest.Client) (guest.Lock, error) {
			l, err := lock(c)
			if _, is := l.(guest.Extender); is {
				can.extends.Store(true)
			}
			return l, err
		})
		return func(s *scenarios.Scenario) error {
			if err := guest.Check(s); err != nil {
				return unfitError{fmt.Errorf("it is not for a client library: %w", err)}
			}
			s.Lock.Host = host
			return nil
		}
	}
}
