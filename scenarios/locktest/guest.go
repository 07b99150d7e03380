package locktest

import (
	"fmt"
	"strconv"
	"testing"

	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/guest"
	"github.com/lockstorm/lockstorm/scenarios/locks"
)

// RunGuest runs a client library under scenarios as Run does a lock of its own: unmodified, with its goroutines, timers and
// connections, in a bubble of testing/synctest. What goes wrong in a run is repeated three times before it is reported, since such a run
// is not wholly determined by its seed. The test must not be parallel.
func RunGuest(t *testing.T, pattern string, lock guest.Constructor, options ...Option) {
	t.Helper()
	trial := newTrial(t, pattern, func(locks.Config) locks.Lock { return nil }, options)
	for i := range trial.scenarios {
		s := &trial.scenarios[i]
		if err := guest.Check(s); err != nil {
			t.Fatalf("locktest: %s is not for a client library: %v", s.ID, err)
		}
		t.Run(s.ID, func(t *testing.T) { trial.runGuests(t, s, lock) })
	}
}

// runGuests makes a subtest of each seed.
func (tr *trial) runGuests(t *testing.T, s *scenarios.Scenario, lock guest.Constructor) {
	for seed := range uint64(tr.runs(20)) {
		first := !t.Failed()
		t.Run("seed="+strconv.FormatUint(seed+1, 10), func(t *testing.T) { tr.judgeGuests(t, s, seed+1, lock, first) })
	}
}

// repeats is how often a run that goes wrong is repeated.
const repeats = 3

// judgeGuests makes one run, and fails the test if it does not go as it should.
func (tr *trial) judgeGuests(t *testing.T, s *scenarios.Scenario, seed uint64, lock guest.Constructor, first bool) {
	t.Helper()
	res, wrong := tr.guestRun(t, s, seed, lock)
	if len(wrong) == 0 {
		tr.logBetter(t, res)
		return
	}
	wrongAgain, same := 0, 0
	for range repeats {
		again, stillWrong := tr.guestRun(t, s, seed, lock)
		if len(stillWrong) > 0 {
			wrongAgain++
		}
		if again.Hash() == res.Hash() {
			same++
		}
	}
	tr.keep(t, res)
	t.Error(failure(t.Name(), res, append(wrong, fmt.Sprintf("repeats %d of %d, %d of them to the last message", wrongAgain, repeats, same)), first))
}

// guestRun makes one run, and says what in it is not as it should be.
func (tr *trial) guestRun(t *testing.T, s *scenarios.Scenario, seed uint64, lock guest.Constructor) (*scenarios.Result, []string) {
	t.Helper()
	res, err := guest.Run(t, s, seed, lock)
	if err != nil {
		t.Fatalf("%s, seed %d: unknown: %v", s.ID, seed, err)
	}
	return res, tr.wrong(res)
}
