package sim

import (
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/clock"
)

// Digest adds nothing: what an echo has answered does not matter to what it will.
func (e *echo) Digest(*Digest, int) {}

// stateAt returns the digest of a world as it is at 5ms on a grid of 1ms.
func stateAt(t *testing.T, prepare func(*pair)) uint64 {
	t.Helper()
	var sum uint64
	c := Config{Step: exactly(time.Microsecond), Serve: exactly(time.Microsecond), Latency: exactly(time.Millisecond), Tick: time.Millisecond}
	var w *pair
	c.Look = func(at clock.Instant) bool {
		if at == 5*ms {
			var d Digest
			d.Reset(0)
			w.Digest(&d, at)
			sum = d.Sum()
		}
		return true
	}
	w = newPair(t, c)
	prepare(w)
	w.At(5*ms, func() {}) // so that the digest is asked for
	w.Run()
	if sum == 0 {
		t.Fatal("nobody looked")
	}
	return sum
}

// Each case differs from another in one thing that matters later. A state without it would be equal for both.
func TestStateHasEverythingThatMattersLater(t *testing.T) {
	ask := func(at time.Duration, request any) func(*pair) {
		return func(w *pair) {
			w.c.Go("main", func(p *Proc) {
				p.Sleep(at)
				p.Forget()
				_, _ = p.Call(w.n.ID, request, 9*time.Millisecond)
			})
		}
	}
	after := func(do func(*pair, *Proc)) func(*pair) {
		return func(w *pair) {
			w.c.Go("main", func(p *Proc) {
				do(w, p)
				p.Sleep(8*time.Millisecond - p.Mono())
			})
		}
	}
	also := func(a func(*pair), more func(*pair)) func(*pair) {
		return func(w *pair) {
			a(w)
			more(w)
		}
	}
	asked := ask(4*time.Millisecond, "x") // it arrives at 5ms
	both := func(first, second string) func(*pair) {
		return func(w *pair) {
			for _, h := range []*Host{w.Host(first), w.Host(second)} {
				h.Go("main", func(p *Proc) { p.Sleep(6 * time.Millisecond) })
			}
		}
	}
	busy := func(slow time.Duration) func(*pair) { // an earlier message on the connection, which a reply did not come for, is still under way
		return also(asked, func(w *pair) { w.At(3*ms, func() { w.Slow(w.c, w.n, slow) }) })
	}
	for name, pair := range map[string][2]func(*pair){
		"a request":                     {asked, ask(4*time.Millisecond, "y")},
		"a reply":                       {ask(3*time.Millisecond, "x"), ask(3*time.Millisecond, "y")},
		"when a message arrives":        {asked, busy(time.Millisecond)},
		"what a proc was answered":      {after(func(w *pair, p *Proc) { _, _ = p.Call(w.n.ID, "x", ms2) }), after(func(w *pair, p *Proc) { _, _ = p.Call(w.n.ID, "y", ms2) })},
		"how far a proc is":             {pausedAt(us / 2), pausedAt(us + us/2)},
		"a deadline":                    {asked, ask(4*time.Millisecond+time.Microsecond, "x")},
		"which of two timers is first":  {both("c", "d"), both("d", "c")},
		"a pause":                       {asked, also(asked, func(w *pair) { w.At(4*ms+500*us, w.n.Pause) })},
		"that a host is off":            {asked, also(asked, func(w *pair) { w.At(4*ms+500*us, func() { w.n.Crash(true) }) })},
		"that a host was off":           {asked, also(asked, func(w *pair) { w.during(4*ms+500*us, 4*ms+600*us, func() { w.n.Crash(true) }, w.n.Restart) })},
		"a wall clock":                  {asked, also(asked, func(w *pair) { w.At(2*ms, func() { w.n.Step(time.Hour) }) })},
		"a rate":                        {asked, also(asked, func(w *pair) { w.At(5*ms-1, func() { w.n.Drift(1000) }) })},
		"a cut":                         {asked, also(asked, func(w *pair) { w.At(4*ms+500*us, func() { w.Cut(w.c, w.n) }) })},
		"a slow link":                   {asked, also(asked, func(w *pair) { w.At(4*ms+500*us, func() { w.Slow(w.n, w.c, time.Millisecond) }) })},
		"a lossy link":                  {asked, also(asked, func(w *pair) { w.At(4*ms+500*us, func() { w.Lose(w.n, w.c, 1_000_000) }) })},
		"what waits in a paused host":   {also(ask(3*time.Millisecond, "x"), pausing), also(ask(3*time.Millisecond, "y"), pausing)},
		"that a call was given up":      {late(2 * time.Millisecond), late(9 * time.Millisecond)},
		"that something is to be done":  {asked, also(asked, func(w *pair) { w.At(7*ms, func() {}) })},
		"that a host sleeps, by clocks": {asked, also(asked, func(w *pair) { w.during(1*ms, 2*ms, w.d.Suspend, w.d.Wake) })},
	} {
		if a, b := stateAt(t, pair[0]), stateAt(t, pair[1]); a == b {
			t.Errorf("%s is not in a state", name)
		}
		if a, b := stateAt(t, pair[0]), stateAt(t, pair[0]); a != b {
			t.Errorf("%s: the same state has two digests", name)
		}
	}
}

const ms2 = 2 * time.Millisecond

// pausing pauses the server from before the message that is sent at 3ms comes.
func pausing(w *pair) { w.At(3*ms+500*us, w.n.Pause) }

// pausedAt is a client that is paused in its first step, or in its second, with nothing learnt in between.
func pausedAt(at clock.Instant) func(*pair) {
	return func(w *pair) {
		w.At(at, w.c.Pause)
		w.c.Go("main", func(p *Proc) {
			p.Mark("a")
			p.Mono()
		})
	}
}

// late is a client that asks at 1ms, whose request arrives at 7ms, and that has given up by 5ms or not.
func late(timeout time.Duration) func(*pair) {
	return func(w *pair) {
		w.At(0, func() { w.Slow(w.c, w.n, 5*time.Millisecond) })
		w.c.Go("main", func(p *Proc) {
			p.Sleep(time.Millisecond)
			p.Forget()
			_, _ = p.Call(w.n.ID, "x", timeout)
			p.Forget()
			p.Sleep(20 * time.Millisecond)
		})
	}
}

// A reply that comes after its caller has given up changes nothing, wherever it is, and so it is as if it had been
// lost.
func TestAbandonedReplyIsInNoState(t *testing.T) {
	given := func(begin, end func(*pair)) func(*pair) {
		return func(w *pair) {
			w.during(1*ms, 3*ms, func() { begin(w) }, func() { end(w) })
			w.c.Go("main", func(p *Proc) {
				p.Sleep(time.Millisecond)
				_, _ = p.Call(w.n.ID, "x", 2*time.Millisecond)
				p.Sleep(20 * time.Millisecond)
			})
		}
	}
	lost := given(func(w *pair) { w.Lose(w.n, w.c, 1_000_000) }, func(w *pair) { w.Lose(w.n, w.c, -1_000_000) })
	for _, by := range []time.Duration{3 * time.Millisecond, 25 * time.Millisecond} {
		slow := given(func(w *pair) { w.Slow(w.n, w.c, by) }, func(w *pair) { w.Slow(w.n, w.c, -by) })
		if a, b := stateAt(t, slow), stateAt(t, lost); a != b {
			t.Errorf("a reply that is late by %s is in the state, though nobody waits for it", by)
		}
	}
}
