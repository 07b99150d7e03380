package checker

import (
	"strconv"
	"time"

	"github.com/lockstorm/lockstorm/clock"
)

// interval returns the beginning of a sentence with the interval of a witness: From 10.204s to 15.012s. If both ends would
// read alike, they are written to the nanosecond.
func interval(w Witness) string {
	if w.To != clock.Forever && w.From != w.To && seconds(w.From) == seconds(w.To) {
		return "From " + decimal(w.From, 9) + " to " + decimal(w.To, 9)
	}
	return "From " + seconds(w.From) + to(w.To)
}

// to returns the end of an interval: " to 15.012s", or " on" when it has no end.
func to(t clock.Instant) string {
	if t == clock.Forever {
		return " on"
	}
	return " to " + seconds(t)
}

// seconds returns t in seconds, rounded to the microsecond.
func seconds(t clock.Instant) string { return decimal(t, 6) }

// decimal returns t in seconds with at most so many decimals, without trailing zeros. It computes in integers, because a
// float would round twice.
func decimal(t clock.Instant, places int) string {
	if t == clock.Forever {
		return "for ever"
	}
	unit := clock.Instant(time.Second)
	for range places {
		unit /= 10
	}
	n := t / unit
	if t%unit*2 >= unit {
		n++
	}
	digits := strconv.FormatInt(int64(n), 10)
	for len(digits) <= places {
		digits = "0" + digits
	}
	whole, rest := digits[:len(digits)-places], digits[len(digits)-places:]
	for rest != "" && rest[len(rest)-1] == '0' {
		rest = rest[:len(rest)-1]
	}
	if rest != "" {
		rest = "." + rest
	}
	return whole + rest + "s"
}
