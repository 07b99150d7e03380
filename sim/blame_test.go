package sim

import (
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/clock"
)

func TestBlamedIsTheCurrentActor(t *testing.T) {
	w := newWorld(t, plain)
	h := w.AddHost("h", nil, 0, 0)
	w.At(5*us, func() {
		w.Blame(3, func() {
			w.Blame(0, func() {
				if w.Blamed() != 0 {
					t.Errorf("within, %d is blamed", w.Blamed())
				}
			})
			if w.Blamed() != 3 {
				t.Errorf("after one within, %d is blamed", w.Blamed())
			}
			h.Step(time.Second)
		})
	})
	w.At(7*us, func() { h.Step(time.Second) })
	finishes(t, w)
	for at, want := range map[clock.Instant]int{4 * us: -1, 5 * us: 3, 6 * us: 3, 7 * us: -1} {
		if got := h.ClockBlamed(at); got != want {
			t.Errorf("the clock as it is at %v is due to %d, want %d", at, got, want)
		}
	}
	if w.Blamed() != -1 {
		t.Errorf("at the end, %d is blamed", w.Blamed())
	}
}

func TestAZeroConfigIsASmallHealthyDataCentre(t *testing.T) {
	want := Config{
		Step: Range{50 * time.Nanosecond, 2 * time.Microsecond}, Serve: Range{2 * time.Microsecond, 20 * time.Microsecond},
		Latency: Range{100 * time.Microsecond, 500 * time.Microsecond}, Steps: 10_000_000, Horizon: time.Hour,
	}
	got := Config{}.withDefaults()
	if got.Step != want.Step || got.Serve != want.Serve || got.Latency != want.Latency || got.Loss != 0 || got.Steps != want.Steps || got.Horizon != want.Horizon {
		t.Errorf("%+v, want %+v", got, want)
	}
	want.Steps, want.Horizon, want.Serve = 5, time.Second, Range{1, 2}
	if got = want.withDefaults(); got.Steps != 5 || got.Horizon != time.Second || got.Serve != (Range{1, 2}) {
		t.Errorf("what was set became %+v", got)
	}
}
