package locktest_test

import (
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/locks"
)

// A patient lock waits 20 to 100 ms between its own tries.
type patient struct{ *stranger }

func (l patient) Acquire(c locks.Client) (g locks.Grant) {
	for range 20 {
		if g = l.attempt(c); g.Won() {
			return g
		}
		c.Sleep(time.Duration(20+c.Draw(81)) * time.Millisecond)
	}
	return g
}

// A lock may wait longer between its own tries than the scenario's locks do. The bound on waiting counts that. A lock
// that asks no more after a failure waits for longer than its waits explain.
func TestALockMayWaitBetweenItsOwnTries(t *testing.T) {
	s, _ := scenarios.Find("redlock/small")
	for _, c := range []struct {
		clients int
		make    func(locks.Config) locks.Lock
		wrong   bool
	}{{2, newPatient, false}, {3, newPatient, false}, {2, newDiscouraged, true}} {
		s.Clients, s.Lock.New = c.clients, c.make
		wrong, waited := 0, 0
		for seed := range uint64(300) {
			res := scenarios.Run(s, seed)
			if len(res.Evidence.Holds) == c.clients {
				waited++
			}
			if v := res.VerdictOn("fault-tolerant"); v == checker.Violated {
				wrong++
			}
		}
		if (wrong > 0) != c.wrong || !c.wrong && waited < 300 {
			t.Errorf("%d clients: fault-tolerant breaks in %d runs of 300; all have the lock in %d", c.clients, wrong, waited)
		}
	}
}

func newPatient(c locks.Config) locks.Lock { return patient{ways{}.made()(c).(*stranger)} }

// A discouraged lock tries once, waits as a patient one, and then forgets to ask for long.
type discouraged struct{ *stranger }

func (l discouraged) Acquire(c locks.Client) locks.Grant {
	g := l.attempt(c)
	for until := c.Mono() + 400*time.Millisecond; !g.Won() && c.Mono() < until; {
		c.Sleep(20 * time.Millisecond)
	}
	return g
}

func newDiscouraged(c locks.Config) locks.Lock { return discouraged{ways{}.made()(c).(*stranger)} }
