package size_test

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/faults/size"
	"github.com/lockstorm/lockstorm/sim"
)

func line(t *testing.T, text string) size.Line {
	t.Helper()
	l, err := size.ParseLine(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return l
}

// TestLinesDrawTheSameEverywhere holds draws to literal schedules: other ones change what a seed means.
func TestLinesDrawTheSameEverywhere(t *testing.T) {
	for text, want := range map[string]string{
		"at 2s pause c1 for ~loguniform(10ms,1m)":                                      "at 2s for 40.643ms pause c1",
		"when any acquired +~uniform(0s,10s) restart a-node for ~weibull(20s,0.7,10m)": "when any acquired +1.611676s restart a-node for 50.74409s",
		"at ~uniform(0s,30s) jump nodes +-~exponential(1s,1m)":                         "at 4.835029s jump nodes -1.918971s",
		"at ~poisson(6/1h) drift a-client ~uniform(-200ppm,200ppm) for 1m":             "at 105.4482s for 1m0s drift a-client +141ppm / at 574.278s for 1m0s drift a-client +45ppm / at 1519.2612s for 1m0s drift a-client -171ppm / at 2439.447s for 1m0s drift a-client -1ppm / at 2889.9438s for 1m0s drift a-client +179ppm / at 3559.5534s for 1m0s drift a-client -36ppm",
		"at 1s lossy c1>n1 ~uniform(100ppm,50000ppm)":                                  "at 1s lossy c1>n1 8142ppm",
		"at ~poisson(0.01/year) pause c1":                                              "",
		"at 1s jump c1 ~uniform(-1s,1s) for ~pareto(1ms,1.2,1m)[0.9..1]":               "at 1s for 33.735ms jump c1 -677.665ms",
	} {
		c := sim.NewChance(1, "line")
		s := line(t, text).Draw(&c, time.Hour, 100)
		if got := strings.ReplaceAll(strings.TrimSpace(s.String()), "\n", " / "); got != want {
			t.Errorf("%q draws\n%s\nwant\n%s", text, got, want)
		}
	}
}

// TestRatedLineIsAPoissonProcess compares how many there are, their variance, and where they lie.
func TestRatedLineIsAPoissonProcess(t *testing.T) {
	l := line(t, "at ~poisson(6/1h) pause c1 for 1s")
	const runs = 4000
	sum, squares, place := 0.0, 0.0, 0.0
	for seed := range uint64(runs) {
		c := sim.NewChance(seed, "poisson")
		s := l.Draw(&c, time.Hour, 100)
		n := float64(len(s))
		sum, squares = sum+n, squares+n*n
		for _, f := range s {
			place += float64(f.At) / float64(time.Hour)
		}
	}
	mean := sum / runs
	variance := squares/runs - mean*mean
	if math.Abs(mean-6) > 0.15 || math.Abs(variance-6) > 0.6 || math.Abs(place/sum-0.5) > 0.01 {
		t.Errorf("%g strikes in the mean with a variance of %g, at %g of the span; want 6, 6 and 0.5", mean, variance, place/sum)
	}
	if n := l.Expected(time.Hour); n != 6 {
		t.Errorf("%d are expected", n)
	}
}

// TestFaultsWithoutEffectAreLeftOut draws a drift of 0ppm, which is no fault.
func TestFaultsWithoutEffectAreLeftOut(t *testing.T) {
	l := line(t, "at 1s pause c1 for ~uniform(0us,1us)")
	struck := 0
	for seed := range uint64(100) {
		c := sim.NewChance(seed, "line")
		struck += len(l.Draw(&c, time.Second, 100))
	}
	if struck < 25 || struck > 75 {
		t.Errorf("%d of 100 strike", struck)
	}
}

func TestInvalidLinesAreRejectedWithTheirColumn(t *testing.T) {
	for text, want := range map[string]string{
		"":                                      "1: found the end of the line; want the line of a fault",
		"at 1s puase c1 for ~constant(3s)":      "7: found \"puase\"; want one of pause, suspend, crash, restart, jump, drift, slew, strobe, partition, cut, hold, slow, slow-node, lossy, stall-disk, refuse, evict; did you mean pause?",
		"at 1s pause c1 for ~constant(0s)":      "20: found \"~constant(0s)\"; want a duration such as 300ms; without “for” it lasts for the rest of the run",
		"at 1s pause c1 for ~unifrom(1s,2s)":    "21: found \"~unifrom(1s,2s)\"; want a distribution such as ~uniform(1ms,10s); there is no distribution \"unifrom\"; did you mean uniform?",
		"at 1s pause c1 for ~exponential(20ms)": "37: found \"~exponential(20ms)\"; want a distribution such as ~uniform(1ms,10s); exponential lacks a most such as 10s",
		"at 1s pause c1 for x~constant(3s)":     "20: found \"x~constant(3s)\"; want a distribution such as ~uniform(1ms,10s), with +, - or +- before the ~, or nothing",
		"at 1s pause c1 for =~constant(3s)":     "20: found \"=~constant(3s)\"; want a distribution such as ~uniform(1ms,10s), with +, - or +- before the ~, or nothing",
		"at 1s pause c1 for ~poisson(6/1h)":     "20: found \"~poisson(6/1h)\"; want poisson after “at”: it is a rate, not an amount",
		"at ~poisson(6) pause c1":               "13: found \"~poisson(6)\"; want a rate such as ~poisson(6/1h) or ~poisson(0.5/day)",
		"at ~poisson(6/0s) pause c1":            "13: found \"~poisson(6/0s)\"; want a rate such as ~poisson(6/1h) or ~poisson(0.5/day)",
		"at ~poisson(-6/1h) pause c1":           "13: found \"~poisson(-6/1h)\"; want a rate such as ~poisson(6/1h) or ~poisson(0.5/day)",
		"at ~poisson(6/1h pause c1":             "13: found \"~poisson(6/1h\"; want a rate such as ~poisson(6/1h) or ~poisson(0.5/day)",
		"at ~uniform(1ppm,5ppm) pause c1":       "4: found \"~uniform(1ppm,5ppm)\"; want an instant such as 1.2s",
		"at 1s drift c1 ~constant(1s)":          "16: found \"~constant(1s)\"; want a rate such as +800ppm",
		"at 1s jump c1 ~constant(3s)":           "15: found \"~constant(3s)\"; want a signed duration such as +11s",
		"at 1s jump c1 +~uniform(-1s,3s)":       "15: found \"+~uniform(-1s,3s)\"; want either a sign before the ~ or amounts below 0, not both",
		"at 1s lossy c1>n1 ~constant(0.5ppm)":   "19: found \"~constant(0.5ppm)\"; want a share such as 20000ppm",
		"~constant(3s)":                         "1: found \"~constant(3s)\"; want “at INSTANT” or “when HOST MARK”",
	} {
		l, err := size.ParseLine(text)
		if err == nil {
			t.Errorf("%q is read as %s", text, l)
		} else if got := at(err); got != want {
			t.Errorf("%q:\n%s\nwant\n%s", text, got, want)
		}
	}
}

// at returns an error with its column.
func at(err error) string {
	var wrong *faults.SyntaxError
	if errors.As(err, &wrong) {
		return strconv.Itoa(wrong.Column) + ": " + err.Error()
	}
	return err.Error()
}
