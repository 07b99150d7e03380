package guest

import (
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/locktest"
)

// Test runs a client library under scenarios, as [locktest.Run] does with a user's lock. The library is unmodified,
// with its goroutines, timers and connections, in a bubble of testing/synctest. A run that breaks a promise is repeated
// three times before it is reported, because its seed does not determine it fully. The test must not be parallel.
func Test(t *testing.T, pattern string, lock Constructor, options ...locktest.Option) {
	t.Helper()
	Kind{Lock: lock}.Test(t, pattern, options...)
}

// Test is [Test] for a library whose servers speak the protocol of the kind's Wire.
func (k Kind) Test(t *testing.T, pattern string, options ...locktest.Option) {
	t.Helper()
	locktest.RunHosted(t, pattern, k.onTrial(t), options...)
}

// Fuzz looks for faults under which a client library breaks a promise, as [locktest.Fuzz] does with a user's lock. It
// shrinks each violation, writes it next to the test, and tries it first the next time. It draws no faults that can't
// hit a library. The test must not be parallel.
func Fuzz(t *testing.T, pattern string, lock Constructor, options ...locktest.Option) {
	t.Helper()
	locktest.FuzzHosted(t, pattern, Kind{Lock: lock}.onTrial(t), options...)
}

// onTrial returns the library as package locktest runs it.
func (k Kind) onTrial(t *testing.T) (h locktest.Hosted) {
	if k.Lock == nil {
		return h
	}
	var extends atomic.Bool
	lock := k.Lock
	k.Lock = func(c *Client) (Lock, error) {
		l, err := lock(c)
		if _, is := l.(Extender); is {
			extends.Store(true)
		}
		return l, err
	}
	h.Run, h.Extends = k.bubble(t), extends.Load
	h.Check = func(s *scenarios.Scenario) error {
		if err := Check(s); err != nil {
			return fmt.Errorf("it is not for a client library: %w", err)
		}
		return nil
	}
	return h
}
