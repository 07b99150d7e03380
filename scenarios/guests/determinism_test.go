package guests_test

import (
	"os"
	"testing"

	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/guest"
	"github.com/lockstorm/lockstorm/scenarios/guests"
)

// libraries are all that there is an adapter to, and the scenario whose search is for them.
var libraries = []struct {
	name, search string
	lock         guest.Constructor
	alike        int // of the 50 universes, how many give one hash at least
}{
	{"redsync over redigo", "redlock/any", guests.RedsyncRedigo, 40},
	{"redsync over go-redis", "redlock/any", guests.RedsyncGoRedis, 40},
	{"redislock over go-redis", "single/any", guests.Redislock, 40},
	{"rueidis", "single/any", guests.Rueidis, 40},
}

// A run with guests is as determined as Go's scheduler and the library are. This measures it: how many of 50 universes of faults, each
// repeated 20 times, gave the same run down to the last message each time, and the same verdicts.
func TestHowDeterminedGuestsAre(t *testing.T) {
	universes, repeats := 50, 20
	if os.Getenv("LOCKSTORM_LONG") == "" {
		universes, repeats = 10, 3
	}
	for _, l := range libraries {
		t.Run(l.name, func(t *testing.T) {
			alike, verdicts := 0, 0
			for _, u := range draw(t, l.search, universes) {
				hashes, findings := map[string]bool{}, map[string]bool{}
				for range repeats {
					res, err := guest.Run(t, &u.scenario, u.seed, l.lock)
					if err != nil {
						t.Fatalf("universe %d of %s: %v\n%s", u.seed, l.search, err, u.scenario.Faults)
					}
					hashes[res.Hash()] = true
					text := ""
					for _, f := range res.Findings {
						text += f.Verdict.String() + " "
					}
					findings[text] = true
				}
				if len(hashes) == 1 {
					alike++
				}
				if len(findings) == 1 {
					verdicts++
				}
			}
			t.Logf("of %d universes, %d times each: %d gave one hash, %d gave the same verdicts", universes, repeats, alike, verdicts)
			if least := l.alike * universes / 50; alike < least {
				t.Errorf("%d universes gave one hash, and it was %d", alike, least)
			}
		})
	}
}

// A universe is a scenario whose faults were drawn for a seed.
type universe struct {
	scenario scenarios.Scenario
	seed     uint64
}

// draw draws universes whose faults can strike guests.
func draw(t *testing.T, id string, n int) (all []universe) {
	t.Helper()
	s, ok := scenarios.Find(id)
	if !ok {
		t.Fatalf("there is no scenario %s", id)
	}
	from := s.Universes()
	for seed := uint64(1); len(all) < n; seed++ {
		if u := from.At(seed); guest.Check(&u) == nil {
			all = append(all, universe{u, seed})
		}
	}
	return all
}
