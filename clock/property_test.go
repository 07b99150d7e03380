package clock

import (
	"math/big"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestClockAgreesWithTheSumOfItsChanges(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		span := drawSpan(t)
		o := drawOracle(t, span)
		c := o.clock()
		for _, at := range append(o.edges(0, Instant(2*span)), drawInstant(t, span, "t")) {
			agree(t, "Mono", at, c.Mono(at), o.mono(at))
			agree(t, "Wall", at, c.Wall(at), o.wallAt(at))
		}
	})
}

// A clock that has run out of readings sticks at the last, and does not wrap.
func TestClockAgreesWithTheSumUntilItSticks(t *testing.T) {
	last := big.NewInt(int64(readingMax))
	rapid.Check(t, func(t *rapid.T) {
		o := drawOracle(t, 10*year)
		c := o.clock()
		at := Instant(rapid.Int64Range(0, int64(Forever)).Draw(t, "t"))
		perfected := act{kind: "drift", at: at / 2, rate: -o.rate}
		perfected.apply(&c)
		o.done = append(o.done, perfected)
		mono := o.mono(at)
		offset := new(big.Int).Sub(o.wallAt(at), mono)
		if mono.Cmp(last) > 0 {
			mono = last
		}
		wall := offset.Add(offset, mono)
		if wall.Cmp(last) > 0 {
			wall = last
		}
		agree(t, "Mono", at, c.Mono(at), mono)
		agree(t, "Wall", at, c.Wall(at), wall)
	})
}

func agree(t *rapid.T, name string, at Instant, got Reading, want *big.Int) {
	if want.Cmp(big.NewInt(int64(got))) != 0 {
		t.Fatalf("%s(%v) = %d, want %d", name, at, got, want)
	}
}

// The brute-force reading of "the first instant at or after from that shows r or more" is a walk over every nanosecond.
func TestWhenIsTheFirstInstantOfAWalk(t *testing.T) {
	const span = 100
	rapid.Check(t, func(t *rapid.T) {
		o := drawOracle(t, span)
		c := o.clock()
		from := drawInstant(t, span, "from")
		gap := Reading(rapid.Int64Range(-span, 3*span).Draw(t, "gap"))
		walk(t, "Wall", c.Wall, c.WhenWall, c.Wall(from)+gap, from)
		walk(t, "Mono", c.Mono, c.WhenMono, c.Mono(from)+gap, from)
	})
}

func walk(t *rapid.T, name string, shows func(Instant) Reading, when func(Reading, Instant) Instant,
	r Reading, from Instant) {
	// Gap 300 and steps back of 800 at a tenth of the pace take 11,000 ns at most; slews end long before.
	for at := from; at < from+12_000; at++ {
		if shows(at) >= r {
			if got := when(r, from); got != at {
				t.Fatalf("When%s(%v, %v) = %v, want %v", name, r, from, got, at)
			}
			return
		}
	}
	t.Fatalf("%s never shows %v", name, r)
}

func TestWhenIsTheFirstInstantOverYears(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		span := drawSpan(t)
		o := drawOracle(t, span)
		c := o.clock()
		from := drawInstant(t, span, "from")
		gap := Reading(rapid.Int64Range(-int64(span), int64(span)).Draw(t, "gap"))
		first(t, o, c.Wall, c.Wall(from)+gap, from, c.WhenWall(c.Wall(from)+gap, from))
		first(t, o, c.Mono, c.Mono(from)+gap, from, c.WhenMono(c.Mono(from)+gap, from))
	})
}

// Between edges a clock does not go back, so it is enough to look at the edges before got.
func first(t *rapid.T, o *oracle, shows func(Instant) Reading, r Reading, from, got Instant) {
	if got < from {
		t.Fatalf("%v lies before %v", got, from)
	}
	if got != Forever && shows(got) < r {
		t.Fatalf("at %v the clock shows %v, not yet %v", got, shows(got), r)
	}
	if got == from {
		return
	}
	for _, at := range o.edges(from, got-1) {
		if shows(at) >= r {
			t.Fatalf("at %v, before %v, the clock already shows %v", at, got, r)
		}
	}
}

func TestRoundTripComesBackWithinItsSegment(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		span := drawSpan(t)
		o := drawOracle(t, span)
		c := o.clock()
		at := drawInstant(t, span, "t")
		begin := c.segment(c.find(at)).at
		if back := c.WhenWall(c.Wall(at), begin); back > at || c.Wall(back) < c.Wall(at) {
			t.Fatalf("wall: %v shows %v, which leads back to %v", at, c.Wall(at), back)
		}
		if back := c.WhenMono(c.Mono(at), 0); back > at || c.Mono(back) != c.Mono(at) && back != c.begin(back) {
			t.Fatalf("mono: %v shows %v, which leads back to %v", at, c.Mono(at), back)
		}
	})
}

func (c *Clock) begin(t Instant) Instant { return c.segment(c.find(t)).at }

func TestMonoNeverGoesBackAndWallOnlyAtAStepBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		span := drawSpan(t)
		o := drawOracle(t, span)
		c := o.clock()
		at := o.edges(0, Instant(2*span))
		at = append(at, drawInstant(t, span, "t"), drawInstant(t, span, "u"))
		slices.Sort(at)
		for i := 1; i < len(at); i++ {
			u, v := at[i-1], at[i]
			if c.Mono(v) < c.Mono(u) {
				t.Fatalf("mono goes back between %v and %v", u, v)
			}
			if !o.stepsBack(u, v) && c.Wall(v) < c.Wall(u) {
				t.Fatalf("wall goes back between %v and %v without a step", u, v)
			}
		}
	})
}

