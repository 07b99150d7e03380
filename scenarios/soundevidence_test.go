package scenarios_test

import (
	"testing"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/scenarios"
)

// A Runner judges without a check, so this shows that all of its evidence passes: of each scenario of the catalogue,
// unchanged and with each mutant, and in universes of its search.
func TestTheEvidenceOfEveryRunIsSound(t *testing.T) {
	seeds, drawn := uint64(20), uint64(10)
	if !long {
		seeds, drawn = 1, 5
	}
	var judge checker.Judge
	r := runner(t)
	sound := func(t *testing.T, s scenarios.Scenario, seed uint64) {
		t.Helper()
		e := r.Run(&s, seed).Evidence
		if err := e.Check(); err != nil {
			t.Fatalf("%s, seed %d: %v", s.ID, seed, err)
		}
		judge.Judge(e)
	}
	for _, s := range some(5) {
		t.Run(s.ID, func(t *testing.T) {
			universes := s.Universes()
			for seed := range seeds {
				sound(t, s, seed)
				if s.Search.Drawn() {
					for n := range drawn {
						sound(t, universes.At(10*seed+n), 10*seed+n)
					}
				}
				for _, m := range s.Mutants {
					if mutant, err := s.Mutate(m); err == nil {
						sound(t, mutant, seed)
					}
				}
			}
		})
	}
}

// A token that the lock itself counts belongs to the moment at which a node first granted its key, not to that at which
// the client had its answer.
func TestLockTokenBelongsToItsGrant(t *testing.T) {
	for _, id := range []string{"redisson/fenced", "etcd/lock"} {
		s, found := scenarios.Find(id)
		if !found {
			t.Fatalf("there is no %s", id)
		}
		e, seen := scenarios.Run(s, 1).Evidence, 0
		for _, h := range e.Holds {
			granted := clock.Forever
			for _, k := range e.Keys {
				if k.Token == h.Token {
					granted = min(granted, k.From)
				}
			}
			if granted < h.From {
				if seen++; h.Asked != granted {
					t.Errorf("%s: the first key of %+v was granted at %s", id, h, granted)
				}
			}
		}
		if seen == 0 {
			t.Errorf("%s has no hold whose key was granted before", id)
		}
	}
}
