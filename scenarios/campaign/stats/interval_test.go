package stats_test

import (
	"fmt"
	"math"
	"strconv"
	"testing"

	"github.com/lockstorm/lockstorm/scenarios/campaign/stats"
	"github.com/lockstorm/lockstorm/sim"
)

func near(got, want, within float64) bool { return math.Abs(got-want) <= within }

// Brown, Cai and DasGupta, "Interval Estimation for a Binomial Proportion" (2001), and the rule of three made exact:
// 1 - 0.025^(1/n).
func TestClopperPearsonMatchesPublishedValues(t *testing.T) {
	for _, c := range []struct {
		k, n      int
		low, high float64
	}{
		{0, 1000, 0, 0.0036821},
		{0, 10, 0, 0.3084971},
		{10, 10, 0.6915029, 1},
		{1, 10, 0.0025286, 0.4450161},
		{5, 10, 0.1870860, 0.8129140},
		{1000, 1000, 1 - 0.0036821, 1},
	} {
		i := stats.ClopperPearson(c.k, c.n, 0.95)
		if !near(i.Low, c.low, 5e-8) || !near(i.High, c.high, 5e-8) {
			t.Errorf("%d of %d: %v; want %v to %v", c.k, c.n, i, c.low, c.high)
		}
	}
	for _, n := range []int{1, 7, 1_000_000, 100_000_000} {
		want := -math.Expm1(math.Log(0.025) / float64(n))
		if i := stats.ClopperPearson(0, n, 0.95); i.Low != 0 || !near(i.High/want, 1, 1e-6) {
			t.Errorf("0 of %d: %v; want 0 to %v", n, i, want)
		}
	}
}

func TestIntervalsHoldTheShareAndNeverLeaveZeroToOne(t *testing.T) {
	for n := range 60 {
		for k := range n + 1 {
			i, share := stats.ClopperPearson(k, n, 0.95), float64(k)/float64(max(n, 1))
			if i.Low < 0 || i.High > 1 || i.Low > share || i.High < share || k == 0 && i.Low != 0 || k == n && i.High != 1 {
				t.Errorf("%d of %d: %v", k, n, i)
			}
		}
	}
}

// covered returns how often the interval covers the share, exactly: the sum over all numbers of successes in which it
// does.
func covered(interval func(k, n int, confidence float64) stats.Interval, n int, share float64) (sum float64) {
	for k := range n + 1 {
		if i := interval(k, n, 0.95); i.Low <= share && share <= i.High {
			sum += binomial(k, n, share)
		}
	}
	return sum
}

// binomial returns the probability of k of n.
func binomial(k, n int, share float64) float64 {
	a, _ := math.Lgamma(float64(n + 1))
	b, _ := math.Lgamma(float64(k + 1))
	c, _ := math.Lgamma(float64(n - k + 1))
	return math.Exp(a - b - c + float64(k)*math.Log(share) + float64(n-k)*math.Log1p(-share))
}

func TestClopperPearsonNeverCoversLessThanItSays(t *testing.T) {
	for _, n := range []int{5, 20, 100, 300} {
		for i := 1; i < 200; i++ {
			share := float64(i) / 200
			if c := covered(stats.ClopperPearson, n, share); c < 0.95-1e-9 {
				t.Errorf("with %d runs, a share of %v is covered %v of the time", n, share, c)
			}
		}
	}
}

// The same by throwing the dice: with a share of 0.003, of 2,000 campaigns of 500 runs.
func TestCoverageBySimulation(t *testing.T) {
	c := sim.NewChance(1, "coverage")
	holds := 0
	for range 2000 {
		k := 0
		for range 500 {
			if c.Hit(3000) {
				k++
			}
		}
		if i := stats.ClopperPearson(k, 500, 0.95); i.Low <= 0.003 && 0.003 <= i.High {
			holds++
		}
	}
	if holds < 1900 {
		t.Errorf("it covers %d of 2000", holds)
	}
}

func ExampleCount_Claim() {
	for _, n := range []stats.Count{{Runs: 1_000_000}, {Violated: 3, Runs: 200}, {Violated: 3, Unknown: 5, Runs: 200}} { // five may have been more
		fmt.Println(n.Claim(strconv.Itoa))
	}
	fmt.Println(stats.Count{Violated: 1500, Runs: 1500}.Claim(func(n int) string { return fmt.Sprintf("<%d>", n) }))
	// Output:
	// 0 of 1000000: below 0.00037% at 95% confidence
	// 3 of 200: between 0.31% and 4.3% at 95% confidence
	// 3 of 200, 5 unknown: between 0.31% and 7.7% at 95% confidence
	// <1500> of <1500>: above 99.75% at 95% confidence
}

func ExampleCount_Planned() {
	for _, n := range []stats.Count{{Violated: 300, Runs: 300}, {Runs: 300}, {Violated: 1, Runs: 1}, {Violated: 299, Runs: 300}, {Unknown: 1, Runs: 300}, {}} {
		fmt.Printf("%s: %q\n", n, n.Planned(strconv.Itoa))
	}
	// Output:
	// 300 of 300: "shown by one run, the same in 300 seeds"
	// 0 of 300: "shown by one run, the same in 300 seeds"
	// 1 of 1: "shown by one run"
	// 299 of 300: ""
	// 0 of 300, 1 unknown: ""
	// 0 of 0: ""
}

func TestShareHasSignificantDigits(t *testing.T) {
	for share, want := range map[float64]string{0: "0%", 1: "100%", 0.0036821: "0.37%", 1.8444e-05: "0.0018%", 0.5: "50%",
		0.265: "26.5%", 0.9963179: "99.63%", 0.95: "95%", 0.99998156: "99.9982%", 1.01: "100%"} {
		if got := stats.Percent(share); got != want {
			t.Errorf("%v: %s, want %s", share, got, want)
		}
	}
}
