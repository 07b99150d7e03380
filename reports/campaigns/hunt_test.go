package campaigns_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/campaigns"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/scenarios/campaign/stats"
)

// oneFound is a search that found one signature, and could not shrink all.
func oneFound(t *testing.T) *campaign.Hunt {
	t.Helper()
	s := scenarios.Base()
	s.ID, s.Fencing.Source = "mine", scenarios.NoFencing
	s.Search = scenarios.Search{Faults: []string{"pause", "jump"}, Within: 6 * time.Second}
	s.Expect = []scenarios.Expectation{{Property: "storage", Verdict: checker.Violated}}
	h := &campaign.Hunt{Job: &campaign.Job{First: 5}, Scenario: s, Runs: 1000}
	for i, name := range scenarios.Judged() {
		n, unshrunk := stats.Count{Runs: 1000}, 0
		switch name {
		case "belief":
			n.Violated, unshrunk = 12, 2
		case "storage":
			n.Violated = 1000
		case "fenced":
			n.Unknown = 3
		case "validity":
		default:
			n.Runs = 0
		}
		if n.Runs > 0 {
			h.Watched |= 1 << i
		}
		h.Counts, h.Unshrunk = append(h.Counts, n), append(h.Unshrunk, unshrunk)
	}
	least := parsed(t, "at 0s pause c1", "at 1s jump n1 +1s")
	least.Clients, least.Work.Cycles = 2, 1
	h.Signatures = []campaign.Signature{{
		Property: "belief", Kinds: campaign.KindsOf(least.Faults), Runs: 10, First: 7, From: 6,
		Shrinker: campaign.Shrinker{Least: least, Runs: 99}, File: "store/mine.yaml", Command: "lockstorm run store/mine.yaml --seed 3",
	}}
	return h
}

// parsed is a scenario with a schedule.
func parsed(t *testing.T, lines ...string) scenarios.Scenario {
	t.Helper()
	s := scenarios.Base()
	var err error
	if s.Faults, err = faults.Parse(strings.Join(lines, "\n")); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSearchReportText(t *testing.T) {
	want := strings.Join([]string{
		"mine, 1000 runs from seed 5",
		"Faults of pause and class jump (jump, strobe) hit within the first 6s.",
		"There are no fencing tokens.",
		"",
		"  promise   violated",
		"  belief    12 of 1000: between 0.62% and 2.1% at 95% confidence  << not as expected (2 not shrunk)",
		"  validity  0 of 1000: below 0.37% at 95% confidence",
		"  storage   1000 of 1000: above 99.63% at 95% confidence",
		"  fenced    0 of 1000, 3 unknown: below 0.87% at 95% confidence",
		"",
		"Two clients acted as holder at the same time in 10 of 1000 runs. Cause: pause and clock jump. First: seed 7.",
		"  Shrunk from 6 faults to 2 in 99 runs; it may not be the smallest; 2 clients, 1 turn each.",
		"    at 0s pause c1",
		"    at 1s jump n1 +1s",
		"  See it: ./ls run store/mine.yaml --seed 3",
		"",
		"  promise   asks",
		"  belief    Do two clients act as holder together?",
		"  validity  Do two validity windows overlap?",
		"  storage   Is an update lost if storage accepts every write?",
		"  fenced    Is an update lost although storage checks tokens?",
		"",
		"FAIL: mine, 1000 runs from seed 5: two clients acted as holder at the same time and an update was lost, in 1 way.",
		"Repeat it: ./ls fuzz mine --runs 1000 --seed 5",
		"",
	}, "\n")
	got := textOf(oneFound(t), reports.Screen{Program: "./ls"})
	if got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// A property that should break may break. A property that should hold and is unknown makes the verdict unknown.
func TestTheVerdictOfASearch(t *testing.T) {
	h := oneFound(t)
	for _, want := range []scenarios.Verdict{scenarios.Fail, scenarios.Unknown, scenarios.Pass} {
		if got := h.Verdict(); got != want {
			t.Errorf("%s, want %s: %+v", got, want, h.Counts)
		}
		if want == scenarios.Fail {
			h.Counts[slices.Index(scenarios.Judged(), "belief")].Violated = 0
		} else {
			h.Counts[slices.Index(scenarios.Judged(), "fenced")].Unknown = 0
		}
	}
}

func textOf(h *campaign.Hunt, s reports.Screen) string {
	return campaigns.Hunt(h, "lockstorm fuzz mine --runs 1000 --seed 5", false).Text(s)
}
