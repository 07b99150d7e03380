// Package clock maps true time to what a host's clocks show, and back.
//
// # The idea
//
// A simulated host never sees true time. It sees a wall clock, which can be set, and a monotonic clock, which can't.
// Both tick at the same pace, and the pace may be wrong. So a [Clock] is a pace that changes and a distance between
// wall and mono that jumps. Between two changes both clocks are straight lines.
//
// # The law
//
// A [Clock] is a pure function of the list of its changes. At the [Instant] t it shows
//
//	Mono(t) = floor of the sum, over all true time up to t, of 1 + the rate at that time
//	Wall(t) = Mono(t) + the wall reading at the start + every step up to and including t
//
// The sum is exact, in billionths of a nanosecond, and continues from one straight line to the next. Only readings are
// rounded, and always down: a clock shows a nanosecond once it has wholly passed. No error builds up, however many
// changes a run makes. Hence
//
//   - Mono never goes back, and Wall goes back only at a step back;
//   - the order in which changes are added does not matter, and changes at one instant add up;
//   - a drift that is undone leaves the old rate, and a slew corrects by exactly what was asked, to the nanosecond;
//   - WhenWall and WhenMono are exact inverses: one nanosecond earlier the clock did not yet show that reading.
//
// # The words
//
// An [Instant] is a moment of true time. A [Reading] is what a clock showed. A [Rate] is how much too fast a clock
// runs. A step makes the wall clock jump. A drift changes the rate. A slew is a small change of rate until the clock
// has gained or lost a given time. Like Linux's adjtimex, it turns wall and mono alike. A segment, inside this package,
// is one straight line.
//
// # Rules for callers
//
// True time begins at 0; an earlier instant has no reading, and asking for one panics. A change at [Forever] never
// happens, so a fault that never heals needs no special case.
//
// Add a change at or after the latest instant that was read: a host must not learn that its past was different.
//
// After every call the rates in force at any time must sum to within ±[RateMax], and the starting wall reading plus the
// steps so far to within ±[OffsetMax]. Beyond a bound the clock panics: that is a mistake in the program, which must
// check its input first. It is enough, in whatever order changes are added, that the starting rate and all drifts and
// slews sum to at most RateMax, each without its sign and a drift counted once with its undoing; and likewise for
// steps.
//
// Within the bounds nothing overflows for seventy years of true time. Beyond its range a clock sticks at its last
// reading.
//
// A Clock may be embedded by value and reused with Reset. Like a slice, it must not be copied and then changed in both
// places. Several goroutines must not use it in parallel.
package clock
