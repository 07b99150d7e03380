package guest

import (
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/locktest"
)

// Test runs a client library under scenarios as [locktest.Run] does a lock of somebody's own: unmodified, with its goroutines,
// timers and connections, in a bubble of testing/synctest. A run that breaks a promise is repeated three times before it is
// reported, since such a run is not wholly determined by its seed. The test must not be parallel.
func Test(t *testing.T, pattern string, lock Constructor, options ...locktest.Option) {
	t.Helper()
	locktest.RunHosted(t, pattern, onTrial(t, lock), options...)
}

// Fuzz looks for faults under which a client library breaks a promise, as [locktest.Fuzz] does for a lock of somebody's own:
// what it finds is shrunk, written beside the test, and tried first the next time. Faults that can't strike a library are not
// drawn. The test must not be parallel.
func Fuzz(t *testing.T, pattern string, lock Constructor, options ...locktest.Option) {
	t.Helper()
	locktest.FuzzHosted(t, pattern, onTrial(t, lock), options...)
}

// onTrial returns what makes runs with a library for package locktest.
func onTrial(t *testing.T, lock Constructor) (h locktest.Host) {
	if lock == nil {
		return h
	}
	var extends atomic.Bool
	h.Run = Host(t, func(c *Client) (Lock, error) {
		l, err := lock(c)
		if _, is := l.(Extender); is {
			extends.Store(true)
		}
		return l, err
	})
	h.Extends = extends.Load
	h.Check = func(s *scenarios.Scenario) error {
		if err := Check(s); err != nil {
			return fmt.Errorf("it is not for a client library: %w", err)
		}
		return nil
	}
	return h
}