func (o *oracle) stepsBack(after, to Instant) bool {
	return slices.ContainsFunc(o.done, func(a act) bool {
		return a.kind == "step" && a.by < 0 && after < a.at && a.at <= to
	})
}

func TestOrderOfAddingChangesDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		span := drawSpan(t)
		o := drawOracle(t, span)
		other := *o
		other.done = rapid.Permutation(o.done).Draw(t, "order")
		c, d := o.clock(), other.clock()
		for _, at := range o.edges(0, Instant(2*span)) {
			if c.Wall(at) != d.Wall(at) || c.Mono(at) != d.Mono(at) || c.Rate(at) != d.Rate(at) {
				t.Fatalf("at %v: %v and %v", at, c.Wall(at), d.Wall(at))
			}
		}
	})
}

func TestSlewAddsUpExactly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		span := drawSpan(t)
		o := drawOracle(t, span)
		left := int64(RateMax - max(o.rate, -o.rate))
		for _, a := range o.done {
			left -= int64(max(a.rate, -a.rate))
		}
		if left == 0 {
			t.Skip("no rate left for the slew")
		}
		at := drawInstant(t, span, "at")
		by := time.Duration(rapid.Int64Range(-int64(span), int64(span)).Draw(t, "by"))
		rate := Rate(rapid.Int64Range(1, left).Draw(t, "rate"))

		plain, slewed := o.clock(), o.clock()
		end := slewed.Slew(at, by, rate)
		if end == Forever || end > Instant(50*year) {
			return // too slow to end within the range
		}
		for _, then := range []Instant{end, end + 1, end + Instant(time.Hour)} {
			if got := slewed.Wall(then).Sub(plain.Wall(then)); got != by {
				t.Fatalf("at %v, the slew that ended at %v moved wall by %v, want %v", then, end, got, by)
			}
			if got := slewed.Mono(then).Sub(plain.Mono(then)); got != by {
				t.Fatalf("at %v, the slew that ended at %v moved mono by %v, want %v", then, end, got, by)
			}
			if plain.Rate(then) != slewed.Rate(then) {
				t.Fatalf("at %v the slew is not over", then)
			}
		}
		if by != 0 && slewed.Rate(end-1) == plain.Rate(end-1) {
			t.Fatalf("the slew was over before %v", end)
		}
	})
}

func TestUndoneDriftRestoresTheRate(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		span := drawSpan(t)
		c := New(0, Rate(rapid.Int64Range(-4e8, 4e8).Draw(t, "rate")))
		rate := c.Rate(0)
		by := Rate(rapid.Int64Range(-5e8, 5e8).Draw(t, "by"))
		at := drawInstant(t, span, "at")
		length := time.Duration(rapid.Int64Range(1, int64(span)).Draw(t, "length"))
		c.Drift(at, by)
		c.Drift(at.Add(length), -by)
		if got := c.Rate(at); got != rate+by {
			t.Fatalf("rate under drift is %v, want %v", got, rate+by)
		}
		if got := c.Rate(at.Add(length)); got != rate {
			t.Fatalf("rate after drift is %v, want %v", got, rate)
		}
	})
}

func TestResetIsNew(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		span := drawSpan(t)
		used := drawOracle(t, span).clock()
		o := drawOracle(t, span)
		used.Reset(o.wall, o.rate)
		fresh := New(o.wall, o.rate)
		for _, a := range o.done {
			a.apply(&used)
			a.apply(&fresh)
		}
		if used.latest != fresh.latest || !slices.Equal(used.earlier, fresh.earlier) {
			t.Fatalf("reset %+v, new %+v", used, fresh)
		}
	})
}

// A slew that is stopped leaves what it has corrected by then, to the billionth, and nothing of the rest.
func TestStoppedSlewLeavesWhatItHasCorrected(t *testing.T) {
	const span = 300
	rapid.Check(t, func(t *rapid.T) {
		by := time.Duration(rapid.Int64Range(-100, 100).Draw(t, "by"))
		rate := Rate(rapid.Int64Range(1, int64(RateMax)/2).Draw(t, "rate"))
		other := Rate(rapid.Int64Range(-400_000_000, 400_000_000).Draw(t, "other"))
		from := drawInstant(t, span, "from")
		stop := from + drawInstant(t, span, "after")
		c := New(0, other)
		end := c.Slew(from, by, rate)
		if rapid.Bool().Draw(t, "at a border") {
			stop = min(max(end-Instant(rapid.IntRange(0, 2).Draw(t, "early")), from), from+10*span)
		}
		c.Unslew(stop, from, by, rate)
		for at := Instant(0); at < stop+span; at++ {
			gain := min(int64(max(min(at, stop)-from, 0))*int64(rate), int64(max(by, -by))*perfect)
			if by < 0 {
				gain = -gain
			}
			want := new(big.Int).Div(big.NewInt(int64(at)*(perfect+int64(other))+gain), billion)
			agree(t, "Mono", at, c.Mono(at), want)
		}
		if got := c.Rate(stop); got != other && stop < end {
			t.Fatalf("its rate is %v from then on, want %v", got, other)
		}
	})
}

func TestARateReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := Rate(rapid.Int64().Draw(t, "rate"))
		if got, err := ParseRate(want.String()); got != want || err != nil {
			t.Fatalf("%s is read as %s, %v", want, got, err)
		}
	})
	for _, text := range []string{"", "ppm", "+", "5", "5 ppm", "0.0001ppm", "1.+5ppm", "1.2.3ppm", "99999999999999999ppm", "++5ppm", "+-5ppm", ".5ppm", "x"} {
		if got, err := ParseRate(text); err == nil {
			t.Errorf("%q is read as %s", text, got)
		}
	}
}
