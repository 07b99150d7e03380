package locktest_test

import (
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/locks"
)

// A patient lock waits from that long, and up to 80 ms longer, between its own tries.
type patient struct {
	*stranger
	least time.Duration
}

func (l patient) Acquire(c locks.Client) (g locks.Grant) {
	for range 20 {
		if g = l.attempt(c); g.Won() {
			return g
		}
		c.Sleep(l.least + time.Duration(c.Draw(81))*time.Millisecond)
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

// A fresh client's lock may wait as long too, when keys of a client that has crashed are left on the nodes: even longer
// than the scenario's own locks could need in all.
func TestAFreshClientsLockMayWaitBetweenItsOwnTries(t *testing.T) {
	s, _ := scenarios.Find("redlock/small")
	s.Clients = 1
	var err error
	if s.Faults, err = faults.Parse("when c1 acquired crash c1 for 1ms"); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		make  func(locks.Config) locks.Lock
		wrong bool
	}{
		"patient": {newPatient, false}, "half a second": {newSlow, false}, "discouraged": {newDiscouraged, true},
	} {
		s.Lock.New = c.make
		for seed := range uint64(100) {
			res := scenarios.Run(s, seed)
			waited := res.Evidence.Probe.Won.Sub(res.Evidence.Probe.Asked)
			if v := res.VerdictOn("deadlock-free"); (v == checker.Violated) != c.wrong || waited < 20*time.Millisecond {
				t.Errorf("%s, seed %d: deadlock-free %v; the fresh client has the lock after %v", name, seed, v, waited)
			}
		}
	}
}

func newPatient(c locks.Config) locks.Lock {
	return patient{ways{}.made()(c).(*stranger), 20 * time.Millisecond}
}

func newSlow(c locks.Config) locks.Lock {
	return patient{ways{}.made()(c).(*stranger), 500 * time.Millisecond}
}

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
