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
	job := &campaign.Job{Kind: "example", Scenario: &s, First: 1, Runs: 200, Size: 50}
	for _, pause := range []scenarios.Value{"5s", "10s", "15s"} {
		job.Cells = append(job.Cells, campaign.Cell{{Key: "pause.for", Value: pause}})
	}
	belief, err := campaign.ParseMeasure("belief")
	if err != nil {
		fmt.Println(err)
	}
	survey := campaign.Survey{Job: job, Measures: func(int) []campaign.Measure { return []campaign.Measure{belief} }}
	for _, err := range []error{job.Check(), survey.Begin()} {
		if err != nil {
			fmt.Println(err)
		}
	}
	job.Each(2, func(rows []campaign.Row) (more bool) {
		survey.AddAll(rows)
		return true
	})
	for _, c := range survey.Cells {
		belief := c.Measured[0]
		share := stats.ClopperPearson(belief.Violated, c.Runs, stats.Confidence)
		fmt.Printf("%s: %d of %d, %.3f to %.3f\n", c.Cell, belief.Violated, c.Runs, share.Low, share.High)
	}
	// Output:
	// pause.for=5s: 0 of 200, 0.000 to 0.018
	// pause.for=10s: 2 of 200, 0.001 to 0.036
	// pause.for=15s: 200 of 200, 0.982 to 1.000
}
