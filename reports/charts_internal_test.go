package reports

import (
	"testing"

	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// A legend tells curves apart by the values of an axis. Powers of ten are for those who write programs.
func TestALegendWritesLargeNumbersInFull(t *testing.T) {
	c := &scale{Axis: campaign.Axis{Key: "clocks.n3"}, number: true, label: "clocks.n3 [ppm]", at: []float64{0, 0.25, 3.10723, 5000, 15000, 123456}}
	for i, want := range []string{"0", "0.25", "3.107", "5000", "15000", "123456"} {
		if got := c.said(i); got != "clocks.n3 "+want+" ppm" {
			t.Errorf("%v is said as %q", c.at[i], got)
		}
	}
}
