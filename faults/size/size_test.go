package size_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/lockstorm/lockstorm/faults/size"
	"github.com/lockstorm/lockstorm/sim"
	_ "github.com/lockstorm/lockstorm/sim/simtest" // properties draw from a fixed seed
)

func parse(t *testing.T, text string) size.Dist {
	t.Helper()
	d, err := size.Parse(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return d
}

// TestQuantilesFollowTheFormulas compares the tables with distribution functions, which invert what the tables are made
// by.
func TestQuantilesFollowTheFormulas(t *testing.T) {
	ms := func(x float64) float64 { return x / float64(time.Millisecond) }
	for text, cdf := range map[string]func(x float64) float64{ // each in milliseconds
		"uniform(1ms,10s)":     func(x float64) float64 { return (x - 1) / 9999 },
		"loguniform(1ms,10s)":  func(x float64) float64 { return math.Log10(x) / 4 },
		"exponential(20ms,1s)": func(x float64) float64 { return (1 - math.Exp(-x/20)) / (1 - math.Exp(-50)) },
		"weibull(20ms,0.7,10s)": func(x float64) float64 {
			return (1 - math.Exp(-math.Pow(x/20, 0.7))) / (1 - math.Exp(-math.Pow(500, 0.7)))
		},
		"pareto(1ms,1.2,60s)": func(x float64) float64 { return (1 - math.Pow(x, -1.2)) / (1 - math.Pow(60000, -1.2)) },
		"pareto(1ms,0.1,24h)": func(x float64) float64 { return (1 - math.Pow(x, -0.1)) / (1 - math.Pow(86400000, -0.1)) },
	} {
		d := parse(t, text)
		for share := int64(1_000_000); share < size.One; share += 1_700_000 {
			want := float64(share) / size.One
			x := ms(float64(d.Quantile(share)))
			if got := cdf(x); math.Abs(got-want) > 0.002*min(want, 1-want)+0.002*want*(1-want) && math.Abs(cdf(x+0.0006)-cdf(x-0.0006)) < 1e-6 {
				t.Errorf("%s: %gms is quantile %g, and by the formula %g", text, x, want, got)
			}
		}
		for _, far := range []int64{1000, 100_000} { // one in a million, and one in ten thousand
			want, got := float64(far)/size.One, 1-cdf(ms(float64(d.Quantile(size.One-far))))
			if math.Abs(got-want) > 0.02*want+1e-7 {
				t.Errorf("%s: a share of %g is larger than the quantile of 1 - %g", text, got, want)
			}
		}
	}
}

func TestMeanFollowsTheFormulas(t *testing.T) {
	for text, want := range map[string]float64{
		"constant(3s)": 3, "uniform(1s,3s)": 2, "uniform(-1s,3s)": 1, "exponential(20ms,10s)": 0.020,
		"loguniform(1s,10s)": 9 / math.Log(10), "weibull(2s,2,1m)": 2 * math.Gamma(1.5),
		"pareto(1s,3,1h)":             1.5 * (1 - math.Pow(3600, -2)) / (1 - math.Pow(3600, -3)),
		"quantiles(0:0s,0.5:1s,1:3s)": 0.5*0.5 + 0.5*2,
		"uniform(0s,10s)[0.9..1]":     9.5,
	} {
		if got := float64(parse(t, text).Mean()) / float64(time.Second); math.Abs(got-want) > 0.002*want {
			t.Errorf("the mean of %s is %gs, want %gs", text, got, want)
		}
	}
}

// TestDrawsAreTheSameEverywhere holds draws to literal values: another one changes what a seed means.
func TestDrawsAreTheSameEverywhere(t *testing.T) {
	for text, want := range map[string]string{
		"constant(3s)":                       "3s 3s 3s 3s",
		"uniform(1ms,10s)":                   "7.327483s 9.858824s 9.431787s 3.629661s",
		"loguniform(1ms,10s)":                "853.101ms 8.780641s 5.925087s 28.296ms",
		"exponential(20ms,10s)":              "26.39ms 85.21ms 57.355ms 9.017ms",
		"weibull(20ms,0.7,10s)":              "29.72ms 158.585ms 90.088ms 6.409ms",
		"pareto(1ms,1.2,60s)":                "3.003ms 34.83ms 10.911ms 1.456ms",
		"quantiles(0:-5ppm,0.5:0ppm,1:9ppm)": "4ppm 9ppm 8ppm -1ppm",
		"pareto(1ms,1.2,60s)[0.99..1]":       "139.329ms 1.599406s 505.102ms 67.568ms",
		"uniform(1ns,9ns)":                   "6ns 8ns 8ns 3ns",
	} {
		d, c := parse(t, text), sim.NewChance(1, "size")
		var words []string
		for range 4 {
			words = append(words, d.Word(d.Draw(&c)))
		}
		if got := strings.Join(words, " "); got != want {
			t.Errorf("%s draws %s, want %s", text, got, want)
		}
	}
}

var texts = rapid.Custom(func(t *rapid.T) string {
	unit := rapid.SampledFrom([]string{"ns", "us", "ms", "s", "ppm"}).Draw(t, "unit")
	amount := func(from, to int) string { return fmt.Sprint(rapid.IntRange(from, to).Draw(t, "amount"), unit) }
	low, high := amount(1, 1000), amount(1001, 1_000_000)
	shape := fmt.Sprint(float64(rapid.IntRange(5, 1000).Draw(t, "shape")) / 100)
	text := rapid.SampledFrom([]string{
		"constant(" + low + ")", "uniform(-" + low + "," + high + ")", "loguniform(" + low + "," + high + ")",
		"exponential(" + low + "," + high + ")", "weibull(" + low + "," + shape + "," + high + ")",
		"pareto(" + low + "," + shape + "," + high + ")", "quantiles(0:-" + low + ",0.25:" + low + ",0.999999999:" + high + ",1:" + high + ")",
	}).Draw(t, "text")
	if rapid.Bool().Draw(t, "part") {
		from := rapid.IntRange(0, 998).Draw(t, "from")
		text += fmt.Sprintf("[0.%03d..0.%03d]", from, rapid.IntRange(from+1, 999).Draw(t, "to"))
	}
	return text
})

func TestTextRoundTrips(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d, err := size.Parse(texts.Draw(t, "dist"))
		if err != nil {
			t.Fatal(err)
		}
		again, err := size.Parse(d.String())
		if err != nil || again.String() != d.String() || again.Quantile(size.One/3) != d.Quantile(size.One/3) || again.Mean() != d.Mean() {
			t.Fatalf("%s is read as %s (%v)", d, again, err)
		}
	})
}

