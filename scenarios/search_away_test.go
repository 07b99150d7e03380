package scenarios_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
)

// The rule of delayed restarts, for nodes with random restarts.
func TestRestartedNodesStayAwayAsTheSearchAsks(t *testing.T) {
	s, _ := scenarios.Find("redlock/any")
	s.Search.Faults, s.Search.Away = []string{"restart"}, 3*time.Second
	if err := s.Check(); err != nil {
		t.Fatal(err)
	}
	u, seen := s.Universes(), 0
	for seed := range uint64(300) {
		drawn := u.At(seed)
		for _, f := range drawn.Faults {
			if seen++; f.Kind != faults.Restart || f.For > 0 && f.For < 3*time.Second {
				t.Errorf("seed %d: %s", seed, f)
			}
		}
	}
	if seen < 100 {
		t.Errorf("only %d restarts were drawn", seen)
	}
}

// A run may have a window for faults and no fault: its scenario is written, and must be read again.
func TestAWindowWithoutFaultsIsReadAgain(t *testing.T) {
	s, _ := scenarios.Find("baseline/fault-free")
	if err := s.Set("search.within=10s"); err != nil {
		t.Fatal(err)
	}
	if again, err := scenarios.Parse("x.yaml", s.YAML()); err != nil || again.Search.Within != 10*time.Second {
		t.Errorf("within is %s: %v", again.Search.Within, err)
	}
}

// The author of a search wants random faults. A search that draws nothing would be ignored, or replaced by another.
func TestEmptySearchIsRejected(t *testing.T) {
	for search, want := range map[string]string{
		"{faults: [], most: 3, within: 5s}":                                 "x:2:18: search.faults: an empty list draws nothing",
		"{faults: []}":                                                      "x:2:18: search.faults: an empty list draws nothing",
		"{faults: [pause], most: 0, within: 5s}":                            "search.most: it is 0, so no fault of search.faults",
		"{faults: [pause], within: 5s}":                                     "search.most: it is 0, so no fault of search.faults",
		"{most: 0, within: 5s}":                                             "",
		"{most: 0, within: 5s, vary: [{setting: clients, from: 2, to: 3}]}": "",
		"{faults: [pause], most: 3, within: 1ns}":                           "x:2:18: search.faults: within 1ns none of them can do anything",
		"{faults: [pause], most: 3}":                                        "x:2:18: search.faults: within 0s none of them can do anything",
		"{faults: [pause], most: 3, within: 5s}":                            "",
		"{faults: [], vary: [{setting: clients, from: 2, to: 3}]}":          "",
		"{most: 0, within: 0s, away: 0s, stays: false}":                     "",
	} {
		_, err := scenarios.Parse("x", []byte("title: t\nsearch: "+search+"\n"))
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v; want %q", search, err, want)
		}
	}
}

// A file without required events must still have a write, unless updates may be lost.
func TestFileRequiresAWriteByDefault(t *testing.T) {
	for text, want := range map[string]bool{"": true, "clients: 1\n": true, "expect: {storage: violated}\n": false, "sometimes: [acquired]\n": false} {
		s, err := scenarios.Parse("x", []byte("title: t\n"+text))
		if got := slices.Contains(s.Sometimes, "written"); err != nil || got != want {
			t.Errorf("%q: %v, %v", text, s.Sometimes, err)
		}
	}
}

// A search must not draw another value for a setting that the user has set.
func TestHeldSettingsAreNotRandom(t *testing.T) {
	s, _ := scenarios.Find("redlock/any")
	loose := s
	s.Hold("lock.ttl")
	varied := 0
	for seed := range uint64(50) {
		a, b := s.Universes().At(seed), loose.Universes().At(seed)
		if a.Lock.TTL != time.Second {
			t.Errorf("seed %d: the TTL is %s", seed, a.Lock.TTL)
		}
		if b.Lock.TTL != time.Second {
			varied++
		}
	}
	if varied == 0 || len(loose.Search.Vary) != len(s.Search.Vary)+1 {
		t.Error("without that it is not drawn either")
	}
}

// A search does not vary what a user sets, in run as in fuzz and sweep.
func TestASearchDrawsNothingThatIsSet(t *testing.T) {
	s, err := scenarios.Open("redlock/any", "lock.ttl=10s", "nodes=4")
	if err != nil {
		t.Fatal(err)
	}
	universes := s.Universes()
	for seed := range uint64(100) {
		if u := universes.At(seed); u.Lock.TTL != 10*time.Second || u.Nodes != 4 {
			t.Fatalf("seed %d has a TTL of %s and %d nodes", seed, u.Lock.TTL, u.Nodes)
		}
	}
}
