package scenarios_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/scenarios"
)

// unbroken matches the runs of a finding in which nothing broke: "nothing violated", of another scenario perhaps, and
// perhaps with a setting.
var unbroken = regexp.MustCompile(`\{(?:([a-z-]+/[a-z0-9-]+)(?: with ([^}:]+))?: |with ([^}:]+): )?nothing violated\}`)

// Clients that start a second apart don't compete for votes, so the first has all of them. A finding that nothing breaks
// must not rest on that silently. Each is run again with clients that start together, one round trip apart and ten. If
// something breaks then, the finding says how far apart clients start.
func TestFindingsSayHowFarApartClientsStart(t *testing.T) {
	gaps, seeds, tried := []string{"0s"}, 25, 0
	if long {
		gaps, seeds = []string{"0s", "1ms", "10ms"}, 40
	}
	for _, s := range scenarios.Catalogue() {
		finding := strings.Join(strings.Fields(s.Claim.Finding), " ")
		for _, m := range unbroken.FindAllStringSubmatch(finding, -1) {
			id, setting := m[1], m[2]+m[3]
			if id == "" {
				id = s.ID
			}
			if strings.Contains(setting, "work.stagger") || strings.ContainsAny(setting, " ,") {
				continue
			}
			for _, gap := range gaps {
				settings := []string{"work.stagger=" + gap}
				if setting != "" {
					settings = append([]string{setting}, settings...)
				}
				x, err := scenarios.Open(id, settings...)
				if err != nil || x.Lock.Kind != scenarios.Redlock || x.Work.Stagger == 0 && gap != "0s" || len(x.Search.Draw)+len(x.Search.Faults) > 0 {
					continue // no votes to split, the setting is the name of a known flaw, or seeds draw faults
				}
				tried++
				if broken := brokenIn(x, seeds); broken != "" && !strings.Contains(finding, "apart") {
					t.Errorf("%s: if clients of %s start %s apart, %s breaks: the finding must say how far apart they start",
						s.ID, id, gap, broken)
				}
			}
		}
	}
	if tried < 15 {
		t.Errorf("only %d gaps were tried", tried)
	}
}

// brokenIn returns a promise that breaks in one of some runs, or "".
func brokenIn(x scenarios.Scenario, seeds int) string {
	for seed := range seeds {
		for _, f := range scenarios.Run(x, uint64(seed+1)).Findings {
			if f.Verdict == checker.Violated {
				return f.Property
			}
		}
	}
	return ""
}
