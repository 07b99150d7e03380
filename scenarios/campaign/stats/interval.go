package stats

import (
	"fmt"
	"math"
	"strconv"

	"gonum.org/v1/gonum/mathext"
)

// An Interval is a range of shares, from 0 to 1, both ends included.
type Interval struct {
	Low, High float64
}

// Confidence is how sure the intervals of reports are.
const Confidence = 0.95

// Wilson returns the score interval of Wilson (1927) for k of n. Without any run it is everything.
func Wilson(k, n int, confidence float64) Interval {
	mustCount(k, n)
	if n == 0 {
		return Interval{0, 1}
	}
	z := mathext.NormalQuantile((1 + confidence) / 2)
	runs, share, z2 := float64(n), float64(k)/float64(n), z*z
	middle := (share + z2/(2*runs)) / (1 + z2/runs)
	half := z / (1 + z2/runs) * math.Sqrt(share*(1-share)/runs+z2/(4*runs*runs))
	i := Interval{max(middle-half, 0), min(middle+half, 1)}
	if k == 0 { // where rounding would leave a trace
		i.Low = 0
	}
	if k == n {
		i.High = 1
	}
	return i
}

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

// Unsure returns an interval at 95 % for k of n, where nobody knows of so many more whether they count: it begins where it
// does if none of them counts, and ends where it does if all do. To leave them out would be to take it that they are like
// the others; but a run that is cut short may be so just because something broke.
func Unsure(interval func(k, n int, confidence float64) Interval, k, unknown, n int) Interval {
	return Interval{interval(k, n, Confidence).Low, interval(k+unknown, n, Confidence).High}
}

// Show returns a share with two digits that count: what comes after them is noise, and might differ between machines. Close
// to 1, the digits that count are those of what is missing: 0.9963, which must not read as 1.
func Show(share float64) string {
	if missing := 1 - share; 0 < missing && missing < 0.1 {
		return strconv.FormatFloat(share, 'f', 1-int(math.Floor(math.Log10(missing))), 64)
	}
	return strconv.FormatFloat(share, 'g', 2, 64)
}

// Round returns a share with six digits that count, for files: so the last bits of the arithmetic of one machine are no
// part of them.
func Round(share float64) float64 {
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(share, 'g', 6, 64), 64)
	return rounded
}
