package litestream_test

import (
	"testing"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/guests/guest"
	"github.com/lockstorm/lockstorm/scenarios/guests/litestream"
)

// search runs the leaser in universes of record/any under some faults, and returns in how many each promise breaks, and
// the first seed of each.
func search(t *testing.T, set []string, universes uint64) (broken map[string]int, first map[string]uint64) {
	t.Helper()
	s, ok := scenarios.Find("record/any")
	if !ok {
		t.Fatal("there is no record/any")
	}
	if err := s.SetAll(append([]string{"lock.kind=litestream", "fencing.source=ideal"}, set...)); err != nil {
		t.Fatal(err)
	}
	if err := s.Check(); err != nil {
		t.Fatal(err)
	}
	broken, first = map[string]int{}, map[string]uint64{}
	all, r := s.Universes(), scenarios.NewRunner()
	defer r.Close()
	for seed := range universes {
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
	return broken, first
}

// A search of 200 universes each finds that an owner is kept out by its own lease, and, where each process has its own
// clock, that two hold the lease. Without faults nothing breaks.
func TestASearchFindsWhatTheFindingsSay(t *testing.T) {
	if err := litestream.Kind.Add(t); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		faults, breaks string
		most           uint64 // the seed by which it is found
	}{{"none", "", 0}, {"loss", "leak-free", 110}, {"jump", "validity", 9}} {
		if c.faults == "jump" && !guest.Clocked() {
			t.Log("NOT TRIED: clocks that differ; it takes go test -overlay, see README.md")
			continue
		}
		broken, first := search(t, []string{"search.faults=" + c.faults}, max(c.most, 20))
		if c.breaks == "" && len(broken) > 0 || c.breaks != "" && (first[c.breaks] == 0 || first[c.breaks] > c.most) {
			t.Errorf("faults %s: %v break, first with seeds %v", c.faults, broken, first)
		}
	}
}
