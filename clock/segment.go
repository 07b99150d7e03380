package clock

import (
	"fmt"
	"math"
	"math/bits"
	"time"
)

const readingMax Reading = math.MaxInt64

// A change is what happens to a clock at one instant. Changes at the same instant add up into one. Sums don't depend on
// order, so a clock doesn't either.
type change struct {
	at   Instant
	turn Rate          // what the rate gains
	jump time.Duration // what wall gains on mono
}

// A segment is one straight line of a clock, up to the next one: the change that begins it, and values that follow from
// the change and the segment before it.
type segment struct {
	change
	rate   Rate
	mono   Reading       // shown at the change
	parts  int64         // of a nanosecond, in billionths, passed at the change but not shown yet: 0 ≤ parts < 1e9
	offset time.Duration // wall minus mono
}

// follow derives s from the segment before it.
func (s *segment) follow(before *segment) {
	s.mono, s.parts = before.count(s.at)
	s.rate = before.rate + s.turn
	// A call adds at most OffsetMax to an offset within OffsetMax, so the true sum fits. If the jump has wrapped around
	// before, this addition wraps it back.
	s.offset = before.offset + s.jump
	if !s.rate.within() {
		panic(fmt.Sprintf("clock: rates sum to %v at %v, beyond RateMax (%v)", s.rate, s.at, RateMax))
	}
	if !offsetWithin(s.offset) {
		panic(fmt.Sprintf("clock: start and steps sum to %v at %v, beyond OffsetMax (%v)", s.offset, s.at, OffsetMax))
	}
}

// count returns what mono shows at t, which must not lie before the segment, and the parts it does not show.
//
// The exact count is dt + (parts + dt·rate)/1e9. With dt = seconds·1e9 + rest, the product splits into seconds·rate,
// which is whole, and rest·rate. Both fit in 64 bits for every dt ≥ 0, because |rate| ≤ 9e8: seconds·|rate| < 9.3e9·9e8
// < 2⁶³ and rest·|rate| + parts < 1e9·9e8 + 1e9 < 2⁶³. So no wider arithmetic is needed, and the divisions are cheap,
// because they are by a constant.
func (s *segment) count(t Instant) (mono Reading, parts int64) {
	dt := int64(t - s.at)
	seconds, rest := dt/perfect, dt%perfect
	parts = s.parts + rest*int64(s.rate)
	carry := parts / perfect
	parts -= carry * perfect
	if parts < 0 {
		parts += perfect
		carry--
	}
	// The true sum is not negative, because a clock never goes back, and it is below 2⁶⁴. So it is right although a
	// term may be negative.
	passed := uint64(dt) + uint64(seconds*int64(s.rate)+carry)
	if passed > uint64(readingMax-s.mono) {
		return readingMax, parts
	}
	return s.mono + Reading(passed), parts
}

// monoAt returns what mono shows at t. Most clocks are right; for them it should cost one addition.
func (s *segment) monoAt(t Instant) Reading {
	if s.rate != 0 {
		mono, _ := s.count(t)
		return mono
	}
	if Reading(t-s.at) > readingMax-s.mono {
		return readingMax
	}
	return s.mono + Reading(t-s.at)
}

// wallAt returns what wall shows at t. Mono is never negative, so wall can leave the range only at the top.
func (s *segment) wallAt(t Instant) Reading {
	mono := s.monoAt(t)
	if s.offset > 0 && mono > readingMax-Reading(s.offset) {
		return readingMax
	}
	return mono + Reading(s.offset)
}

// whenMono returns the first instant at which this line, if it never ended, brings mono to r or more.
//
// It is the smallest dt ≥ 0 with floor((parts + dt·pace)/1e9) ≥ gain, that is with parts + dt·pace ≥ gain·1e9. The
// right side needs up to 93 bits.
func (s *segment) whenMono(r Reading) Instant {
	if r <= s.mono {
		return s.at
	}
	if s.rate == 0 { // most clocks are right: then parts are too few to matter
		return s.at.Add(time.Duration(r - s.mono))
	}
	gain, pace := uint64(r-s.mono), uint64(perfect+s.rate)
	hi, lo := bits.Mul64(gain, perfect)
	lo, borrow := bits.Sub64(lo, uint64(s.parts), 0)
	lo, carry := bits.Add64(lo, pace-1, 0) // so that the division rounds up
	hi = hi - borrow + carry
	if hi >= pace {
		return Forever
	}
	dt, _ := bits.Div64(hi, lo, pace)
	if dt > uint64(Forever-s.at) {
		return Forever
	}
	return s.at + Instant(dt)
}

// whenWall is whenMono for the wall clock.
func (s *segment) whenWall(r Reading) Instant {
	if s.offset < 0 && r > readingMax+Reading(s.offset) {
		return Forever
	}
	if s.offset > 0 && r < math.MinInt64+Reading(s.offset) {
		return s.at
	}
	return s.whenMono(r - Reading(s.offset))
}
