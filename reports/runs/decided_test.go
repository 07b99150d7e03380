package runs_test

import (
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/reports/runs"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// The sentence says what decided, and how many continuations there were, before and after.
func TestDecisionIsASentence(t *testing.T) {
	shares := []campaign.Share{{At: 0, Broken: 3}, {At: clock.Instant(3_519_000), Broken: 100}}
	const pause, woke = `by the fault "pause c1"`, "when c1 woke up"
	for want, d := range map[string]campaign.Decision{
		"Decided at 0.003519 s, " + pause + ": an update was lost in 100 of 100 runs continued from there with other " +
			"delays, and in 3 of 100 from just before, without that fault.": {
			Of: 100, Shares: shares, Decided: 1, By: pause},
		"Decided at 0.003519 s, " + woke + ": an update was lost in 100 of 100 runs continued from there with other " +
			"delays, and in 3 of 100 from just before.": {Of: 100, Shares: shares, Decided: 1, By: woke},
		"Decided from the start, " + pause + ": an update was lost in 10 of 10 runs with other delays.": {
			Of: 10, Shares: []campaign.Share{{Broken: 10}}, By: pause},
		"It is not known when that was decided: a run of 533,998 steps is too long to be continued in other ways.": {
			Steps: 533_998},
	} {
		d.Property = "storage"
		if got := runs.Decided([]campaign.Decision{d}, "storage"); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

func TestDecidedTimelineDrawsTheShares(t *testing.T) {
	s, _ := scenarios.Find("kleppmann/gc-pause")
	res := scenarios.Run(s, 1)
	all := []campaign.Decision{{Property: "storage", Of: 100, Shares: []campaign.Share{{At: 0, Broken: 2}}}}
	if got := runs.DecidedTimeline(res, all, "belief"); got != "" {
		t.Error("a promise that is not among the decisions has a timeline")
	}
	const says = "2 of 100 runs that continue from here break the promise"
	if got := runs.DecidedTimeline(res, all, "storage"); !strings.Contains(got, says) {
		t.Errorf("the timeline lacks %q", says)
	}
}
