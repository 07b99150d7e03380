package suites_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/reports/reportstest"
	"github.com/lockstorm/lockstorm/reports/suites"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

func isMutex(e scenarios.Expectation) bool { return e.Property == "blackbox.mutex" }

// A test that fails only in what a black box sees says so; one that expects nothing of it counts what it sees.
func TestSuiteNamesUnexpectedViews(t *testing.T) {
	for _, expect := range []checker.Verdict{checker.Holds, checker.Violated} {
		s := reportstest.Scenario(t, "kleppmann/gc-pause")
		s.Expect = slices.DeleteFunc(slices.Clone(s.Expect), isMutex)
		s.Expect = append(s.Expect, scenarios.Expectation{Property: "blackbox.mutex", Verdict: expect})
		c := suites.New("", 1, 3).Add(s, "")
		c.Ran(s, campaign.Plan{Scenario: s, First: 1, Runs: 3, Workers: 1}.Run(), "lockstorm run x")
		want := ""
		if expect == checker.Holds {
			want = "blackbox.mutex should hold, and is violated in 3 of 3 runs"
		}
		if got := strings.Join(c.Wrong, "; "); got != want {
			t.Errorf("expected is %s, and wrong is %q, want %q", expect, got, want)
		}
	}
	s := reportstest.Scenario(t, "kleppmann/gc-pause")
	s.Expect = slices.DeleteFunc(slices.Clone(s.Expect), isMutex)
	c := suites.New("", 1, 3).Add(s, "")
	c.Ran(s, campaign.Plan{Scenario: s, First: 1, Runs: 3, Workers: 1}.Run(), "lockstorm run x")
	if len(c.Wrong) > 0 || len(c.BlackBox) != 5 || c.BlackBox[0].Expect != nil || c.BlackBox[0].Violated != 3 {
		t.Errorf("nobody expects a view: wrong is %q, counted is %v", c.Wrong, c.BlackBox)
	}
}
