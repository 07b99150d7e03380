package scenarios_test

import (
	"slices"
	"testing"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/scenarios"
)

// Further random faults may be too short to meet a message; faults that a file states must hit. Seed 1629 draws three
// cuts of a few milliseconds or less, and two meet nothing.
func TestRandomFaultThatMeetsNothingIsNoFailure(t *testing.T) {
	s := find(t, "etcd/starved")
	drawn := s.Universes().At(1629)
	if res := scenarios.Run(drawn, 1629); res.Verdict != scenarios.Pass {
		t.Errorf("the verdict is %s, though all that the file states has struck", res.Verdict)
	}
	written, err := scenarios.Parse("drawn.yaml", drawn.YAML())
	if err != nil {
		t.Fatal(err)
	}
	stated := drawn
	stated.StateFaults()
	for name, all := range map[string]scenarios.Scenario{"written to a file": written, "made its own": stated} {
		struck := func(f checker.Finding) bool { return f.Property == "fault-struck" && f.Verdict == checker.Holds }
		if slices.ContainsFunc(scenarios.Run(all, 1629).Seen, struck) {
			t.Errorf("%s: faults of which two met nothing count as struck", name)
		}
	}
}