func TestDrawsStayBetweenTheEndsAndQuantilesRise(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d, err := size.Parse(texts.Draw(t, "dist"))
		if err != nil {
			t.Fatal(err)
		}
		c := sim.NewChance(rapid.Uint64().Draw(t, "seed"), "size")
		for range 20 {
			if n := d.Draw(&c); n < d.Quantile(0) || n > d.Quantile(size.One) {
				t.Fatalf("%s draws %s", d, d.Word(n))
			}
		}
		last := d.Quantile(0)
		for share := int64(0); share < size.One; share += size.One / 97 {
			if n := d.Quantile(share); n < last {
				t.Fatalf("%s: the quantile of %d falls to %s", d, share, d.Word(n))
			} else {
				last = n
			}
		}
		if mean := d.Mean(); mean < d.Quantile(0)-500 || mean > d.Quantile(size.One)+500 {
			t.Fatalf("the mean of %s is %s", d, d.Word(mean))
		}
	})
}

// TestPartsAddUp is what strata need: parts that follow each other, weighted by their shares, have the mean of the
// whole, meet at their ends, and each draws what the whole draws.
func TestPartsAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d, err := size.Parse(texts.Draw(t, "dist"))
		if err != nil {
			t.Fatal(err)
		}
		ends := []int64{0, size.One / 2, size.One * 9 / 10, size.One * 99 / 100, size.One}
		sum := 0.0
		for i, hi := range ends[1:] {
			part := d.Within(ends[i], hi)
			sum += float64(part.Mean()) * float64(hi-ends[i]) / size.One
			if a, b := part.Quantile(size.One), d.Quantile(hi); a != b {
				t.Fatalf("%s ends at %d, and the whole is %d there", part, a, b)
			}
			if again, err := size.Parse(part.String()); err != nil || again.Quantile(size.One/3) != part.Quantile(size.One/3) {
				t.Fatalf("%s is read as %s: %v", part, again, err)
			}
		}
		if mean := float64(d.Mean()); math.Abs(sum-mean) > 2+math.Abs(mean)/1e6 {
			t.Fatalf("the parts of %s have the mean %g, and the whole %g", d, sum, mean)
		}
	})
}

