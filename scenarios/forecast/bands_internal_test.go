package forecast

import (
	"os"
	"slices"
	"testing"
)

// Large sizes are sampled more often than they happen, band by band, and weighted back. That is unbiased: many runs
// with sizes at their natural frequency agree. With the same number of runs, bands show far more rare events.
func TestBandsAreUnbiased(t *testing.T) {
	const causes = `
- {name: freeze, strikes: pause a-client for ~, rate: 1/60s, size: "pareto(100ms,1.5,30s)", source: made up}`
	all, part := slices.Clone(cuts), 8
	if os.Getenv("LOCKSTORM_LONG") != "" {
		part = 1 // README has these numbers
	}
	defer func() { cuts = all }()
	estimate := func(runs int) Estimate {
		m := roughModel(t, "single instance", causes)
		m.Single, m.Runs, m.strata = true, runs, m.strata[:0]
		if err := m.Prepare(); err != nil {
			t.Fatal(err)
		}
		m.Run()
		e := m.Sample(0).Estimate().Cause[0]
		t.Logf("%d bands, %d runs each: %d broke, %.0f a year (%.0f to %.0f)", len(cuts)-1, runs, e.Seen, e.Value, e.Low, e.High)
		return e
	}
	banded := estimate(400 / part)
	cuts = []int{0, 1_000_000}
	few, many := estimate(2000/part), estimate(12_000/part)
	if banded.High < many.Low || many.High < banded.Low {
		t.Errorf("bands say %+v, and sizes as they come %+v", banded, many)
	}
	if banded.Seen < 5*few.Seen {
		t.Errorf("bands see %d, and as many sizes as they come %d", banded.Seen, few.Seen)
	}
}
