package clock

import (
	"math"
	"strings"
	"testing"
	"time"
)

const (
	start  = Reading(1_767_225_600 * time.Second) // 2026-01-01 UTC
	second = Instant(time.Second)
)

func TestZeroClockIsPerfect(t *testing.T) {
	var c Clock
	for _, at := range []Instant{0, 1, 10 * second, Instant(10 * year), Forever} {
		if c.Wall(at) != Reading(at) || c.Mono(at) != Reading(at) {
			t.Errorf("at %v it shows %v and %v", at, c.Wall(at), c.Mono(at))
		}
		if got := c.WhenWall(Reading(at), 0); got != at {
			t.Errorf("WhenWall(%v) = %v", at, got)
		}
	}
}

func TestFastClockShowsEachNanosecondOnceItHasPassed(t *testing.T) {
	c := New(start, 500_000_000) // three of its nanoseconds in two true ones
	for at, want := range []Reading{0, 1, 3, 4, 6, 7} {
		if got := c.Mono(Instant(at)); got != want {
			t.Errorf("Mono(%d) = %d, want %d", at, got, want)
		}
		if got := c.Wall(Instant(at)); got != start+want {
			t.Errorf("Wall(%d) = %d, want start + %d", at, got-start, want)
		}
	}
}

func TestSlowClockRoundsDownToo(t *testing.T) {
	c := New(0, -1) // late by a nanosecond after a second, but it shows this from the start
	for at, want := range []Reading{0, 0, 1, 2} {
		if got := c.Mono(Instant(at)); got != want {
			t.Errorf("Mono(%d) = %d, want %d", at, got, want)
		}
	}
	if got := c.Mono(second); got != Reading(second)-1 {
		t.Errorf("Mono(1s) = %d, want a nanosecond less", got)
	}
}

// Half a nanosecond is passed at each border. Were it dropped there, a thousand borders would lose half a microsecond.
func TestBordersLoseNoFraction(t *testing.T) {
	c := New(0, 500_000_000)
	for at := Instant(1); at < 1000; at++ {
		c.Step(at, 1)
	}
	if got := c.Mono(1000); got != 1500 {
		t.Errorf("mono shows %d, want 1500", got)
	}
	if got := c.Wall(1000); got != 1500+999 {
		t.Errorf("wall shows %d, want 2499", got)
	}
}

func TestForwardStepSkipsReadings(t *testing.T) {
	c := New(start, 0)
	c.Step(10*second, 11*time.Second)
	if got := c.Wall(10*second - 1); got != start.Add(10*time.Second-1) {
		t.Errorf("before the step wall shows %v", got)
	}
	if got := c.Wall(10 * second); got != start.Add(21*time.Second) {
		t.Errorf("at the step wall shows %v", got)
	}
	if got := c.Mono(10 * second); got != Reading(10*time.Second) {
		t.Errorf("at the step mono shows %v", got)
	}
	if got := c.WhenWall(start.Add(15*time.Second), 0); got != 10*second {
		t.Errorf("a reading that was skipped is reached at %v, not at the step", got)
	}
}

func TestSteppedIsTheJumpOfItsInstantAlone(t *testing.T) {
	c := New(0, 0)
	c.Step(10*second, 11*time.Second)
	c.Step(10*second, -time.Second)
	c.Drift(20*second, 1000)
	for at, want := range map[Instant]time.Duration{0: 0, 10*second - 1: 0, 10 * second: 10 * time.Second, 10*second + 1: 0, 20 * second: 0} {
		if got := c.Stepped(at); got != want {
			t.Errorf("stepped by %v at %v, want %v", got, at, want)
		}
	}
}

func TestBackwardStepShowsReadingsTwice(t *testing.T) {
	c := New(0, 0)
	c.Step(10*second, -5*time.Second)
	r := Reading(8 * time.Second)
	if got := c.WhenWall(r, 0); got != 8*second {
		t.Errorf("first shown at %v, want 8s", got)
	}
	if got := c.WhenWall(r, 9*second); got != 9*second {
		t.Errorf("at 9s more than 8s is shown; got %v", got)
	}
	if got := c.WhenWall(r, 10*second); got != 13*second {
		t.Errorf("shown again at %v, want 13s", got)
	}
	if got := c.WhenWall(Reading(11*time.Second), 0); got != 16*second {
		t.Errorf("a reading put off by the step is reached at %v, want 16s", got)
	}
}

