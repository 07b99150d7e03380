package clock

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// An Instant is a moment of true time, in nanoseconds since the run began. No host can see it.
type Instant int64

// Forever is later than every other Instant: the end of anything that never ends.
const Forever Instant = math.MaxInt64

// Add returns the instant d after t. Forever stays Forever, and so does everything beyond the range.
func (t Instant) Add(d time.Duration) Instant {
	if t == Forever || d > 0 && t > Forever-Instant(d) {
		return Forever
	}
	return t + Instant(d)
}

// Sub returns the true time that passes from u to t.
func (t Instant) Sub(u Instant) time.Duration { return time.Duration(t - u) }

// String prints t in seconds, exactly and without trailing zeros: "10.2s", "0.000001s", or "forever".
// time.ParseDuration reads it back to the same nanosecond, except Forever.
func (t Instant) String() string {
	if t == Forever {
		return "forever"
	}
	return decimal(int64(t), 9) + "s"
}

// A Reading is what a Clock showed, in nanoseconds: since the Unix epoch on a wall clock, since the run began on a
// monotonic one. It has its own type, so that mixing true and local time does not compile.
type Reading int64

// Add returns the reading that shows d more than r.
func (r Reading) Add(d time.Duration) Reading { return r + Reading(d) }

// Sub returns what the clock counted from s to r. It is negative if the clock stepped back between them.
func (r Reading) Sub(s Reading) time.Duration { return time.Duration(r - s) }

// String prints r in seconds, exactly and without trailing zeros, as time.ParseDuration reads it: "1767225600.5s".
func (r Reading) String() string { return decimal(int64(r), 9) + "s" }

// decimal writes n with its last digits behind a point and without trailing zeros: 10_200 with 3 places is "10.2".
func decimal(n int64, places int) string {
	digits := strconv.FormatInt(n, 10)
	sign := ""
	if n < 0 {
		// The sign comes off the text, not the number: the smallest int64 has no positive counterpart.
		sign, digits = "-", digits[1:]
	}
	if len(digits) <= places {
		digits = strings.Repeat("0", places+1-len(digits)) + digits
	}
	point := len(digits) - places
	fraction := strings.TrimRight(digits[point:], "0")
	if fraction == "" {
		return sign + digits[:point]
	}
	return sign + digits[:point] + "." + fraction
}
