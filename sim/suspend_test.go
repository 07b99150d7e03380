package sim

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/lockstorm/lockstorm/clock"
)

func TestAwakeClockStopsWhileItsHostIsSuspended(t *testing.T) {
	w := newPair(t, plain)
	var mono, awake [2]time.Duration
	w.c.Go("main", func(p *Proc) {
		mono[0], awake[0] = p.Mono(), p.Awake()
		p.Sleep(5 * time.Second) // counts through, so it has ended when the host wakes
		mono[1], awake[1] = p.Mono(), p.Awake()
	})
	w.during(s, 11*s, w.c.Suspend, w.c.Wake)
	w.during(20*s, 21*s, w.d.Pause, w.d.Resume) // a pause is no suspension
	finishes(t, w.World)
	if mono[1] != 11*time.Second+time.Microsecond || awake[0] != mono[0]+time.Microsecond || awake[1] != mono[1]+time.Microsecond-10*time.Second {
		t.Errorf("mono %v, awake %v", mono, awake)
	}
	if w.d.Awake() != w.d.Mono() {
		t.Errorf("after a pause awake shows %v, mono %v", w.d.Awake(), w.d.Mono())
	}
	tells(t, w.World, "1s suspend c \n 11s wake c", Suspended, Woken)
}

func TestSuspensionsAddUpWithEachOtherAndWithPauses(t *testing.T) {
	w := newPair(t, plain)
	w.c.Go("main", func(p *Proc) {
		p.Sleep(time.Millisecond)
		p.Mark("awake")
	})
	w.during(0, 3*ms, w.c.Suspend, w.c.Wake)
	w.during(2*ms, 5*ms, w.c.Suspend, w.c.Wake)
	w.during(4*ms, 9*ms, w.c.Pause, w.c.Resume)
	finishes(t, w.World)
	tells(t, w.World, "10ms mark c awake", Marked)
	if got := w.c.Mono().Sub(w.c.Awake()); got != 5*time.Millisecond {
		t.Errorf("it was suspended for %v, want 5ms", got)
	}
	if got := w.c.WhenAwake(math.MaxInt64, 0); got != clock.Forever {
		t.Errorf("the last of all readings is reached at %v", got)
	}
}

func TestASuspendedHostNeverReachesAReading(t *testing.T) {
	w := newPair(t, plain)
	w.At(s, w.c.Suspend)
	finishes(t, w.World)
	for r, want := range map[clock.Reading]clock.Instant{
		0: 0, clock.Reading(s): s, clock.Reading(s) + 1: clock.Forever, math.MaxInt64: clock.Forever,
	} {
		if got := w.c.WhenAwake(r, 0); got != want {
			t.Errorf("%v is reached at %v, want %v", r, got, want)
		}
	}
	if got := w.c.WhenAwake(5, 2*s); got != 2*s {
		t.Errorf("a reading that is behind it is reached at %v", got)
	}
}

func TestAWorldMadeNewHasSleptNever(t *testing.T) {
	w := newPair(t, plain)
	w.during(0, s, w.c.Suspend, w.c.Wake)
	finishes(t, w.World)
	w.Reset(plain)
	w.c = w.AddHost("c", nil, 0, 0)
	w.At(s, w.c.Suspend)
	finishes(t, w.World)
	if w.c.Awake() != clock.Reading(s) || w.c.WhenAwake(clock.Reading(s), 0) != s {
		t.Errorf("awake shows %v", w.c.Awake())
	}
}

// The brute-force oracle asks the awake clock at every nanosecond of a short life, in which the host is suspended and
// paused again and again and its clocks run anything but true.
func TestWhenAwakeIsTheFirstInstantOfAWalk(t *testing.T) {
	const span = 120
	rapid.Check(t, func(rt *rapid.T) {
		w := New(Config{Horizon: span})
		defer w.Close()
		h := w.AddHost("c", nil, 0, clock.Rate(rapid.IntRange(-400_000_000, 400_000_000).Draw(rt, "rate")))
		moment := rapid.Int64Range(0, span)
		for range rapid.IntRange(0, 4).Draw(rt, "suspensions") {
			a, b := moment.Draw(rt, "from"), moment.Draw(rt, "to")
			w.during(clock.Instant(min(a, b)), clock.Instant(max(a, b)), h.Suspend, h.Wake)
		}
		w.At(clock.Instant(moment.Draw(rt, "drift")), func() { h.Drift(clock.Rate(rapid.IntRange(-400_000_000, 400_000_000).Draw(rt, "by"))) })
		w.At(clock.Instant(moment.Draw(rt, "jump")), func() { h.Step(77) })
		var shows [span + 1]clock.Reading
		awake, before := clock.Reading(0), clock.Reading(0)
		asleep := false
		for at := range shows { // after everything at that instant
			w.At(clock.Instant(at), func() {
				if mono := h.Mono(); !asleep {
					awake, before = awake+mono-before, mono
				} else {
					before = mono
				}
				asleep = h.suspensions > 0
				if shows[at] = h.Awake(); shows[at] != awake {
					rt.Fatalf("at %d awake shows %v, and the steps add up to %v", at, shows[at], awake)
				}
			})
		}
		w.Run()
		for r := clock.Reading(-1); r <= shows[span]; r++ {
			from := clock.Instant(moment.Draw(rt, "asked from"))
			want := from
			for shows[want] < r {
				want++
			}
			if got := h.WhenAwake(r, from); got != want {
				rt.Fatalf("from %d on, %d is first shown at %v, want %d", from, r, got, want)
			}
		}
	})
}
