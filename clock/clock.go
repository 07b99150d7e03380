package clock

import (
	"fmt"
	"slices"
	"sort"
	"time"
)

// OffsetMax bounds the wall reading at the start plus all steps so far, in both directions: 146 years, or the year 2116
// for a clock that counts from the Unix epoch. That leaves a Clock seventy years to tick before it sticks.
const OffsetMax time.Duration = 1<<62 - 1

func offsetWithin(d time.Duration) bool { return -OffsetMax <= d && d <= OffsetMax }

// A Clock is one host's opinion of the time: a rate and a list of jumps. Wall jumps; Mono only drifts. The zero Clock
// is perfect and shows 0 at Instant 0 on both.
type Clock struct {
	// The segments in order of time, no two at the same instant, the first at 0. Almost every read falls into the last,
	// so it is in the Clock itself. The zero segment is the perfect clock.
	earlier []segment
	latest  segment
}

// New returns a clock that runs at the given rate. At Instant 0 its wall shows wall and its mono shows 0.
func New(wall Reading, rate Rate) Clock {
	var c Clock
	c.Reset(wall, rate)
	return c
}

// Reset makes c equal to what New returns, and keeps its memory, so that a reused Clock allocates nothing.
func (c *Clock) Reset(wall Reading, rate Rate) {
	c.earlier, c.latest = c.earlier[:0], segment{}
	c.Drift(0, rate)
	c.Step(0, time.Duration(wall))
}

// Clone returns a copy that later changes of c don't reach.
func (c *Clock) Clone() Clock { return Clock{slices.Clone(c.earlier), c.latest} }

// Wall returns what the wall clock shows at t.
func (c *Clock) Wall(t Instant) Reading {
	if t >= c.latest.at {
		return c.latest.wallAt(t)
	}
	return c.segment(c.find(t)).wallAt(t)
}

// Mono returns what the monotonic clock shows at t.
func (c *Clock) Mono(t Instant) Reading {
	if t >= c.latest.at {
		return c.latest.monoAt(t)
	}
	return c.segment(c.find(t)).monoAt(t)
}

// Stepped returns by how much the wall clock jumped at t: 0 at most instants.
func (c *Clock) Stepped(t Instant) time.Duration {
	if s := c.segment(c.find(t)); s.at == t {
		return s.jump
	}
	return 0
}

// Rate returns the sum of the rates in force from t on.
func (c *Clock) Rate(t Instant) Rate { return c.segment(c.find(t)).rate }

// WhenWall returns the first instant from start on at which the wall clock shows r or more, with the changes known now.
// It is Forever beyond the range. A later change may move it: a caller that waits for a reading must ask again after
// each change.
func (c *Clock) WhenWall(r Reading, start Instant) Instant {
	// A reading passed before a step back counts only if the clock still shows it. So the loop asks every line from
	// start on.
	for i := c.find(start); i <= len(c.earlier); i++ {
		if t := max(start, c.segment(i).whenWall(r)); t < c.end(i) {
			return t
		}
	}
	return Forever
}

// WhenMono returns the first instant from start on at which the monotonic clock shows r or more, with the changes known
// now. It is Forever beyond the range.
func (c *Clock) WhenMono(r Reading, start Instant) Instant {
	if start >= c.latest.at {
		return max(start, c.latest.whenMono(r))
	}
	for i := c.find(start); i <= len(c.earlier); i++ {
		if t := max(start, c.segment(i).whenMono(r)); t < c.end(i) {
			return t
		}
	}
	return Forever
}

// Step moves the wall clock by d at t, the first instant that shows the new reading. Mono does not change.
func (c *Clock) Step(t Instant, d time.Duration) {
	if !offsetWithin(d) {
		panic(fmt.Sprintf("clock: step by %v at %v, beyond OffsetMax (%v)", d, t, OffsetMax))
	}
	c.put(t, 0, d)
	c.settle(t)
}

// Drift adds r to the rate of both clocks from t on. Drifts add up, so one heals by Drift(later, -r).
func (c *Clock) Drift(t Instant, r Rate) {
	c.put(t, r.checked(t), 0)
	c.settle(t)
}

// put adds a change; settle derives its effects.
func (c *Clock) put(t Instant, turn Rate, jump time.Duration) {
	if t == Forever || turn == 0 && jump == 0 {
		return
	}
	i := c.find(t)
	if c.segment(i).at != t {
		i++
		c.open(i, t)
	}
	s := c.segment(i)
	s.turn += turn
	s.jump += jump
}

// open inserts a segment as the i-th.
func (c *Clock) open(i int, t Instant) {
	s := segment{change: change{at: t}}
	if i <= len(c.earlier) {
		c.earlier = slices.Insert(c.earlier, i, s)
		return
	}
	c.earlier = append(c.earlier, c.latest)
	c.latest = s
}

// settle derives every segment from t on. It checks the bounds only then, so that a slew, which is several changes, is
// checked as a whole.
func (c *Clock) settle(t Instant) {
	before := &segment{} // the first segment changes a perfect clock
	i := c.find(t)
	if i > 0 {
		before = c.segment(i - 1)
	}
	for ; i <= len(c.earlier); i++ {
		c.segment(i).follow(before)
		before = c.segment(i)
	}
}

// find returns the number of the segment that has t.
func (c *Clock) find(t Instant) int {
	if t >= c.latest.at {
		return len(c.earlier)
	}
	if t < 0 {
		panic(fmt.Sprintf("clock: %v lies before the run began", t))
	}
	return sort.Search(len(c.earlier), func(i int) bool { return c.earlier[i].at > t }) - 1
}

// segment returns the i-th segment.
func (c *Clock) segment(i int) *segment {
	if i == len(c.earlier) {
		return &c.latest
	}
	return &c.earlier[i]
}

// end returns the instant at which the i-th segment ends.
func (c *Clock) end(i int) Instant {
	if i == len(c.earlier) {
		return Forever
	}
	return c.segment(i + 1).at
}
