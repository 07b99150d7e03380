package stats

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/lockstorm/lockstorm/checker"
)

// A Count is how many of some runs violate something, and how many were cut short, so that the answer is unknown.
type Count struct {
	Violated int `json:"violated"`
	Unknown  int `json:"unknown"`
	Runs     int `json:"runs"` // all of them
}

// Add counts a run with a verdict.
func (c *Count) Add(v checker.Verdict) {
	c.Runs++
	switch v {
	case checker.Violated:
		c.Violated++
	case checker.Unknown:
		c.Unknown++
	}
}

// Plus returns the count of the runs of both.
func (c Count) Plus(o Count) Count {
	return Count{c.Violated + o.Violated, c.Unknown + o.Unknown, c.Runs + o.Runs}
}

// Holds returns the number of runs in which it is known to hold.
func (c Count) Holds() int { return c.Runs - c.Violated - c.Unknown }

// With returns the number of runs with a verdict.
func (c Count) With(v checker.Verdict) int {
	return [...]int{checker.Holds: c.Holds(), checker.Unknown: c.Unknown, checker.Violated: c.Violated}[v]
}

// Verdict returns what the runs show: violated if any is, and unknown if one may be, or if there is no run.
func (c Count) Verdict() checker.Verdict {
	switch {
	case c.Violated > 0:
		return checker.Violated
	case c.Unknown > 0, c.Runs == 0:
		return checker.Unknown
	}
	return checker.Holds
}

// Share returns the share of runs in which it is violated. There must be a run.
func (c Count) Share() float64 { return float64(c.Violated) / float64(c.Runs) }

// Exact returns the interval of Clopper and Pearson at 95% for the share; see Unsure.
func (c Count) Exact() Interval { return Unsure(c.Violated, c.Unknown, c.Runs) }

// String returns the count in a few words, such as "3 of 20, 1 unknown".
func (c Count) String() string { return c.text(strconv.Itoa) }

func (c Count) text(write func(int) string) string {
	text := write(c.Violated) + " of " + write(c.Runs)
	if c.Unknown > 0 {
		text += ", " + write(c.Unknown) + " unknown"
	}
	return text
}

// Claim puts what can be claimed of all runs into words, such as "0 of 1000: below 0.37% at 95% confidence". Numbers of
// runs are written by write, which may group their digits.
func (c Count) Claim(write func(int) string) string {
	i, seen := c.Exact(), c.text(write)
	switch {
	case c.Runs == 0:
		return "no runs, so nothing is known"
	case c.Unknown == c.Runs:
		return seen + ": nothing is known"
	case c.Violated == 0:
		return fmt.Sprintf("%s: below %s%s", seen, Percent(i.High), Confident)
	case c.Violated+c.Unknown == c.Runs:
		return fmt.Sprintf("%s: above %s%s", seen, Percent(i.Low), Confident)
	}
	return fmt.Sprintf("%s: between %s and %s%s", seen, Percent(i.Low), Percent(i.High), Confident)
}

// Planned puts into words what runs show in which whatever goes wrong was planned, if all of them agree: "shown by one
// run, the same in 300 seeds". Seeds that change latencies are no sample of what may go wrong, so an interval would say
// nothing. If they do not agree, or are none, it returns "".
func (c Count) Planned(write func(int) string) string {
	switch {
	case c.Runs == 0, c.Unknown > 0, c.Violated%c.Runs != 0:
		return ""
	case c.Runs == 1:
		return "shown by one run"
	}
	return "shown by one run, the same in " + write(c.Runs) + " seeds"
}

// perCent returns k of n in per cent, with up to that many decimals and no sign: for cells of tables and pictures that
// say "in per cent" above. A share that is more than 0 and less than 1 never looks like either: it is "<1" or ">99". Of
// no runs it is "?".
func perCent(k, n, decimals int) string {
	if n == 0 {
		return "?"
	}
	unit := 1
	for range decimals {
		unit *= 10
	}
	parts := (200*unit*k + n) / (2 * n)
	write := func(parts int) string {
		text := strconv.Itoa(parts / unit)
		if parts%unit != 0 {
			text += strings.TrimRight(fmt.Sprintf(".%0*d", decimals, parts%unit), "0")
		}
		return text
	}
	switch {
	case k > 0 && parts == 0:
		return "<" + write(1)
	case k < n && parts == 100*unit:
		return ">" + write(parts-1)
	}
	return write(parts)
}

// PerCent returns the share of runs in which it is violated, in per cent; see the function PerCent.
func (c Count) PerCent(decimals int) string { return perCent(c.Violated, c.Runs, decimals) }

// Text returns the interval as its two ends. One of something that was never seen has only an upper end.
func (i Interval) Text(seen int) string {
	if seen == 0 {
		return "below " + Percent(i.High)
	}
	return Percent(i.Low) + " to " + Percent(i.High)
}
