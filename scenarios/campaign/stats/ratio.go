package stats

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// Sums are what the interval of a ratio of two counts is computed from, which every run has: hits and trials. What happens in
// one run is not independent, so the runs are the sample, not the trials.
type Sums struct {
	Runs, Hits, Trials int
	HitsHits           int // the squares of the runs' hits, added up
	HitsTrials         int // hits times trials
	TrialsTrials       int // the squares of the trials
}

// Add adds a run. The sums are whole numbers, so its place among the runs does not matter.
func (s *Sums) Add(hits, trials int) {
	s.Runs++
	s.Hits += hits
	s.Trials += trials
	s.HitsHits += hits * hits
	s.HitsTrials += hits * trials
	s.TrialsTrials += trials * trials
}

// Interval returns the ratio of hits to trials as an interval: the estimate by linearization (Cochran, Sampling Techniques,
// section 6), with the normal distribution. Without a single hit there is no scatter to go by; then it is the exact one for so
// many trials, as if they were independent.
func (s Sums) Interval(confidence float64) Interval {
	if s.Hits == 0 || s.Runs < 2 {
		return ClopperPearson(min(s.Hits, s.Trials), s.Trials, confidence)
	}
	runs, ratio := float64(s.Runs), float64(s.Hits)/float64(s.Trials)
	scatter := float64(s.HitsHits) - 2*ratio*float64(s.HitsTrials) + ratio*ratio*float64(s.TrialsTrials)
	mean := float64(s.Trials) / runs
	half := mathext.NormalQuantile((1+confidence)/2) * math.Sqrt(max(scatter, 0)/(runs*(runs-1))) / mean
	return Interval{max(ratio-half, 0), ratio + half}
}
