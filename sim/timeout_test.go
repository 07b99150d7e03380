package sim

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/lockstorm/lockstorm/clock"
)

// Each try sends a request into the void at 1µs, with a timeout of 4ms on the caller's own clock.
func TestTimeoutsRunOnTheCallersMonotonicClock(t *testing.T) {
	const half clock.Rate = 500_000_000 // a clock with this rate counts three for two
	for _, try := range []struct {
		name  string
		rate  clock.Rate
		fault func(*Host)
		want  string
	}{
		{"right", 0, nil, "4.001ms"},
		{"fast", 600_000_000, nil, "2.501ms"},
		{"slow", -half, nil, "8.001ms"},
		{"fast after 1ms", 0, func(h *Host) { h.Drift(half) }, "3.001ms"},
		{"slow after 1ms", 0, func(h *Host) { h.Drift(-half) }, "7.001ms"},
		{"fast for 1ms", 0, func(h *Host) {
			h.Drift(half)
			h.world.At(2*ms+us, func() { h.Drift(-half) })
		}, "3.501ms"},
		{"slow for 1ms", 0, func(h *Host) {
			h.Drift(-half)
			h.world.At(2*ms+us, func() { h.Drift(half) })
		}, "4.501ms"},
		{"slewed by 1ms", 0, func(h *Host) { h.Slew(time.Millisecond, half) }, "3.001ms"},
		{"stepped forward", 0, func(h *Host) { h.Step(time.Hour) }, "4.001ms"},
		{"stepped back", 0, func(h *Host) { h.Step(-time.Hour) }, "4.001ms"},
		{"fast while paused", 0, func(h *Host) {
			h.Pause()
			h.Drift(half)
			h.world.At(2*ms+us, h.Resume)
		}, "3.001ms"},
		{"fast while paused beyond the deadline", 0, func(h *Host) {
			h.Pause()
			h.world.At(5*ms, func() { h.Drift(half) })
			h.world.At(6*ms, h.Resume)
		}, "6ms"},
	} {
		t.Run(try.name, func(t *testing.T) {
			w := newWorld(t, plain)
			c, n := w.AddHost("c", nil, 0, try.rate), w.AddHost("n", &echo{}, 0, 0)
			w.Cut(c, n)
			c.Go("main", func(p *Proc) { p.Call(n.ID, nil, 4*time.Millisecond) })
			if try.fault != nil {
				w.At(ms+us, func() { try.fault(c) })
			}
			finishes(t, w)
			tells(t, w, try.want+" timeout c>n", TimedOut)
		})
	}
}

func TestLateReplyIsDroppedAndItsRequestTookEffect(t *testing.T) {
	w := newPair(t, plain)
	w.calls(w.c, 1, 150*time.Microsecond)
	finishes(t, w.World)
	tells(t, w.World, `
		1µs sent c>n 1
		101µs served n>c 1
		151µs timeout c>n
		211µs late c>n`)
}

// The reply to the first call arrives while the caller waits for the second. It must not count as the second's reply.
func TestLateReplyIsNotTheNextCallsReply(t *testing.T) {
	w := newPair(t, plain)
	w.c.Go("main", func(p *Proc) {
		p.Call(w.n.ID, "first", 150*time.Microsecond)
		if reply, err := p.Call(w.n.ID, "second", time.Second); reply != "second" || err != nil {
			t.Errorf("got %v, %v", reply, err)
		}
	})
	finishes(t, w.World)
}

func TestWaitWithoutLimitDoesNotEndImmediately(t *testing.T) {
	w := newPair(t, plain)
	w.c.Go("main", func(p *Proc) {
		p.Sleep(time.Millisecond) // so that now plus forever leaves the range
		if _, err := p.Call(w.n.ID, "x", math.MaxInt64); err != nil {
			t.Error(err)
		}
		p.Sleep(math.MaxInt64)
		t.Error("woke up")
	})
	w.Run()
}

func TestWaitWithoutTimeEndsImmediately(t *testing.T) {
	w := newPair(t, plain)
	w.c.Go("main", func(p *Proc) {
		p.Sleep(0)
		p.Sleep(-time.Second)
		for _, timeout := range []time.Duration{0, -time.Second, math.MinInt64} {
			if _, err := p.Call(w.n.ID, "x", timeout); err != ErrTimeout {
				t.Error(err)
			}
		}
		p.Mark("done")
	})
	finishes(t, w.World)
	tells(t, w.World, "5µs mark c done", Marked)
}

// A thousand calls, each over long before its timeout of 5ms, leave their timers behind. The one that is lost has to
// end by its own.
func TestTimerIsNotMissedAfterAThousandStaleOnes(t *testing.T) {
	w := newPair(t, plain)
	w.c.Go("main", func(p *Proc) {
		for range 1000 {
			p.Call(w.n.ID, nil, 5*time.Millisecond)
		}
		w.Cut(w.c, w.n)
		before := p.Mono()
		p.Call(w.n.ID, nil, 5*time.Millisecond)
		if took := p.Mono() - before; took != 5*time.Millisecond+2*time.Microsecond {
			t.Errorf("the lost call took %v", took)
		}
	})
	finishes(t, w.World)
}

// Waits of all lengths follow each other in any order, with changes of the rate that cancel out before they show.
func TestEveryWaitTakesExactlyItsTime(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := New(plain)
		defer w.Close()
		c, n, void := w.AddHost("c", nil, 0, 0), w.AddHost("n", &echo{}, 0, 0), w.AddHost("void", &echo{}, 0, 0)
		w.Cut(c, void)
		waits := rapid.SliceOfN(rapid.IntRange(0, 2), 1, 30).Draw(t, "waits")
		lengths := rapid.SliceOfN(rapid.IntRange(1, 2000), len(waits), len(waits)).Draw(t, "µs")
		c.Go("main", func(p *Proc) {
			for i, kind := range waits {
				d := time.Duration(lengths[i]) * time.Microsecond
				before, want := p.Mono(), d
				switch kind {
				case 0:
					p.Sleep(d)
				case 1:
					p.Call(void.ID, nil, d)
				case 2:
					p.Call(n.ID, nil, d)
					want = min(d, 210*time.Microsecond)
				}
				if took := p.Mono() - before - 2*time.Microsecond; took != want {
					t.Fatalf("wait %d of kind %d and length %v took %v", i, kind, d, took)
				}
			}
		})
		for _, at := range rapid.SliceOf(rapid.IntRange(0, 20_000)).Draw(t, "changes") {
			w.At(clock.Instant(at)*us, func() { c.Drift(1e8); c.Drift(-1e8) })
		}
		w.Run()
	})
}

// Each child inherits the timers of the one before. Were they not void, they would breed.
func TestTimersDoNotPileUp(t *testing.T) {
	w := newPair(t, plain)
	w.c.Go("main", func(p *Proc) {
		for range 1000 {
			p.Together(5, func(int) {
				p.Call(w.n.ID, nil, 10*time.Millisecond)
				p.Sleep(50 * time.Microsecond)
			})
			if waiting := len(w.queue.heap); waiting > 1000 {
				t.Fatalf("%d events wait in the queue at %v", waiting, w.Now())
			}
		}
	})
	finishes(t, w.World)
}

// The timer of a call that was answered is of no interest: not even a run that is bounded more tightly sees it.
func TestStaleTimerHitsNoBound(t *testing.T) {
	config := plain
	config.Horizon = time.Second
	w := newPair(t, config)
	w.calls(w.c, 1, time.Hour)
	finishes(t, w.World)
	if w.Now() != 211*us {
		t.Errorf("the run went on until %v", w.Now())
	}
}
