package runs_test

import (
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/campaigns"
	"github.com/lockstorm/lockstorm/reports/runs"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/scenarios/campaign/stats"
)

func TestSummaryNamesWhatDiffered(t *testing.T) {
	finding := func(property string, v checker.Verdict) checker.Finding {
		return checker.Finding{Property: property, Verdict: v}
	}
	s := scenarios.Scenario{ID: "a/b", Expect: []scenarios.Expectation{
		{Property: "belief", Verdict: checker.Violated}, {Property: "storage", Verdict: checker.Violated}, {Property: "tokens", Verdict: checker.Unknown},
	}}
	for _, c := range []struct {
		verdict  scenarios.Verdict
		findings []checker.Finding
		seen     []checker.Finding
		cut      string
		want     string
	}{
		{scenarios.Pass, []checker.Finding{finding("validity", checker.Holds), finding("fenced", checker.Holds)}, nil, "",
			"PASS: a/b, seed 7: all two promises hold. No fault hit."},
		{scenarios.Pass, []checker.Finding{finding("belief", checker.Violated), finding("storage", checker.Violated), finding("fenced", checker.Holds)}, nil, "",
			"PASS: a/b, seed 7: two clients acted as holder at the same time and an update was lost, as this scenario is meant to show. The other promise holds."},
		{scenarios.Fail, []checker.Finding{finding("fenced", checker.Violated), finding("belief", checker.Violated)}, nil, "",
			"FAIL: a/b, seed 7: unexpectedly, an update was lost despite fencing."},
		{scenarios.Fail, []checker.Finding{finding("fenced", checker.Violated), finding("validity", checker.Violated), finding("quorum", checker.Violated)}, nil, "",
			"FAIL: a/b, seed 7: unexpectedly, an update was lost despite fencing, the lock was valid for two clients at the same time and a valid lock lost its majority."},
		{scenarios.Fail, []checker.Finding{finding("belief", checker.Holds), finding("fenced", checker.Violated), finding("storage", checker.Holds)}, nil, "",
			"FAIL: a/b, seed 7: unexpectedly, an update was lost despite fencing. Expected that two clients acted as holder at the same time and an update was lost; neither happened."},
		{scenarios.Fail, []checker.Finding{finding("belief", checker.Holds)},
			[]checker.Finding{finding("contended", checker.Violated), finding("late-write", checker.Holds), finding("quorum-lost", checker.Violated)}, "",
			"FAIL: a/b, seed 7: expected that two clients acted as holder at the same time; that did not happen. The lock kept all its promises; this scenario expects some to break. Expected events that did not occur: clients competed (contended) and a holder lost its majority (quorum-lost)."},
		{scenarios.Unknown, []checker.Finding{finding("belief", checker.Unknown), finding("fenced", checker.Unknown), finding("validity", checker.Unknown)},
			[]checker.Finding{finding("contended", checker.Unknown)}, "time horizon reached",
			"UNKNOWN: a/b, seed 7: the run reached its time limit. Raise `horizon`. " +
				"Not known: One acting holder, No lost update with fencing and One valid lock."},
	} {
		r := &scenarios.Result{Scenario: &s, Seed: 7, Verdict: c.verdict, Findings: c.findings, Seen: c.seen, Evidence: &checker.Evidence{
			Cut: c.cut, Holds: []checker.Hold{{}, {Client: 1}}, Writes: []checker.Update{{Fence: 33, Plain: checker.Change{Made: 1}, Fenced: checker.Change{Made: 1}}},
		}}
		if got := runs.Summary(r); got != c.want {
			t.Errorf("got\n%s\nwant\n%s", got, c.want)
		}
	}
}

func TestUntestedPromiseDoesNotCountAsKept(t *testing.T) {
	holding := []checker.Finding{{Property: "belief"}, {Property: "storage"}, {Property: "fenced"}, {Property: "tokens"}}
	for want, e := range map[string]checker.Evidence{
		"no fault hit. Not tested, because c1 alone had the lock: One acting holder (belief). " +
			"Not tested, because nothing was written: No lost update (storage) and No lost update with fencing (fenced). " +
			"Not tested, because no client got a fencing token: Rising tokens (tokens).": {
			Holds: []checker.Hold{{}}},
		"three promises hold. No fault hit. Not tested, because nothing was written: No lost update with fencing (fenced).": {
			Holds: []checker.Hold{{Fence: 1}, {Client: 1, Fence: 2}}, Writes: []checker.Update{{Fence: 1, Plain: checker.Change{Made: 1}}}},
	} {
		r := &scenarios.Result{Scenario: &scenarios.Scenario{ID: "a/b"}, Seed: 7, Findings: holding, Evidence: &e}
		if got, want := runs.Summary(r), "PASS: a/b, seed 7: "+want; got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	}
}

func TestACampaignNamesTheRunsToLookAt(t *testing.T) {
	m := campaign.Tally{Scenario: "a/b", Seed: 5, Runs: 40, Verdict: scenarios.Fail, Pass: 25, Fail: 14, Unknown: 1, Command: "lockstorm run a/b --seed 6", Kept: 14,
		Properties: []campaign.Frequency{{Name: "belief", Expect: checker.Holds, Holds: 25, Count: stats.Count{Violated: 14, Unknown: 1, Runs: 40}}, {Name: "fenced", Expect: checker.Violated, Count: stats.Count{Violated: 40, Runs: 40}},
			{Name: "tokens", Expect: checker.Unknown, Count: stats.Count{Unknown: 40, Runs: 40}}}}
	for seed := uint64(6); seed < 21; seed++ {
		m.Unexpected = append(m.Unexpected, seed)
	}
	want := `a/b, 40 runs from seed 5

  property  expected  holds  violated  unknown  not tested
  belief    holds     25     14        1        0           << not as expected
  fenced    violated  0      40        0        0
  tokens    unknown   0      0         40       0

  should happen  happened  never  unknown

FAIL: a/b, seeds 5 to 44: 25 as expected, 14 not, 1 unknown.
Not as expected: seeds 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 and 5 more.
In the store: the first 14 of them.
See the first: lockstorm run a/b --seed 6
`
	if got := campaigns.Tally(&m, "").Text((reports.Screen{})); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	m.Unexpected, m.Kept = m.Unexpected[:1], 0
	if got := campaigns.Tally(&m, "").Text((reports.Screen{})); !strings.Contains(got, "Not as expected: seed 6.\nSee the first:") {
		t.Error(got)
	}
	m.Unexpected = nil
	if got := campaigns.Tally(&m, "").Text((reports.Screen{})); strings.Contains(got, "See the first") {
		t.Error(got)
	}
}
