package scenarios_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/scenarios"
)

// unbroken matches the runs of a finding in which nothing broke: "nothing violated", of another scenario perhaps, and
// perhaps with a setting.
var unbroken = regexp.MustCompile(`\{(?:([a-z-]+/[a-z0-9-]+)(?: with ([^}:]+))?: |with ([^}:]+): )?nothing violated\}`)

// Clients that start a second apart don't compete for votes, so the first has all of them. A finding that nothing
// breaks must not rest on that silently. Each is run again with clients that start together, one round trip apart, ten
// round trips apart and a second apart. If something breaks at one of these gaps, the finding says how far apart
// clients start; and if it breaks only where they start together, it says that.
func TestFindingsSayHowFarApartClientsStart(t *testing.T) {
	seeds, tried, differ := 30, 0, 0
	if long {
		seeds = 40
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
			var settings []string
			if setting != "" {
				settings = []string{setting}
			}
			x, err := scenarios.Open(id, settings...)
			if err != nil || x.Lock.Kind != scenarios.Redlock || len(x.Search.Draw)+len(x.Search.Faults) > 0 {
				continue // no votes to split, the setting is the name of a known flaw, or seeds draw faults
			}
			trip, own := x.Network.Latency.Min+x.Network.Latency.Max, x.Work.Stagger
			var breaks []string
			for _, gap := range []time.Duration{0, trip, 10 * trip, time.Second} {
				x.Work.Stagger = gap
				if broken := brokenIn(x, seeds); broken != "" {
					breaks = append(breaks, fmt.Sprintf("%s if clients start %s apart", broken, gap))
				}
			}
			if tried++; len(breaks) == 0 {
				continue
			}
			differ++
			if own > 0 && !strings.Contains(finding, "apart") || own == 0 && !strings.Contains(finding, "together") {
				t.Errorf("%s: of %s %s breaks: the finding must say how far apart they start", s.ID, id,
					strings.Join(breaks, ", "))
			}
			if own > 0 && len(breaks) < 4 && !strings.Contains(finding, "together") {
				t.Errorf("%s: of %s only %s breaks: the finding must say what differs if clients start together", s.ID, id,
					strings.Join(breaks, ", "))
			}
			t.Logf("%s: %s with %q: %s", s.ID, id, setting, strings.Join(breaks, ", "))
		}
	}
	if tried < 15 || differ == 0 {
		t.Errorf("%d findings were tried at each gap, and %d differ", tried, differ)
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
