package stats

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// A Moment is what became of some lives at one time: so many came to their event, and so many were last seen then without
// it. What is last seen at a time is still at risk at it.
type Moment struct {
	Time             int64
	Events, Censored int
}

// A Step is where a survival curve stands from a time on, until the next Step.
type Step struct {
	Moment
	AtRisk   int // just before
	Survival float64
	Band     Interval // of this time alone
}

// KaplanMeier estimates from lives, some of which were last seen before their event, which share of all is without it
// after each time (Kaplan and Meier, 1958). The times must rise. The band is that of Greenwood for the logarithm of minus
// the logarithm of the share, and so stays within 0 and 1. Before the first event it has no width, for nothing was seen
// that could vary; and when all are gone it reaches from 0 to where it stood before.
func KaplanMeier(lives []Moment, confidence float64) []Step {
	z := mathext.NormalQuantile((1 + confidence) / 2)
	atRisk := 0
	for _, m := range lives {
		atRisk += m.Events + m.Censored
	}
	steps := make([]Step, 0, len(lives))
	share, sum, band := 1.0, 0.0, Interval{1, 1}
	for _, m := range lives {
		if m.Events > 0 {
			share *= float64(atRisk-m.Events) / float64(atRisk)
			sum += float64(m.Events) / (float64(atRisk) * float64(atRisk-m.Events))
			band = greenwood(share, sum, z, band)
		}
		steps = append(steps, Step{m, atRisk, share, band})
		atRisk -= m.Events + m.Censored
	}
	return steps
}

// greenwood returns the band at a share, given Greenwood's sum up to it and the band before.
func greenwood(share, sum, z float64, before Interval) Interval {
	if share == 0 {
		return Interval{0, before.High}
	}
	log := math.Log(share)
	spread := z * math.Sqrt(sum) / math.Abs(log)
	return Interval{math.Exp(log * math.Exp(spread)), math.Exp(log * math.Exp(-spread))}
}
