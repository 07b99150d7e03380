package stats_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/lockstorm/lockstorm/scenarios/campaign/stats"
)

// Without a violation, 381 runs have an interval of one percent: z²/(n+z²) is 0.01 at n = 380.3. At a half it takes
// 9,600 for two percent: 1.96/√n, less a little.
func TestTightAtKnownPlaces(t *testing.T) {
	for _, c := range []struct {
		k, n, width int
		want        bool
	}{
		{0, 380, 10_000, false}, {0, 381, 10_000, true}, {381, 381, 10_000, true},
		{4_800, 9_600, 20_000, true}, {4_799, 9_598, 20_000, false},
		{0, 0, 1_000_000, false}, {0, 1_000_000, 0, false}, {0, 1, 1_000_000, true},
	} {
		if got := stats.Tight(c.k, c.n, c.width); got != c.want {
			t.Errorf("%d of %d within %d millionths: %t", c.k, c.n, c.width, got)
		}
	}
}

// The rule in whole numbers agrees with the interval in floating point, except for the last digits.
func TestTightIsTheWidthOfWilson(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 5_000_000).Draw(t, "n")
		k := rapid.IntRange(0, n).Draw(t, "k")
		i := stats.Wilson(k, n, stats.Confidence)
		near := int(math.Round((i.High - i.Low) * 1e6))
		width := near + rapid.IntRange(-5, 5).Draw(t, "off")
		off := (i.High-i.Low)*1e6 - float64(width)
		if math.Abs(off) > 0.001*float64(near)+0.5 && stats.Tight(k, n, width) != (off < 0) && width > 0 {
			t.Fatalf("%d of %d has a width of %g, and %d millionths are called tight: %t", k, n, i.High-i.Low, width, off > 0)
		}
		if stats.Tight(k, n, width) && off > 1e-6*float64(near) {
			t.Fatalf("%d of %d is called tight at %d millionths, and its width is %g", k, n, width, i.High-i.Low)
		}
	})
}

// stopped returns how often the interval of Wilson covers the share, exactly, if it is computed after 50 runs, 100, 200
// and so on, and the first tight one is taken, or else the one of all runs.
func stopped(share float64, width, most int) (holds float64) {
	open := map[int]float64{0: 1} // how likely each number of hits is, where it continues
	for n, more := 0, 50; len(open) > 0; more = n {
		more = min(more, most-n)
		n += more
		next := map[int]float64{}
		for hits := range more + 1 {
			if p := binomial(hits, more, share); p > 1e-9 {
				for k, q := range open {
					next[k+hits] += p * q
				}
			}
		}
		for k, p := range next {
			if n < most && !stats.Tight(k, n, width) {
				continue
			}
			if i := stats.Wilson(k, n, 0.95); i.Low <= share && share <= i.High {
				holds += p
			}
			delete(next, k)
		}
		open = next
	}
	return holds
}

// A cell that ends early is looked at more than once, and ends when its interval happens to be narrow. campaign.Rule
// states the cost.
func TestEarlyEndCostsAnIntervalLittle(t *testing.T) {
	least := 1.0
	for _, c := range []struct{ width, most int }{{10_000, 1600}, {50_000, 3200}, {100_000, 1600}} {
		sum, n := 0.0, 0
		for share := float64(c.width) / 1e6 / 100; share < 0.5; share *= 1.25 {
			holds := stopped(share, c.width, c.most)
			least, sum, n = min(least, holds), sum+holds, n+1
		}
		if mean := sum / float64(n); mean < 0.95 {
			t.Errorf("no wider than %d millionths: it holds %v of the shares on average", c.width, mean)
		}
	}
	if least < 0.91 || least > 0.94 {
		t.Errorf("it holds %v of the time for the worst share; want 0.91", least)
	}
}
