package stats_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/lockstorm/lockstorm/scenarios/campaign/stats"
)

// Without a violation, 381 runs give an interval of one percent: z²/(n+z²) is 0.01 at n = 380.3. At a half it takes 9,600
// for two percent: 1.96/√n, less a little.
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

// The rule in whole numbers is that of the interval in floating point, but for the last digits.
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
