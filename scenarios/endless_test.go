package scenarios_test

import (
	"testing"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
)

// A lock without a deadline, with one name for all attempts of its owner, is judged by what it claims.

// endless runs a scenario of a search with one schedule, and settings.
func endless(t *testing.T, id, schedule string, seed uint64, sets ...string) *scenarios.Result {
	t.Helper()
	s := find(t, id)
	s.Search = scenarios.Search{}
	var err error
	if s.Faults, err = faults.Parse(schedule); err != nil {
		t.Fatal(err)
	}
	for _, set := range sets {
		if err := s.Set(set); err != nil {
			t.Fatal(err)
		}
	}
	s.Sometimes = append(s.Sometimes, "fault-struck")
	if err := s.Check(); err != nil {
		t.Fatal(err)
	}
	return scenarios.Run(s, seed)
}

func came(r *scenarios.Result, property string) checker.Verdict {
	for _, f := range r.Findings {
		if f.Property == property {
			return f.Verdict
		}
	}
	return checker.Unknown
}

// A dead client claims nothing: the next holder comes when the lease has ended, as it should be.
func TestALockWithoutADeadlineEndsWithItsOwner(t *testing.T) {
	for seed := range uint64(20) {
		r := endless(t, "redisson/any", "when c1 read crash c1 for 1ms", seed)
		for _, p := range []string{"validity", "quorum", "belief"} {
			if came(r, p) != checker.Holds {
				t.Errorf("seed %d: %s is %s", seed, p, came(r, p))
			}
		}
	}
}

// The key of an attempt that its client did not outlive is that attempt's, though an earlier hold had the same name.
func TestAKeyBelongsToTheAttemptThatWasCutOff(t *testing.T) {
	pending := 0
	for seed := range uint64(20) {
		r := endless(t, "redisson/any", "when c1 asking 2nd +1500µs crash c1 for 1ms", seed, "clients=2", "work.work=1ms..20ms", "lock.redisson.wait=0s")
		for _, try := range r.Evidence.Tries {
			if try.Outcome == checker.Pending && try.Token != "" {
				pending++
			}
		}
		if came(r, "leak-free") != checker.Holds {
			t.Errorf("seed %d: leak-free is %s", seed, came(r, "leak-free"))
		}
	}
	if pending == 0 {
		t.Error("no attempt was cut off")
	}
}

// An extension is under way when its hold is released, and returns when another client may have the lock. It still
// belongs to its own hold.
func TestExtensionOvertakenByReleaseKeepsItsHold(t *testing.T) {
	overtaken := 0
	seeds := uint64(60)
	if !long {
		seeds = 20
	}
	for seed := range seeds {
		r := endless(t, "redisson-red/any", "when any extending for 500ms lossy n4>holder 400000ppm", seed, "clients=3")
		for _, n := range r.Evidence.Renewals {
			if h := r.Evidence.Holds[n.Hold]; n.OK && n.At == h.Gone {
				overtaken++
			}
		}
		if came(r, "continuity") != checker.Holds {
			t.Errorf("seed %d: continuity is %s", seed, came(r, "continuity"))
		}
	}
	if overtaken == 0 {
		t.Error("no extension was overtaken")
	}
}