func TestErrorsHaveAColumn(t *testing.T) {
	for text, want := range map[string]string{
		"":                               "at 1: \"\" is no distribution such as uniform(1ms,10s)",
		"3s":                             "at 1: \"3s\" is no distribution such as uniform(1ms,10s)",
		"unifrom(1s,2s)":                 "at 1: there is no distribution \"unifrom\"; did you mean uniform?",
		"zipf(1s,2s)":                    "at 1: there is no distribution \"zipf\"; there are constant, uniform, loguniform, exponential, weibull, pareto, quantiles",
		"uniform(1s,2s":                  "at 14: the closing parenthesis of uniform( is missing",
		"uniform(1s)":                    "at 11: uniform lacks a most such as 10s",
		"exponential(20ms)":              "at 17: exponential lacks a most such as 10s",
		"uniform(1s,2s,3s)":              "at 15: uniform has no more than 2: a least amount such as 1ms, a most such as 10s",
		"uniform(2s,1s)":                 "at 12: 1s is not more than 2s; give a most such as 10s",
		"uniform(1s,200ppm)":             "at 12: 200ppm and what comes before it are of two units; give times, or ppm",
		"uniform(1,2)":                   "at 9: \"1\" is not a least amount such as 1ms; it has no unit: write 1ms, 1s or 1ppm",
		"uniform(1ms,100000h)":           "at 13: 100000h is too much; give at most 87660h0m0s",
		"loguniform(0s,1s)":              "at 12: 0s is not positive; loguniform needs a least amount such as 1ms",
		"pareto(-1s,1.2,60s)":            "at 8: -1s is not positive; pareto needs a least amount such as 1ms",
		"pareto(1ms,none,60s)":           "at 12: \"none\" is not a shape such as 1.2, from 0.05 to 100",
		"pareto(1ms,1e9,60s)":            "at 12: \"1e9\" is not a shape such as 1.2, from 0.05 to 100",
		"quantiles(0:1ms,0.5:3ms,1:2ms)": "at 25: the quantiles fall from 3ms to 2ms",
		"quantiles(0:1ms,0.5:3ms)":       "at 24: the last quantile is missing: that of 1, the most",
		"quantiles(0.1:1ms,1:3ms)":       "at 11: the first quantile is that of 0.1; begin with 0, the least amount",
		"quantiles(0:1ms,0.5,1:3ms)":     "at 17: \"0.5\" is not a quantile such as 0.99:80ms",
		"quantiles(0:1ms,1.5:3ms)":       "at 17: \"1.5\" is not a share from 0 to 1, with at most nine digits after the point",
		"quantiles(0:1ms,0:3ms)":         "at 17: 0 does not come after 0; list quantiles from 0 to 1",
		"constant(3s)x":                  "at 13: \"x\" is no part such as [0.99..1]",
		"constant(3s)[0.9..0.1]":         "at 13: nothing lies between 0.9 and 0.1",
		"constant(3s)[0.9]":              "at 13: \"[0.9]\" is no part such as [0.99..1]",
	} {
		d, err := size.Parse(text)
		if err == nil {
			t.Errorf("%q is read as %s", text, d)
		} else if err.Error() != want {
			t.Errorf("%q:\n%v\nwant\n%s", text, err, want)
		}
	}
}
