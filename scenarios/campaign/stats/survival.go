package stats

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// A Moment is what happened to lives at one time: how many had their event, and how many were last seen without it. A
// life last seen at a time is still at risk then.
type Moment struct {
	Time             int64
	Events, Censored int
}

// A Step is the level of a survival curve from a time on, until the next Step.
type Step struct {
	Moment
	AtRisk   int // just before
	Survival float64
	Band     Interval // of this time alone
}

// KaplanMeier estimates the share of lives without their event after each time (Kaplan and Meier, 1958). Some lives
// were last seen before their event. The times must rise. The band is Greenwood's for the logarithm of minus the
// logarithm of the share, and so stays within 0 and 1. Before the first event it has no width, because nothing was seen
// that could vary. When all lives have ended it reaches from 0 to its last level.
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
