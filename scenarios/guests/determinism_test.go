package guests_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/guests"
)

// repeats count how often universes of faults repeated the same run down to the last message, and the same verdicts.
type repeats struct {
	Universes, Times, Alike, Verdicts int
}

// A run with guests is as deterministic as Go's scheduler and the library. This test measures it: 50 universes of
// faults, each repeated 20 times.
func TestHowDeterminedGuestsAre(t *testing.T) {
	each(t, func(t *testing.T, l *guests.Library) {
		m := load(t, l)
		universes, times := 50, 20
		if !long && !*update {
			universes, times = 5, 3
		}
		is := repeat(t, l, universes, times)
		t.Logf("%+v", is)
		if *update {
			m.Repeats = is
			store(t, l, m)
		}
		if is.Alike < universes-(50-m.Repeats.Alike)-1 || is.Verdicts < universes-(50-m.Repeats.Verdicts)-1 {
			t.Errorf("%+v, and it was %+v", is, m.Repeats)
		}
	})
}

// Random choices of libraries' private sources depend only on the run's seed. gRPC's choices decide which server
// etcd's client asks, and when it dials again. In these runs servers are unreachable for long, and many calls are
// repeated at one moment.
func TestRunsRepeatWithSameSeed(t *testing.T) {
	for _, c := range []struct{ library, scenario string }{
		{"concurrency", "etcd/answers-lost"}, {"concurrency", "etcd/starved-leader"}, {"gozero", "baseline/fault-free"},
	} {
		l := &guests.Libraries[slices.IndexFunc(guests.Libraries, func(l guests.Library) bool { return l.Name == c.library })]
		s, err := enter(l, c.scenario)
		if err != nil {
			t.Fatal(err)
		}
		for seed := range uint64(4) {
			if first, second := run(t, l, &s, seed), run(t, l, &s, seed); first.Hash() != second.Hash() {
				t.Errorf("%s in %s: two runs with seed %d differ", c.library, c.scenario, seed)
			}
		}
	}
}

func repeat(t *testing.T, l *guests.Library, universes, times int) repeats {
	r := repeats{Universes: universes, Times: times}
	for u := range drawn(l, everything, universes) {
		hashes, findings := map[string]bool{}, map[string]bool{}
		for range times {
			res := run(t, l, &u.scenario, u.seed)
			if res == nil {
				t.Fatalf("universe %d came to nothing", u.seed)
			}
			hashes[res.Hash()] = true
			broken := counts{}
			broken.add(res.Findings)
			findings[fmt.Sprint(broken)] = true
		}
		if len(hashes) == 1 {
			r.Alike++
		}
		if len(findings) == 1 {
			r.Verdicts++
		}
	}
	return r
}

// A universe is a scenario with random faults for a seed.
type universe struct {
	scenario scenarios.Scenario
	seed     uint64
}

// What may go wrong in a search.
var (
	survivable = []string{"delay", "loss", "partition", "pause", "crash"} // no lock that expires need break its word under these; under pauses it breaks belief
	everything = []string{"delay", "loss", "partition", "pause", "crash", "suspend", "restart", "jump", "drift"}
)

// survivableBy returns faults under which a library should keep validity and quorum. A hold of rueidislock is a
// context, which does not end while its client is paused, so pauses break both by design.
func survivableBy(l *guests.Library) []string {
	if l.Name == "rueidislock" {
		return slices.DeleteFunc(slices.Clone(survivable), func(fault string) bool { return fault == "pause" })
	}
	return survivable
}

// Universes of redlock/any, or of single/any, whose faults can hit guests.
func drawn(l *guests.Library, faults []string, n int) func(yield func(universe) bool) {
	s, _ := scenarios.Find(search(l))
	s.Search.Faults = faults
	from := s.Universes()
	return func(yield func(universe) bool) {
		for seed := uint64(1); n > 0; seed++ {
			u := from.At(seed)
			if l.Fit(&u) != nil {
				continue
			}
			if n--; !yield(universe{u, seed}) {
				return
			}
		}
	}
}

// search is the scenario whose search is for a library.
func search(l *guests.Library) string {
	if l.Kind == scenarios.Single {
		return "single/any"
	}
	return "redlock/any"
}
