package clock

import (
	"fmt"
	"math/bits"
	"time"
)

// Slew corrects the clock by by, spread over time from the instant at on: it runs faster (or, for a negative by,
// slower) by rate, until it has gained (or lost) exactly by. Both wall and mono feel it, as under Linux's adjtimex,
// whose own bound is 500*PPM. Slews add to each other and to drifts. The rate must be positive. Slew returns the
// instant at which it ends, Forever if that lies beyond the range.
//
// The last nanosecond makes the sum exact. In n = ⌊|by|·1e9/rate⌋ nanoseconds the full rate gains n·rate billionths,
// which leaves a remainder of less than rate. One more nanosecond at a rate of just that remainder gains it. As a
// Clock loses no billionth, nothing is left over.
func (c *Clock) Slew(at Instant, by time.Duration, rate Rate) Instant {
	if rate <= 0 {
		panic(fmt.Sprintf("clock: slew at %v at rate %v, which is not positive", at, rate))
	}
	if by == 0 || at == Forever {
		return at
	}
	s := planSlew(at, by, rate.checked(at))
	c.put(at, s.rate, 0)
	c.put(s.turned, s.tail-s.rate, 0)
	c.put(s.end, -s.tail, 0)
	c.settle(at)
	return s.end
}

// Unslew stops at the instant at a slew that began at from, as if the rest of it had never been asked for. What it has
// corrected by then stays. A slew that is over by then it leaves alone.
func (c *Clock) Unslew(at, from Instant, by time.Duration, rate Rate) {
	s := planSlew(from, by, rate.checked(at))
	switch {
	case by == 0 || at >= s.end:
		return
	case at < s.turned:
		c.put(at, -s.rate, 0)
		c.put(s.turned, s.rate-s.tail, 0)
	default:
		c.put(at, -s.tail, 0)
	}
	c.put(s.end, s.tail, 0)
	c.settle(at)
}

// A slew is the plan of a correction: rate until turned, then tail until end.
type slew struct {
	rate, tail  Rate
	turned, end Instant
}

func planSlew(at Instant, by time.Duration, rate Rate) slew {
	full, tail := slewLength(by, rate)
	turned := at.Add(full)
	end := turned
	if tail > 0 {
		end = turned.Add(1)
	}
	if by < 0 {
		rate, tail = -rate, -tail
	}
	return slew{rate, tail, turned, end}
}

// slewLength returns how long a slew by by takes at full rate, and the remainder in billionths of a nanosecond.
func slewLength(by time.Duration, rate Rate) (full time.Duration, tail Rate) {
	gain := uint64(by)
	if by < 0 {
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
