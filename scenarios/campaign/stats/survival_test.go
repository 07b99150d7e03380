package stats_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/lockstorm/lockstorm/scenarios/campaign/stats"
)

// The trial of 6-mercaptopurine in leukaemia (Freireich and others, 1963): the weeks of remission of the 21 treated
// patients; 12 were last seen in remission. The survivals are those in Cox and Oakes, "Analysis of Survival Data"
// (1984); SAS and R print the bands for the log-log transformation.
func TestKaplanMeierMatchesFreireichsPublishedSurvivals(t *testing.T) {
	lives := []stats.Moment{
		{6, 3, 1}, {7, 1, 0}, {9, 0, 1}, {10, 1, 1}, {11, 0, 1}, {13, 1, 0}, {16, 1, 0}, {17, 0, 1}, {19, 0, 1}, {20, 0, 1},
		{22, 1, 0}, {23, 1, 0}, {25, 0, 1}, {32, 0, 2}, {34, 0, 1}, {35, 0, 1},
	}
	var events []stats.Step
	for _, s := range stats.KaplanMeier(lives, 0.95) {
		if s.Events > 0 {
			events = append(events, s)
		}
	}
	want := []struct {
		time                int64
		atRisk              int
		survival, low, high float64
	}{
		{6, 21, 0.8571, 0.6197, 0.9516},
		{7, 17, 0.8067, 0.5631, 0.9228},
		{10, 15, 0.7529, 0.5032, 0.8894},
		{13, 12, 0.6902, 0.4316, 0.8491},
		{16, 11, 0.6275, 0.3675, 0.8049},
		{22, 7, 0.5378, 0.2678, 0.7468},
		{23, 6, 0.4482, 0.1881, 0.6801},
	}
	if len(events) != len(want) {
		t.Fatalf("%d times of events; want %d", len(events), len(want))
	}
	for i, w := range want {
		g := events[i]
		if g.Time != w.time || g.AtRisk != w.atRisk || !near(g.Survival, w.survival, 6e-5) || !near(g.Band.Low, w.low, 6e-5) || !near(g.Band.High, w.high, 6e-5) {
			t.Errorf("%+v; want %+v", g, w)
		}
	}
}

// If no life is lost sight of, the share that survives is the share that is left.
func TestWithoutCensoringSurvivalIsTheShareThatIsLeft(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		times := rapid.SliceOfN(rapid.Int64Range(0, 20), 1, 40).Draw(t, "times")
		slices.Sort(times)
		var lives []stats.Moment
		for _, at := range times {
			if len(lives) == 0 || lives[len(lives)-1].Time != at {
				lives = append(lives, stats.Moment{Time: at})
			}
			lives[len(lives)-1].Events++
		}
		before := stats.Interval{Low: 1, High: 1}
		for _, s := range stats.KaplanMeier(lives, 0.95) {
			left := 0
			for _, at := range times {
				if at > s.Time {
					left++
				}
			}
			if want := float64(left) / float64(len(times)); !near(s.Survival, want, 1e-12) {
				t.Fatalf("at %d: %v; want %v", s.Time, s.Survival, want)
			}
			if s.Band.Low < 0 || s.Band.High > 1 || s.Band.Low > s.Survival || s.Band.High < s.Survival || s.Band.High > before.High {
				t.Fatalf("at %d: the band %v does not hold %v, or rises from %v", s.Time, s.Band, s.Survival, before)
			}
			before = s.Band
		}
	})
}

// Efron's view: a life that is lost sight of shares its weight among the lives left to the right of it.
func TestSurvivalIsEfronsRedistributionToTheRight(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 30).Draw(t, "n")
		var lives []stats.Moment
		for i := range n { // at different times
			event := rapid.IntRange(0, 1).Draw(t, "event")
			lives = append(lives, stats.Moment{Time: int64(i), Events: event, Censored: 1 - event})
		}
		weight, lost := 1/float64(n), 0.0
		for i, s := range stats.KaplanMeier(lives, 0.95) {
			if lives[i].Events == 1 {
				lost += weight
			} else {
				weight += weight / float64(n-i-1)
			}
			if !near(s.Survival, 1-lost, 1e-9) {
				t.Fatalf("after %d of %d: %v; want %v", i+1, n, s.Survival, 1-lost)
			}
		}
	})
}

func TestKaplanMeierOfNothingAndOfNoEvents(t *testing.T) {
	if s := stats.KaplanMeier(nil, 0.95); len(s) != 0 {
		t.Error(s)
	}
	if s := stats.KaplanMeier([]stats.Moment{{5, 0, 7}}, 0.95); s[0].Survival != 1 || s[0].AtRisk != 7 {
		t.Error(s)
	}
}
