package consul_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/guests/consul"
)

func TestConsul(t *testing.T) {
	if err := consul.Kind.Add(t); err != nil {
		t.Fatal(err)
	}
	catalogue(t)
	search(t)
}

// run runs the library in a scenario, and returns the verdicts.
func run(t *testing.T, id string, seeds uint64, set ...string) map[string]int {
	t.Helper()
	s, ok := scenarios.Find(id)
	if !ok {
		t.Fatalf("there is no %s", id)
	}
	if err := s.SetAll(append([]string{"lock.kind=consul-api"}, set...)); err != nil {
		t.Fatal(err)
	}
	if err := s.Check(); err != nil {
		t.Fatal(err)
	}
	broken, r := map[string]int{}, scenarios.NewRunner()
	defer r.Close()
	for seed := range seeds {
		res := r.Run(&s, seed+1)
		if res.Failure != "" {
			t.Fatalf("seed %d: %s", seed+1, res.Failure)
		}
		for _, f := range res.Findings {
			if f.Verdict != checker.Holds {
				broken[f.Property]++
			}
		}
	}
	return broken
}

// The library keeps what the catalogue's lock keeps, except that it has no deadline: a holder that is paused or cut off
// takes itself for the holder until its channel closes.
func catalogue(t *testing.T) {
	for id, want := range map[string][]string{
		"consul/lock":         nil,
		"consul/lock-delay":   {"quorum"},
		"consul/paused":       {"belief", "quorum", "storage", "validity"},
		"consul/noticed-late": {"belief", "quorum", "storage", "validity"},
	} {
		broken := run(t, id, 5)
		if got := slices.Sorted(maps.Keys(broken)); !slices.Equal(got, want) {
			t.Errorf("%s: %v break, of 5 runs; want %v", id, broken, want)
		}
	}
}

// A search finds that two clients act as holder where one is paused. Without faults nothing breaks.
func search(t *testing.T) {
	for faults, most := range map[string]uint64{"none": 10, "pause": 20} {
		s, _ := scenarios.Find("consul/any")
		s.Search.Vary = nil // its TTLs are too short for Consul
		if err := s.SetAll([]string{"lock.kind=consul-api", "lock.ttl=10s", "lock.timeout=1s",
			"search.faults=" + faults, "work.work=1ms..50s", "search.within=2m", "horizon=20m"}); err != nil {
			t.Fatal(err)
		}
		if err := s.Check(); err != nil {
			t.Fatal(err)
		}
		all, r := s.Universes(), scenarios.NewRunner()
		broken, first := map[string]int{}, map[string]uint64{}
		for seed := range most {
			u := all.At(seed + 1)
			for _, f := range r.Run(&u, seed+1).Findings {
				if f.Verdict != checker.Violated {
					continue
				}
				if broken[f.Property]++; first[f.Property] == 0 {
					first[f.Property] = seed + 1
				}
			}
		}
		r.Close()
		t.Logf("faults %s: of %d universes %v break, first with seeds %v", faults, most, broken, first)
		if (faults == "none") != (broken["belief"] == 0) {
			t.Errorf("faults %s: two act as holder in %d of %d universes", faults, broken["belief"], most)
		}
	}
}
