package stats_test

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"github.com/lockstorm/lockstorm/scenarios/campaign/stats"
)

// Fisher's own example, "The Design of Experiments" (1935), chapter II: a lady sorts eight cups of tea, and four had
// the milk first. All four right happens by chance once in 70, three or four right 17 times in 70.
func TestFisherMatchesPublishedValues(t *testing.T) {
	for _, c := range []struct {
		k, n, l, m int
		want       string
	}{
		{4, 4, 0, 4, "1/70"}, {3, 4, 1, 4, "17/70"}, {0, 4, 4, 4, "1/1"}, {0, 200, 0, 2000, "1/1"},
		{1, 1, 0, 10, "1/11"}, {2, 2, 0, 10, "1/66"},
		{9, 12, 1, 12, "2706/1961256"}, // the dieting students of textbooks: 0.001379728
	} {
		want, _ := new(big.Rat).SetString(c.want)
		if got := stats.Fisher(c.k, c.n, c.l, c.m); got.Cmp(want) != 0 {
			t.Errorf("%d of %d against %d of %d: %s, want %s", c.k, c.n, c.l, c.m, got, c.want)
		}
	}
}

// The definition, by trying every way to choose which are of the kind.
func TestFisherIsTheShareOfAllWaysToChoose(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, m := rapid.IntRange(0, 6).Draw(t, "n"), rapid.IntRange(0, 6).Draw(t, "m")
		k, l := rapid.IntRange(0, n).Draw(t, "k"), rapid.IntRange(0, m).Draw(t, "l")
		all, least := int64(0), int64(0)
		for chosen := range 1 << (n + m) {
			first, both := 0, 0
			for i := range n + m {
				if chosen>>i&1 == 1 {
					both++
					if i < n {
						first++
					}
				}
			}
			if both != k+l {
				continue
			}
			if all++; first >= k {
				least++
			}
		}
		if got, want := stats.Fisher(k, n, l, m), big.NewRat(least, all); got.Cmp(want) != 0 {
			t.Errorf("%d of %d against %d of %d: %s, want %s", k, n, l, m, got, want)
		}
	})
}
