package campaign_test

import (
	"fmt"

	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/scenarios/campaign/stats"
)

// How often do two clients act as holders, if one of them is paused for about as long as the lock lives?
func Example() {
	s, _ := scenarios.Find("kleppmann/gc-pause")
	if err := s.Check(); err != nil {
		fmt.Println(err)
	}
	axis, err := campaign.ParseAxis(&s, "pause.for=5s,10s,15s")
	if err != nil {
		fmt.Println(err)
	}
	w := campaign.Sweep{Scenario: &s, Axes: []campaign.Axis{axis}, First: 1, Runs: 200, Workers: 2, Properties: []string{"belief"}}
	if err := w.Check(); err != nil {
		fmt.Println(err)
	}
	for _, spot := range w.Run() {
		belief := spot.Properties[0]
		share := stats.Wilson(belief.Violated, spot.Runs, stats.Confidence)
		fmt.Printf("%s: %d of %d, %.3f to %.3f\n", spot.Cell, belief.Violated, spot.Runs, share.Low, share.High)
	}
	// Output:
	// pause.for=5s: 0 of 200, 0.000 to 0.019
	// pause.for=10s: 2 of 200, 0.003 to 0.036
	// pause.for=15s: 200 of 200, 0.981 to 1.000
}
