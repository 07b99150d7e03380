package guest_test

import (
	"testing"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/guests/guest"
)

// A library hides its steps, so the harness passes the marks around its requests.
func TestFaultsHitAtMarksAroundGuestRequests(t *testing.T) {
	for _, id := range []string{"distlock/late-release", "kleppmann/delayed-reply", "distlock/slow-last-reply", "kleppmann/disk-stall"} {
		s, _ := scenarios.Find(id)
		res, err := guest.Run(t, &s, 1, newOurs)
		if err != nil || res.Verdict != scenarios.Pass {
			t.Errorf("%s: %v, %v, %v", id, res.Verdict, res.Seen, err)
		}
	}
}

// The mark behind the answers comes before the library has them. A pause there makes it look at its clock too late,
// and reject the lock.
func TestAPauseAtTheAnswersIsSeenByTheGuest(t *testing.T) {
	s, _ := scenarios.Find("kleppmann/pause-before-reply")
	s.ChangeKind(scenarios.Single) // of several answers those before the last would do
	s.Faults, _ = faults.Parse("when c1 answered pause c1 for 15s")
	res, err := guest.Run(t, &s, 1, newOurs)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range res.Findings {
		if f.Verdict == checker.Violated {
			t.Errorf("%s breaks", f.Property)
		}
	}
	if holds := res.Evidence.Holds; len(holds) < 2 || holds[0].Client != 1 || len(res.Evidence.Strikes) != 1 {
		t.Errorf("the pause makes no difference: %+v", holds)
	}
}
