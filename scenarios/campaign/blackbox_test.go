package campaign_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// judgedPlace returns the place of a name in scenarios.Judged.
func judgedPlace(name string) int { return slices.Index(scenarios.Judged(), name) }

func TestRowHasTheVerdictsOfItsRun(t *testing.T) {
	for _, id := range []string{"kleppmann/gc-pause", "fencing/none", "antirez/token-cas-not-atomic", "once/released"} {
		s, ok := scenarios.Find(id)
		if !ok {
			s = scenarios.Base()
			s.Fencing.Source = scenarios.NoFencing
		}
		res := scenarios.Run(s, 3)
		row := campaign.RowOf(res)
		for i, name := range scenarios.Judged() {
			if p, _ := checker.Lookup(name); p.Ticks && s.Work.Tick == 0 {
				continue // the run has no finding on it
			}
			if row.Of(i) != res.VerdictOn(name) {
				t.Errorf("%s: %s is %v in the row, and %v in the run", id, name, row.Of(i), res.VerdictOn(name))
			}
		}
	}
}

// TestASearchForAViewShrinksToAFileThatExpectsIt: what a black box sees violated can be hunted as a promise can.
func TestASearchForAViewShrinksToAFileThatExpectsIt(t *testing.T) {
	s, _ := scenarios.Find("redlock/any")
	s.Search.Faults = []string{"pause"}
	h := &campaign.Hunt{
		Job:     &campaign.Job{Scenario: &s, Cells: []campaign.Cell{{}}, First: 1, Runs: 400, Size: 20},
		Watched: 1 << judgedPlace("blackbox.mutex"), Most: 1,
	}
	h.Begin()
	h.Job.Each(2, h.AddAll)
	if len(h.Signatures) != 1 || h.Counts[judgedPlace("blackbox.mutex")].Violated == 0 || h.Counts[0].Runs != 0 {
		t.Fatalf("it found %+v, and counted %+v", h.Signatures, h.Counts)
	}
	found := h.Signatures[0].Counterexample("a test")
	if !bytes.Contains(found.YAML(), []byte("  blackbox:\n    mutex: violated\n")) {
		t.Fatalf("the file does not expect it:\n%s", found.YAML())
	}
	if again, err := scenarios.Parse("x.yaml", found.YAML()); err != nil || scenarios.Run(again, h.Signatures[0].Shrinker.Seed).Verdict != scenarios.Pass {
		t.Errorf("the file does not run as it says: %v", err)
	}
}
