package forecast

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/lockstorm/lockstorm/scenarios/forecast/environment"
	"github.com/lockstorm/lockstorm/sim"
	"github.com/lockstorm/lockstorm/sim/simtest"
)

// paretoModel is Redlock where clients freeze, and one freeze in ten outlasts its TTL of 10 s.
func paretoModel(t *testing.T, seed uint64) *Model {
	t.Helper()
	e, err := environment.Parse("e.yaml", []byte(`title: freezes
work: {clients: 3, hold: 100ms..2s, think: 1s..10s}
network: {latency: 100µs..1ms}
causes:
- {name: freeze, strikes: pause a-client for ~, rate: 0.1..10/year, size: "pareto(1s,1,5m)", source: made up}
`))
	if err != nil {
		t.Fatal(err)
	}
	s, _, _ := Lock("redlock")
	m := &Model{Scenario: s, Environment: e, First: seed, Runs: 24, More: 3000, Workers: 2}
	if err := m.Prepare(); err != nil {
		t.Fatal(err)
	}
	m.Run()
	return m
}

// The sign of a difference is the same at each seed, or it stays open. More nodes do nothing about a client that
// freezes.
func TestHalfTheTTLCostsAndSevenNodesSaveNothing(t *testing.T) {
	seeds := []uint64{1, 1001}
	if simtest.Long {
		seeds = append(seeds, 2001, 3001, 4001)
	}
	for _, seed := range seeds {
		m := paretoModel(t, seed)
		r := m.Result()
		for _, c := range []struct {
			set  string
			want Sign
		}{{"lock.ttl=5s", More}, {"lock.ttl=30s", Less}, {"nodes=7", Open}} {
			if goOn, err := m.Change(Change{About: c.set, Set: []string{c.set}}, r); err != nil || !goOn {
				t.Fatal(goOn, err)
			}
			d := r.Changes[len(r.Changes)-1].Difference
			t.Logf("seed %d, %s: %+v", seed, c.set, d)
			if d.Sign != c.want || d.Low > d.Value || d.Value > d.High {
				t.Errorf("seed %d, %s: %+v; want %s", seed, c.set, d, c.want)
			}
		}
	}
}

// A difference is the rate now minus the rate before, also if there are more hosts to hit now.
func TestDifferenceIsTheRateNowMinusTheRateBefore(t *testing.T) {
	m := roughModel(t, "redlock, no disk", roughs[8].causes)
	m.Runs, m.Single = 15, true
	if err := m.Prepare(); err != nil {
		t.Fatal(err)
	}
	m.Run()
	for _, set := range []string{"lock.ttl=700ms", "nodes=7", "nodes=3"} {
		n, err := m.apply(Change{Set: []string{set}}, true)
		if err != nil || !n.make(n.single) {
			t.Fatal(err)
		}
		now, was, d := n.Sample(0), m.Sample(0), n.Difference(m, 1)
		now.Long, was.Long, now.Calm.Violated, was.Calm.Violated = 0, 0, 0, 0
		t.Logf("%s: %+v", set, d)
		if is := now.all().Value - was.all().Value; math.Abs(is-d.Value) > 1e-6*now.all().Value || d.Seen == 0 {
			t.Errorf("%s: %+v; want %v", set, d, is)
		}
		back := m.Difference(n, 1)
		if math.Abs(back.Value+d.Value) > 1e-6*math.Abs(d.Value) || back.Added != d.Saved || back.Hidden != d.Hidden {
			t.Errorf("%s: %+v, and the other way %+v", set, d, back)
		}
	}
}

// pairOf is a difference of one stratum: some runs broke only with the change, and some only without it.
func pairOf(rate Rate, added, saved, runs int) (more, less *Sample) {
	sample := func(n int) *Sample {
		return &Sample{Rates: []Rate{rate}, Terms: []Term{{With: -1, Part: 1, Count: counted(n, runs)}}}
	}
	return sample(added), sample(saved)
}

