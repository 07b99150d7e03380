package stats

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mathext"
)

// An Interval is a range of shares, from 0 to 1, both ends included.
type Interval struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// Confidence is how sure the intervals of reports are.
const Confidence = 0.95

// ClopperPearson returns the exact interval of Clopper and Pearson (1934) for k of n, with half of what is left of the
// confidence beyond either end. Without any run it is everything.
func ClopperPearson(k, n int, confidence float64) Interval {
	mustCount(k, n)
	tail, i := (1-confidence)/2, Interval{0, 1}
	if k > 0 {
		i.Low = mathext.InvRegIncBeta(float64(k), float64(n-k+1), tail)
	}
	if k < n {
		i.High = mathext.InvRegIncBeta(float64(k+1), float64(n-k), 1-tail)
	}
	return i
}

func mustCount(k, n int) {
	if k < 0 || k > n {
		panic(fmt.Sprintf("stats: %d of %d is not a share", k, n))
	}
}

// Unsure returns the exact interval at 95% for k of n, if it is unknown whether some more count. It begins where it
// does if no unknown one counts, and ends where it does if all do. Leaving them out would assume that they are like the others;
// but a run may have been cut short just because something broke.
func Unsure(k, unknown, n int) Interval {
	return Interval{ClopperPearson(k, n, Confidence).Low, ClopperPearson(k+unknown, n, Confidence).High}
}

// Confident follows an interval of a claim.
const Confident = " at 95% confidence"

// Percent writes a share for people to read, such as "12.5%". It has one decimal, or enough for two digits of the
// share, or of its distance to 100%: "0.37%" and "99.63%". Further digits are noise, and might differ between
// machines.
func Percent(share float64) string {
	share = min(share, 1)
	decimals := 1
	if least := 100 * min(share, 1-share); 0 < least && least < 1 {
		decimals = 1 - int(math.Floor(math.Log10(least)))
	}
	return strings.TrimSuffix(strconv.FormatFloat(100*share, 'f', decimals, 64), ".0") + "%"
}

// Round returns a share with six digits that count, for files: so the last bits of the arithmetic of one machine are no
// part of them.
func Round(share float64) float64 {
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(share, 'g', 6, 64), 64)
	return rounded
}

// Rounded returns the interval with rounded ends, for files.
func (i Interval) Rounded() Interval { return Interval{Round(i.Low), Round(i.High)} }

// Sums are the sums for the interval of a ratio of two counts, hits and trials, that every run has. Trials of one run
// are not independent: runs are the sample, not trials. So it is no Count, which has one verdict for each run.
type Sums struct {
	Runs, Hits, Trials int
	hitsHits           int // the squares of the runs' hits, added up
	hitsTrials         int // hits times trials
	trialsTrials       int // the squares of the trials
}

// Add adds a run. The sums are whole numbers, so its place among the runs does not matter.
func (s *Sums) Add(hits, trials int) {
	s.Runs++
	s.Hits += hits
	s.Trials += trials
	s.hitsHits += hits * hits
	s.hitsTrials += hits * trials
	s.trialsTrials += trials * trials
}

// Interval returns the ratio of hits to trials as an interval: the estimate by linearization (Cochran, Sampling
// Techniques, section 6), with the normal distribution. Without hits there is no scatter to estimate from; then it is
// the exact interval for that number of trials, as if they were independent.
func (s Sums) Interval(confidence float64) Interval {
	if s.Hits == 0 || s.Runs < 2 {
		return ClopperPearson(min(s.Hits, s.Trials), s.Trials, confidence)
	}
	runs, ratio := float64(s.Runs), float64(s.Hits)/float64(s.Trials)
	scatter := float64(s.hitsHits) - 2*ratio*float64(s.hitsTrials) + ratio*ratio*float64(s.trialsTrials)
	mean := float64(s.Trials) / runs
	half := mathext.NormalQuantile((1+confidence)/2) * math.Sqrt(max(scatter, 0)/(runs*(runs-1))) / mean
	return Interval{max(ratio-half, 0), ratio + half}
}

// An Estimate is what runs show of a number: a share with its interval at 95%, or the quartiles of a figure. It is its JSON;
// null where no run shows it.
type Estimate struct {
	Middle *float64 `json:"middle"` // the share, or the median
	Low    *float64 `json:"low"`
	High   *float64 `json:"high"`
}

// Estimate returns the share of runs in which it is violated.
func (c Count) Estimate() Estimate {
	if c.Runs == 0 {
		return Estimate{}
	}
	return estimate(c.Share(), c.Exact())
}

// Estimate returns the ratio of hits to trials.
func (s Sums) Estimate() Estimate {
	if s.Runs == 0 {
		return Estimate{}
	}
	return estimate(float64(s.Hits)/float64(max(s.Trials, 1)), s.Interval(Confidence))
}

func estimate(share float64, i Interval) Estimate {
	share, i = Round(share), i.Rounded()
	return Estimate{&share, &i.Low, &i.High}
}

// Quartiles returns the quartiles of ascending values in a unit; times says how often each was seen.
func Quartiles(values []int64, times []int, unit int) (e Estimate) {
	runs := 0
	for _, n := range times {
		runs += n
	}
	for i, into := range []**float64{&e.Low, &e.Middle, &e.High} {
		rank := (runs*(i+1) + 3) / 4
		for k, v := range values {
			if rank -= times[k]; rank <= 0 {
				n := float64(v) / float64(unit)
				*into = &n
				break
			}
		}
	}
	return e
}