func TestChangesAtOneInstantAddUp(t *testing.T) {
	c := New(0, 0)
	c.Step(second, 5)
	c.Drift(second, 3*PPM)
	c.Step(second, -2)
	c.Drift(second, -PPM)
	if got := c.Wall(second) - Reading(second); got != 3 {
		t.Errorf("wall is off by %d, want 3", got)
	}
	if got := c.Rate(second); got != 2*PPM {
		t.Errorf("rate is %v, want +2ppm", got)
	}
}

// The drift becomes known before the slew has ended: neither must forget the other.
func TestDriftDuringASlewComposes(t *testing.T) {
	c := New(0, 0)
	end := c.Slew(0, time.Millisecond, 500*PPM)
	if end != 2*second {
		t.Fatalf("a millisecond at 500 ppm ends at %v, want 2s", end)
	}
	c.Drift(second, 100*PPM)
	for _, want := range []struct {
		at    Instant
		rate  Rate
		ahead time.Duration
	}{
		{0, 500 * PPM, 0},
		{second, 600 * PPM, 500 * time.Microsecond},
		{2 * second, 100 * PPM, 1100 * time.Microsecond},
		{3 * second, 100 * PPM, 1200 * time.Microsecond},
	} {
		if got := c.Rate(want.at); got != want.rate {
			t.Errorf("at %v the rate is %v, want %v", want.at, got, want.rate)
		}
		if got := c.Mono(want.at).Sub(Reading(want.at)); got != want.ahead {
			t.Errorf("at %v mono is ahead by %v, want %v", want.at, got, want.ahead)
		}
	}
}

// 10 ns at 3/10 of the pace take 33 ns for 9.9 ns, and one more at a rate of a tenth.
func TestSlewEndsInATailThatFits(t *testing.T) {
	c := New(0, 0)
	end := c.Slew(100, -10, 300_000_000)
	if end != 134 {
		t.Errorf("ends at %d, want 134", end)
	}
	if got := c.Rate(133); got != -100_000_000 {
		t.Errorf("the tail's rate is %v, want -100000ppm", got)
	}
	if got := c.Mono(134); got != 124 {
		t.Errorf("mono shows %d, want 124", got)
	}
}

func TestSlewThatTakesTooLongNeverEnds(t *testing.T) {
	c := New(0, 0)
	for _, by := range []time.Duration{20 * time.Second, 100 * year} { // it would take 634 years, or more than a word can count
		c = New(0, 0)
		if end := c.Slew(second, by, 1); end != Forever {
			t.Errorf("%v: ends at %v", by, end)
		}
	}
	if got := c.Rate(Forever - 1); got != 1 {
		t.Errorf("rate is %v, want +0.001ppm", got)
	}
}

func TestChangeAtForeverNeverHappens(t *testing.T) {
	c := New(start, 0)
	c.Drift(0, PPM)
	c.Drift(Forever, -PPM)
	c.Step(Forever, time.Hour)
	if end := c.Slew(Forever, time.Hour, PPM); end != Forever || c.Rate(Forever) != PPM || len(c.earlier) != 0 {
		t.Errorf("it left %+v", c)
	}
}

func TestNothingOverflowsInTenYearsAtTheBounds(t *testing.T) {
	at := Instant(10 * year)
	for _, rate := range []Rate{RateMax, -RateMax} {
		c := New(Reading(OffsetMax), 0)
		c.Drift(1, rate)
		want := Reading(10*year) + Reading(10*year/10*9)*Reading(rate/RateMax)
		if got := c.Mono(at) - want; got < -1 || got > 1 { // the drift began a nanosecond late
			t.Errorf("at rate %v mono shows %v, want %v", rate, c.Mono(at), want)
		}
		if got := c.Wall(at).Sub(c.Mono(at)); got != OffsetMax {
			t.Errorf("at rate %v wall is %v ahead of mono", rate, got)
		}
		if back := c.WhenWall(c.Wall(at), 0); back > at || c.Wall(back) != c.Wall(at) {
			t.Errorf("at rate %v the way back leads to %v", rate, back)
		}
	}
}

