package scenarios_test

import (
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
)

// The rule of delayed restarts, for nodes whose restarts are drawn.
func TestNodesThatRestartStayAwayForAsLongAsASearchWants(t *testing.T) {
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

// Who sets a setting does not want a search to draw another value for it.
func TestWhatIsHeldIsNotDrawn(t *testing.T) {
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
