package consensus

import (
	"flag"
	"testing"

	"github.com/lockstorm/lockstorm/checker"
)

var storms = flag.Int("storms", 300, "how many seeds the service is held to a register for; 10000 take a minute or so")

// The service is a register, whatever goes wrong, and no write that it acknowledged is ever lost: the last read of each
// storm, when all is well again, is part of the history, and it must succeed.
func TestTheServiceIsLinearizableAndLosesNothing(t *testing.T) {
	w := newWorld(t)
	three, five := NewCluster(3), NewCluster(5)
	n := *storms
	if !long {
		n /= 3
	}
	var sum struct{ ok, info, fail, elections int }
	for seed := range uint64(n) {
		c := three
		if seed%4 == 3 {
			c = five
		}
		s := run(w, c, seed, Flaws{})
		if r := s.judge(); r.Verdict != checker.Holds {
			t.Fatalf("seed %d: %s", seed, r.Reason)
		}
		if last := s.log[len(s.log)-1]; last.Type != checker.OK {
			t.Fatalf("seed %d: no read came through when all was well again, until %v", seed, last.Time)
		}
		for _, o := range s.log {
			switch o.Type {
			case checker.OK:
				sum.ok++
			case checker.Info:
				sum.info++
			case checker.Fail:
				sum.fail++
			}
		}
		sum.elections += int(c.Nodes[0].disk.written.hard.GetTerm()) - 2
	}
	t.Logf("%d storms: %+v", n, sum)
}

// Each rule of the service that is broken shows: the test above can fail.
func TestEachFlawOfTheServiceIsFound(t *testing.T) {
	w, c := newWorld(t), NewCluster(3)
	for name, flaws := range map[string]Flaws{
		"reads without a read index":      {LocalReads: true},
		"an answer before the majority":   {Eager: true},
		"promises that are not synced":    {Unsynced: true},
		"a disk that is empty afterwards": {Amnesia: true},
	} {
		found := 0
		for seed := uint64(0); seed < 300 && found == 0; seed++ {
			if s := run(w, c, seed, flaws); s.judge().Verdict == checker.Violated {
				found = int(seed) + 1
			}
		}
		if found == 0 {
			t.Errorf("%s: not found", name)
		}
		t.Logf("%s: found by storm %d", name, found)
	}
}
