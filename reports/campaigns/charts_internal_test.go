package campaigns

import (
	"math"
	"testing"

	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/scenarios/campaign/stats"
)

// Of ten runs six broke, and two ended whole before any had. Those two can't break later, so four are left in the end.
// Had they been censored, the last to break would have been alone, and no run would be left.
func TestSurvivalCurveEndsAtTheUnbrokenShare(t *testing.T) {
	c := campaign.Counts{Broke: campaign.Values{20: 3, 30: 3}, Ended: campaign.Values{10: 2, 25: 2}, Cut: campaign.Values{}}
	steps := stats.KaplanMeier(momentsOf(&c, 40), stats.Confidence)
	if end := steps[len(steps)-1]; end.Time != 40 || math.Abs(end.Survival-0.4) > 1e-12 {
		t.Errorf("it ends with %+v", end)
	}
	c.Cut[25] = 5 // runs that are unknown from then on: of the remaining seven three break
	steps = stats.KaplanMeier(momentsOf(&c, 40), stats.Confidence)
	if end := steps[len(steps)-1].Survival; math.Abs(end-(1-3.0/15)*(1-3.0/7)) > 1e-12 {
		t.Errorf("with runs that were cut short it ends at %f", end)
	}
}
