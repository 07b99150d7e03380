package leases

import (
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/locktest"
)

// Our own lock on the API server keeps what the catalogue says, and is broken by the pauses and the early ends that
// break each lock that ends by itself.
func TestOwnLease(t *testing.T) {
	locktest.Run(t, "baseline/fault-free", newLock, locktest.On("lease"))
	locktest.Run(t, "kleppmann/gc-pause", newLock, locktest.On("lease"))
	locktest.Run(t, "distlock/partition-after-acquire", newLock, locktest.On("lease"))
	locktest.Fuzz(t, "baseline/single-instance", newLock, locktest.On("lease"), locktest.Promises("validity"),
		locktest.Faults("pause", "delay", "partition", "crash"), locktest.Seeds(300))
}

// A candidate goes by how long it has not seen the object change, so one whose clock runs fast takes it too early: by
// as much as the documentation of leaderelection says, the ratio of the LeaseDuration to what the holder counts on.
func TestAFastCandidateTakesTheLeaseTooEarly(t *testing.T) {
	for rate, broken := range map[clock.Rate]bool{5_000 * clock.PPM: false, 300_000 * clock.PPM: true} {
		s, err := scenarios.Open("baseline/single-instance")
		if err != nil {
			t.Fatal(err)
		}
		s.ChangeKind(Kind)
		for _, setting := range []string{
			"clients=2", "work.cycles=1", "work.stagger=1s", "work.work=9800ms..9800ms", "horizon=2m",
		} {
			if err := s.Set(setting); err != nil {
				t.Fatal(err)
			}
		}
		s.Clocks = []scenarios.Rate{{Host: "c2", By: rate}}
		for _, f := range scenarios.Run(s, 1).Findings {
			if f.Property == "belief" && (f.Verdict.String() == "violated") != broken {
				t.Errorf("with c2 at %v belief is %s", rate, f.Verdict)
			}
		}
	}
}

// The word of a holder that is paused ends when the object says, by the server's clock, and before another holder
// comes.
func TestALeaseThatIsNotRenewedEnds(t *testing.T) {
	s, err := scenarios.Open("kleppmann/gc-pause")
	if err != nil {
		t.Fatal(err)
	}
	s.ChangeKind(Kind)
	ended := false
	for _, k := range scenarios.Run(s, 1).Evidence.Keys {
		if k.Ended.Cause == checker.Expired {
			ended = ended || time.Duration(k.To-k.From) == s.Lock.TTL
		}
	}
	if !ended {
		t.Errorf("no life of the key ended after %v", s.Lock.TTL)
	}
}