// The oracle is McNemar's exact test with mid-P: of the runs that differ, half would be on either side by chance. It
// and the interval agree on the sign, except close to the limit of 2.5%.
func TestSignOfADifferenceIsThatOfMcNemarsTest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		added, saved := rapid.IntRange(0, 30).Draw(t, "added"), rapid.IntRange(0, 30).Draw(t, "saved")
		rate := Rate{1, rapid.SampledFrom([]float64{1, 10, 100}).Draw(t, "factor")}
		more, less := pairOf(rate, added, saved, 20_000)
		e := more.minus(less, 1)
		p := midP(min(added, saved), added+saved)
		signed := e.Low > 0 || e.High < 0
		if p < 0.015 && !signed || p > 0.035 && signed {
			t.Fatalf("%d added, %d saved: %+v, and one side has %v", added, saved, e, p)
		}
		if signed && (added > saved) != (e.Low > 0) || e.Value*float64(added-saved) < 0 {
			t.Fatalf("%d added, %d saved: %+v", added, saved, e)
		}
		if (e.Value == 0) != (added == saved) || math.Abs(e.Mean-e.Value*rate.Mean()/rate.Middle()) > 1e-12 {
			t.Fatalf("%d added, %d saved: %+v", added, saved, e)
		}
	})
}

// midP returns the chance that at most k of n fair coins show heads; half of the chance that k do is left out.
func midP(k, n int) (p float64) {
	ways := math.Pow(0.5, float64(n))
	for i := 0; i <= k; i++ {
		if p += ways; i == k {
			p -= ways / 2
		}
		ways *= float64(n-i) / float64(i+1)
	}
	return p
}

// Several looks at one difference make its interval wider, and a change of no effect is said to have one in at most 5%
// of 400 worlds, although each look could say so.
func TestLooksDoNotInventSigns(t *testing.T) {
	const repetitions = 400
	c, signs := sim.NewChance(5, "looks"), 0
	for range repetitions {
		added, saved := 0, 0
		for look := 1; look <= looks; look++ {
			for range 40 << look {
				switch u := uniform(&c); {
				case u < 0.1:
					added++
				case u < 0.2:
					saved++
				}
			}
			more, less := pairOf(Rate{1, 100}, added, saved, 40<<(look+1)-80)
			if e := more.minus(less, looks); e.Low > 0 || e.High < 0 {
				signs++
				break
			}
		}
	}
	if t.Logf("%d of %d", signs, repetitions); signs*20 > repetitions {
		t.Errorf("%d of %d changes without an effect have a sign", signs, repetitions)
	}
}

// The oracle draws rates and averages. A rate over two powers of ten has a mean of twice its middle, and the mean of
// its square is sixteen times the square of its middle.
func TestMeanIsTheAverageOverRates(t *testing.T) {
	if f := (Rate{0.1, 10}).Mean(); math.Abs(f-1.994) > 0.001 {
		t.Errorf("the mean of 0.1 to 10 is %v", f)
	}
	rapid.Check(t, func(t *rapid.T) {
		var s Sample
		for i := range 2 {
			low := rapid.Float64Range(0.1, 5).Draw(t, "low")
			s.Rates = append(s.Rates, Rate{low, low * rapid.Float64Range(1, 8).Draw(t, fmt.Sprint("factor", i))})
		}
		for _, with := range []int{-1, 0, 1} {
			broke := rapid.IntRange(0, 100).Draw(t, "broke")
			s.Terms = append(s.Terms, Term{With: with, Part: 1, Window: 0.1, Count: counted(broke, 100)})
		}
		c, p := sim.NewChance(rapid.Uint64Range(0, 1000).Draw(t, "seed"), "mean"), s.observed()
		const n = 20_000
		average, square := 0.0, 0.0
		for range n {
			rates := s.possible(&c)
			got := s.sum(at(rates), p)
			average, square = average+got.all()/n, square+got.all()*got.all()/n
		}
		mean := s.sum(s.expected, p)
		if off := math.Abs(mean.all() - average); off > 1e-9+6*math.Sqrt(max(square-average*average, 0)/n) {
			t.Fatalf("%+v: %v; drawn %v", s, mean.all(), average)
		}
	})
}