func TestClockSticksAtItsLastReading(t *testing.T) {
	c := New(start, RateMax)
	c.Step(Forever-1, 1)
	for _, at := range []Instant{Forever - 2, Forever - 1, Forever} {
		if c.Wall(at) != math.MaxInt64 || c.Mono(at) != math.MaxInt64 {
			t.Errorf("at %v it shows %v and %v", at, c.Wall(at), c.Mono(at))
		}
	}
	back := New(-start, 0)
	if got := back.WhenWall(math.MaxInt64, 0); got != Forever {
		t.Errorf("a reading beyond range is reached at %v", got)
	}
	for _, rate := range []Rate{-RateMax, -RateMax / 3, -1} {
		slow := New(0, rate)
		if got := slow.WhenMono(math.MaxInt64, 0); got != Forever {
			t.Errorf("at rate %v a reading beyond range is reached at %v", rate, got)
		}
	}
	if got := c.WhenWall(math.MinInt64, 7); got != 7 {
		t.Errorf("the least reading is reached at %v, want at once", got)
	}
}

func TestBrokenPromisePanics(t *testing.T) {
	for _, broken := range []struct {
		promise string
		act     func(c *Clock)
	}{
		{"RateMax", func(c *Clock) { c.Drift(0, RateMax+1) }},
		{"RateMax", func(c *Clock) { c.Drift(5, RateMax); c.Drift(2, 1) }},
		{"RateMax", func(c *Clock) { c.Drift(5, -RateMax); c.Slew(7, -1, 1) }},
		{"RateMax", func(c *Clock) { c.Drift(0, math.MinInt64) }},
		{"OffsetMax", func(c *Clock) { c.Step(0, math.MinInt64) }},
		{"OffsetMax", func(c *Clock) { c.Step(5, OffsetMax); c.Step(5, OffsetMax); c.Step(5, OffsetMax) }},
		{"OffsetMax", func(c *Clock) { c.Step(5, -OffsetMax); c.Step(2, -1) }},
		{"not positive", func(c *Clock) { c.Slew(0, 1, 0) }},
		{"before the run", func(c *Clock) { c.Drift(-1, 1) }},
		{"before the run", func(c *Clock) { c.Wall(-1) }},
		{"before the run", func(c *Clock) { c.WhenMono(5, -1) }},
	} {
		var c Clock
		if got := panicOf(func() { broken.act(&c) }); !strings.Contains(got, broken.promise) {
			t.Errorf("panic says %q, want it to name %q", got, broken.promise)
		}
	}
}

func panicOf(f func()) (text string) {
	defer func() { text, _ = recover().(string) }()
	f()
	return ""
}

// A slew is several changes. The first alone would break the bound here; the whole does not.
func TestSlewIsJudgedAsAWhole(t *testing.T) {
	c := New(0, 0)
	c.Drift(10*second, RateMax)
	c.Slew(0, time.Microsecond, 500*PPM)
	if got := c.Rate(10 * second); got != RateMax {
		t.Errorf("rate is %v", got)
	}
}

func TestWarmClockAllocatesNothing(t *testing.T) {
	var c Clock
	run := func() {
		c.Reset(start, 5*PPM)
		c.Drift(second, PPM)
		c.Step(3*second, time.Second)
		c.Slew(2*second, time.Millisecond, 500*PPM)
	}
	run()
	if n := testing.AllocsPerRun(100, run); n != 0 {
		t.Errorf("Reset and changes allocate %v times", n)
	}
	read := func() {
		c.Wall(2 * second)
		c.Mono(100 * second)
		c.WhenWall(start.Add(time.Minute), second)
		c.WhenMono(Reading(time.Minute), second)
	}
	if n := testing.AllocsPerRun(100, read); n != 0 {
		t.Errorf("reading allocates %v times", n)
	}
}

// These readings, in billionths of a nanosecond, lie just below and just above 2⁶⁴: rounding up carries into the high
// word, and the parts already passed borrow from it. Chance would not find them.
func TestWayBackCarriesAcrossTheWord(t *testing.T) {
	var c Clock
	if got := c.WhenMono(18_446_744_073, 0); got != 18_446_744_073 {
		t.Errorf("a perfect clock shows it at %v", got)
	}
	c.Reset(0, -10_000_000)
	c.Drift(1, -890_000_000) // 0.99 ns have passed, and none is shown
	at := c.WhenMono(18_446_744_074, 0)
	if at == Forever || c.Mono(at) != 18_446_744_074 || c.Mono(at-1) != 18_446_744_073 {
		t.Errorf("a slow clock shows %v at %v", c.Mono(at), at)
	}
}
