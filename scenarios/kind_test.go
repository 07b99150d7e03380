package scenarios_test

import (
	"testing"

	"github.com/lockstorm/lockstorm/scenarios"
)

func TestAScenarioBecomesOneOfAnyKind(t *testing.T) {
	for kind, name := range scenarios.KindNames {
		s, _ := scenarios.Find("redlock/any")
		s.Become(scenarios.Kind(kind))
		if err := s.Check(); err != nil {
			t.Errorf("redlock/any as %s: %v", name, err)
			continue
		}
		for seed := range uint64(20) {
			u := s.Universes().At(seed)
			if r := scenarios.Run(u, seed); u.Lock.Kind != scenarios.Kind(kind) || len(r.Evidence.Holds) == 0 {
				t.Errorf("redlock/any as %s, seed %d: kind %d, %d holds", name, seed, u.Lock.Kind, len(r.Evidence.Holds))
			}
		}
	}
}
