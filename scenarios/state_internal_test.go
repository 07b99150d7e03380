package scenarios

import (
	"testing"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/sim"
)

// Each case changes one thing that judges can still hold against the future, in a run in which c1 holds the lock.
func TestAStateHasWhatJudgesLookAtLater(t *testing.T) {
	s, _ := Find("redlock/small")
	r := NewRunner()
	defer r.Close()
	looked := false
	r.Exploring.OnState = func(at clock.Instant, _ uint64, _ bool) bool {
		if looked || len(r.evidence.Holds) == 0 {
			return true
		}
		looked = true
		state := func() uint64 {
			var d sim.Digest
			d.Reset(0)
			r.digestEvidence(&d, at)
			return d.Sum()
		}
		before, e := state(), &r.evidence
		hold, try, held := e.Holds[0], e.Tries[0], r.holds[0]
		for name, change := range map[string]func(){
			"that there is a hold":           func() { e.Holds = e.Holds[:0] },
			"whose hold it is":               func() { e.Holds[0].Client = 1 },
			"that its client believes in it": func() { e.Holds[0].Gone = at },
			"the fencing token":              func() { e.Holds[0].Fence += 7 },
			"the token of a window":          func() { e.Holds[0].Token += "x" },
			"the end of a window":            func() { r.holds[0].deadline++ },
			"that a window is over":          func() { r.holds[0].released = at },
			"whose attempt it is":            func() { e.Tries[0].Client = 1 },
			"the token of an attempt":        func() { e.Tries[0].Token += "x" },
			"that an attempt is under way":   func() { e.Tries[0].Outcome = checker.Pending },
			"that an attempt is over":        func() { e.Tries[0].Left = at },
			"that an attempt was cleaned up": func() { e.Tries[0].Clean = !e.Tries[0].Clean },
			"the cycle of a client":          func() { r.clients[0].cycles++ },
			"that a client holds the lock":   func() { r.clients[0].holding = -1 },
			"the next fencing token":         func() { r.counter++ },
		} {
			counter, cycles, holding, holds := r.counter, r.clients[0].cycles, r.clients[0].holding, e.Holds
			if change(); state() == before {
				t.Errorf("%s is not in a state", name)
			}
			e.Holds = holds
			e.Holds[0], e.Tries[0], r.holds[0] = hold, try, held
			r.counter, r.clients[0].cycles, r.clients[0].holding = counter, cycles, holding
		}
		if state() != before {
			t.Error("the same state has two digests")
		}
		return true
	}
	r.Run(&s, 1)
	if !looked {
		t.Error("nobody looked")
	}
}
