package scenarios_test

import (
	"testing"

	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/locks"
	"github.com/lockstorm/lockstorm/sim"
)

// A server whose disk forgot finds that it can't continue with the others, dies, and is started again, but not
// immediately: otherwise it would die again with the next message, thousands of times.
func TestFailedServerIsNotRestartedImmediately(t *testing.T) {
	s := find(t, "etcd/amnesia")
	s.Faults = s.Faults[1:] // no client is paused, and n1 remembers
	s.Faults[0].Host, s.Faults[1].Host = "n2", "n3"
	if r := scenarios.Run(s, 2); r.Steps > 20_000 {
		t.Errorf("%d steps", r.Steps)
	}
}

// Waiters that watch everybody's keys are as safe as those that watch their predecessor's alone, and cost more.
func TestWakingAllWaitersIsSafeAndCostsMore(t *testing.T) {
	for _, id := range []string{"etcd/lock", "zookeeper/lock"} {
		asked := map[locks.Watch]int{}
		for _, watch := range []locks.Watch{locks.Predecessor, locks.Everybody} {
			s := find(t, id)
			s.Mutants, s.Clients, s.Lock.Session.Watch = nil, 8, watch
			for seed := range uint64(10) {
				r := scenarios.Run(s, seed)
				if r.Verdict != scenarios.Pass {
					t.Errorf("%s, %s, seed %d: %s", id, locks.WatchNames[watch], seed, r.Verdict)
				}
				for _, e := range r.Trace {
					if e.Kind == sim.Sent {
						asked[watch]++
					}
				}
			}
		}
		if one, all := asked[locks.Predecessor], asked[locks.Everybody]; all < 2*one {
			t.Errorf("%s: %d requests where each waiter watches its predecessor, %d where all watch all", id, one, all)
		} else {
			t.Logf("%s: %d and %d requests", id, one, all)
		}
	}
}
