package locktest

import (
	"testing"

	"github.com/lockstorm/lockstorm/scenarios"
)

// Hosted is a lock that no Constructor makes, such as a client library in a bubble.
type Hosted struct {
	Run     scenarios.GuestRun              // makes its runs
	Check   func(*scenarios.Scenario) error // returns why the lock can't be in a scenario
	Extends func() bool                     // whether one of the locks that were made can be extended
}

// RunHosted is Run for such a lock. The test must not be parallel.
func RunHosted(t *testing.T, pattern string, lock Hosted, options ...Option) {
	t.Helper()
	tr := newTrial(t, pattern, lock.put(), options)
	tr.noTTLs(t)
	tr.run(t)
}

// FuzzHosted is Fuzz for such a lock. The test must not be parallel.
func FuzzHosted(t *testing.T, pattern string, lock Hosted, options ...Option) {
	t.Helper()
	tr := newTrial(t, pattern, lock.put(), options)
	tr.noTTLs(t)
	tr.fuzz(t)
}

func (h Hosted) put() func(*skill) putLock {
	if h.Run == nil {
		return nil
	}
	return func(can *skill) putLock {
		can.extends = h.Extends
		return func(s *scenarios.Scenario) error {
			if err := h.Check(s); err != nil {
				return unfitError{err}
			}
			s.Lock.Run = h.Run
			return nil
		}
	}
}
