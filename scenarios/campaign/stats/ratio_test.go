package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Runs of ten trials each: in one run of ten all trials are hits. A run's trials depend on each other, so the interval
// must be wider than for independent trials, and it must cover the truth about as often as it claims.
func TestARatioIsJudgedByTheScatterOfTheRuns(t *testing.T) {
	chance := rand.New(rand.NewPCG(1, 2))
	covered, rounds := 0, 1000
	for range rounds {
		var s Sums
		for range 300 {
			hits := 0
			if chance.IntN(10) == 0 {
				hits = 10
			}
			s.Add(hits, 10)
		}
		i := s.Interval(Confidence)
		if i.Low <= 0.1 && 0.1 <= i.High {
			covered++
		}
		if w := ClopperPearson(s.Hits, s.Trials, Confidence); i.High-i.Low < 2*(w.High-w.Low) {
			t.Fatalf("%v is hardly wider than %v, that of independent trials", i, w)
		}
	}
	if share := float64(covered) / float64(rounds); share < 0.92 || share > 0.98 {
		t.Errorf("the interval covers the truth %d times of %d", covered, rounds)
	}
}

// Where each trial is a separate run, it is the plain interval of a share.
func TestARatioOfSingleTrialsIsAShare(t *testing.T) {
	var s Sums
	for n := range 400 {
		s.Add(n%4/3, 1)
	}
	half := 1.959964 * math.Sqrt(0.25*0.75/399)
	if i := s.Interval(Confidence); math.Abs(i.Low-0.25+half) > 1e-6 || math.Abs(i.High-0.25-half) > 1e-6 {
		t.Errorf("%v, want 0.25 ± %v", i, half)
	}
}

func TestARatioWithoutHitsHasABoundAllTheSame(t *testing.T) {
	s := Sums{Runs: 10, Trials: 100}
	if i, want := s.Interval(Confidence), ClopperPearson(0, 100, Confidence); i != want {
		t.Errorf("%v, want %v", i, want)
	}
}
