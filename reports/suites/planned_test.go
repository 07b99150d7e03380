package suites_test

import (
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/reports/internal/wording"
	"github.com/lockstorm/lockstorm/reports/reportstest"
	"github.com/lockstorm/lockstorm/reports/suites"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// Where the faults were planned and all seeds agree, one run shows a claim; random runs are counted.
func TestPlannedClaimNeedsOneRun(t *testing.T) {
	for _, c := range []struct {
		id, set, want string
		violated      int // runs of the last property that are made up
	}{
		{"kleppmann/gc-pause", "", "belief and storage break, shown by one run, the same in 4 seeds", 0},
		{"kleppmann/pause-before-reply", "", "nothing breaks, shown by one run, the same in 4 seeds", 0},
		{"kleppmann/gc-pause", "network.loss=0.01", "belief and storage break in 4 of 4 runs", 0},
		{"kleppmann/gc-pause", "", "belief and storage break in 4 of 4 runs, leak-free breaks in 1 of 4 runs", 1},
	} {
		s := reportstest.Scenario(t, c.id)
		if c.set != "" {
			if err := s.Set(c.set); err != nil {
				t.Fatal(err)
			}
		}
		one := *suites.New("", 1, 4).Add(s, "")
		one.Ran(s, campaign.Plan{Scenario: s, First: 1, Runs: 4, Workers: 1}.Run(), "lockstorm run x")
		one.Properties[len(one.Properties)-1].Violated += c.violated
		text := (&suites.Suite{Runs: 4, Scenarios: []suites.Case{one}}).Claims().Markdown()
		if !strings.Contains(text, c.want) || strings.Contains(text, "shown by") != strings.Contains(c.want, "shown by") {
			t.Errorf("%s %s: want %q in\n%s", c.id, c.set, c.want, wording.Plain(text))
		}
	}
}
