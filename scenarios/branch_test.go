package scenarios_test

import (
	"os"
	"reflect"
	"testing"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/sim"
)

// A run that leaves its course only after its end is the run itself. One that leaves it half-way is the same until
// then, and in most scenarios not after that.
func TestBranchFollowsTheRunUntilItsInstant(t *testing.T) {
	r := scenarios.NewRunner()
	defer r.Close()
	left, compared := 0, 0
	for i, s := range scenarios.Catalogue() {
		if i%7 != 0 && os.Getenv("LOCKSTORM_LONG") != "1" {
			continue
		}
		s = s.Universes().At(3)
		whole := scenarios.Run(s, 3)
		r.Branch = &scenarios.Branch{From: clock.Forever, Seed: 9}
		if got := r.Run(&s, 3); got.Hash() != whole.Hash() {
			t.Errorf("%s: a run that never leaves its course differs from it", s.ID)
		}
		half := whole.Trace[len(whole.Trace)/2].At + 1
		r.Branch = &scenarios.Branch{From: half, Seed: 9}
		branch := r.Run(&s, 3)
		if !reflect.DeepEqual(until(branch.Trace, half), until(whole.Trace, half)) {
			t.Errorf("%s: a run that leaves its course at %s differs before that", s.ID, half)
		}
		for _, strike := range branch.Evidence.Strikes {
			if strike.From >= half {
				t.Errorf("%s: %s hits at %s, after the run has left its course at %s", s.ID, strike.Fault, strike.From, half)
			}
		}
		if compared++; branch.Hash() != whole.Hash() {
			left++
		}
	}
	if left*10 < compared*8 {
		t.Errorf("only %d of %d runs differ after they have left their course", left, compared)
	}
}

func until(trace []sim.Event, end clock.Instant) (before []string) {
	for _, e := range trace {
		if e.At < end {
			before = append(before, e.At.String()+e.Kind.String())
		}
	}
	return before
}
