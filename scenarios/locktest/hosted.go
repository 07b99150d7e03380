package locktest

import (
	"testing"

	"github.com/lockstorm/lockstorm/scenarios"
)

// A Host makes the runs of a lock that no Constructor makes, such as a client library in a bubble.
type Host struct {
	Run     scenarios.Host
	Check   func(*scenarios.Scenario) error // returns why the lock can't be in a scenario
	Extends func() bool                     // whether one of the locks that were made can be extended
}

// RunHosted is Run for a lock whose runs a Host makes. The test must not be parallel.
func RunHosted(t *testing.T, pattern string, host Host, options ...Option) {
	t.Helper()
	newTrial(t, pattern, host.put(), options).run(t)
}

// FuzzHosted is Fuzz for a lock whose runs a Host makes. The test must not be parallel.
func FuzzHosted(t *testing.T, pattern string, host Host, options ...Option) {
	t.Helper()
	newTrial(t, pattern, host.put(), options).fuzz(t)
}

func (h Host) put() func(*skill) putLock {
	if h.Run == nil {
		return nil
	}
	return func(can *skill) putLock {
		can.extends = h.Extends
		return func(s *scenarios.Scenario) error {
			if err := h.Check(s); err != nil {
				return unfitError{err}
			}
			s.Lock.Host = h.Run
			return nil
		}
	}
}
