package clock

import (
	"fmt"
	"math/bits"
	"time"
)

// Slew corrects the clock by d, spread over time from t on: it runs faster by rate, or slower for a negative d, until
// it has gained or lost exactly d. It moves both wall and mono, like Linux's adjtimex, whose bound is 500*PPM. Slews
// add to each other and to drifts. The rate must be positive. Slew returns the instant at which it ends, Forever beyond
// the range.
//
// The last nanosecond makes the sum exact. In n = ⌊|d|·1e9/rate⌋ nanoseconds the full rate gains n·rate billionths,
// which leaves a remainder smaller than rate. One more nanosecond at the rate of that remainder gains it. A Clock loses
// no billionth, so nothing is left over.
func (c *Clock) Slew(t Instant, d time.Duration, rate Rate) Instant {
	if rate <= 0 {
		panic(fmt.Sprintf("clock: slew at %v at rate %v, which is not positive", t, rate))
	}
	if d == 0 || t == Forever {
		return t
	}
	s := planSlew(t, d, rate.checked(t))
	c.put(t, s.rate, 0)
	c.put(s.turned, s.tail-s.rate, 0)
	c.put(s.end, -s.tail, 0)
	c.settle(t)
	return s.end
}

// Unslew stops at t a slew that began at start, as if the rest of it had never been asked for. The clock keeps what the
// slew has corrected by then. A slew that has ended by then stays.
func (c *Clock) Unslew(t, start Instant, d time.Duration, rate Rate) {
	s := planSlew(start, d, rate.checked(t))
	switch {
	case d == 0 || t >= s.end:
		return
	case t < s.turned:
		c.put(t, -s.rate, 0)
		c.put(s.turned, s.rate-s.tail, 0)
	default:
		c.put(t, -s.tail, 0)
	}
	c.put(s.end, s.tail, 0)
	c.settle(t)
}

// A slew is the plan of a correction: rate until turned, then tail until end.
type slew struct {
	rate, tail  Rate
	turned, end Instant
}

func planSlew(t Instant, d time.Duration, rate Rate) slew {
	full, tail := slewLength(d, rate)
	turned := t.Add(full)
	end := turned
	if tail > 0 {
		end = turned.Add(1)
	}
	if d < 0 {
		rate, tail = -rate, -tail
	}
	return slew{rate, tail, turned, end}
}

// slewLength returns how long a slew of d takes at the full rate, and the remainder in billionths of a nanosecond.
func slewLength(d time.Duration, rate Rate) (full time.Duration, tail Rate) {
	gain := uint64(d)
	if d < 0 {
		gain = -gain
	}
	hi, lo := bits.Mul64(gain, perfect)
	if hi >= uint64(rate) {
		return time.Duration(Forever), 0
	}
	n, rest := bits.Div64(hi, lo, uint64(rate))
	if n >= uint64(Forever) {
		return time.Duration(Forever), 0
	}
	return time.Duration(n), Rate(rest)
}
