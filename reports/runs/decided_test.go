package runs_test

import (
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/reports/runs"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

func TestDecidedSaysWhenByWhatAndWhatWasSoJustBefore(t *testing.T) {
	start, later := campaign.Share{At: 0, Broken: 2}, campaign.Share{At: 3_519_000, Broken: 99}
	const at, says = "Decided at 0.003519 s, ", ": continued from there with other delays, "
	for _, c := range []struct {
		by      string
		decided int
		shares  []campaign.Share
		want    string
	}{
		{"by the scenario itself", 0, []campaign.Share{later},
			at + "by the scenario itself" + says + "99 of 100 runs break this promise."},
		{"by the scenario itself", 0, []campaign.Share{start},
			"Decided from the start, by the scenario itself" + says + "2 of 100 runs break this promise."},
		{`by the fault "pause c1"`, 1, []campaign.Share{start, later},
			at + `by the fault "pause c1"` + says + "99 of 100 runs break this promise; continued from just before, " +
				"without that fault, 2 of 100."},
		{"when c1 gave up", 1, []campaign.Share{start, later},
			at + "when c1 gave up" + says + "99 of 100 runs break this promise; continued from just before, 2 of 100."},
	} {
		d := campaign.Decision{Property: "storage", Of: 100, By: c.by, Decided: c.decided, Shares: c.shares}
		all := []campaign.Decision{{Property: "belief"}, d}
		if got := runs.Decided(all, "storage"); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
	if got := runs.Decided([]campaign.Decision{{Property: "belief"}}, "storage"); got != "" {
		t.Errorf("a promise that is not among the decisions: %s", got)
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
