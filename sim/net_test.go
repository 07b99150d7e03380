package sim

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/clock"
)

// calls makes a proc call the server n times with 1, 2, 3 …; the trace shows the outcome.
func (w *pair) calls(h *Host, n int, timeout time.Duration) {
	h.Go("main", func(p *Proc) {
		for i := range n {
			p.Call(w.n.ID, i+1, timeout)
		}
	})
}

func TestCallTakesStepLatencyServiceLatency(t *testing.T) {
	w := newPair(t, plain)
	w.calls(w.c, 1, time.Second)
	finishes(t, w.World)
	tells(t, w.World, `
		1µs sent c>n 1
		101µs served n>c 1
		211µs received c>n`)
}

func TestCutOnTheWayOutStopsTheRequest(t *testing.T) {
	w := newPair(t, plain)
	w.calls(w.c, 1, time.Millisecond)
	w.Cut(w.c, w.n) // before the run begins
	finishes(t, w.World)
	tells(t, w.World, `
		0s cut c>n
		1µs sent c>n 1
		1µs lost c>n
		1.001ms timeout c>n`)
}

func TestCutOnTheWayBackStopsTheReplyOnly(t *testing.T) {
	w := newPair(t, plain)
	w.calls(w.c, 1, time.Millisecond)
	w.At(0, func() { w.Cut(w.n, w.c) })
	finishes(t, w.World)
	tells(t, w.World, `
		1µs sent c>n 1
		101µs served n>c 1
		101µs lost n>c
		1.001ms timeout c>n`, Sent, Served, Received, Lost, TimedOut)
}

func TestTwoWayCutStopsBothWays(t *testing.T) {
	w := newPair(t, plain)
	w.calls(w.c, 1, time.Millisecond)
	w.calls(w.d, 1, time.Millisecond)
	w.during(105*us, ms, // when the replies are under way
		func() { w.Cut(w.c, w.n); w.Cut(w.n, w.c) },
		func() { w.Mend(w.c, w.n); w.Mend(w.n, w.c) })
	w.At(0, func() { w.Cut(w.d, w.n); w.Cut(w.n, w.d) })
	finishes(t, w.World)
	tells(t, w.World, "1µs lost d>n \n 211µs lost n>c", Lost, Received)
}

func TestCutStopsWhatIsInFlight(t *testing.T) {
	for _, try := range []struct {
		from, to clock.Instant
		want     string
	}{
		{50 * us, 102 * us, "101µs lost c>n"},
		{50 * us, 60 * us, "211µs received c>n"}, // mended in time
	} {
		w := newPair(t, plain)
		w.calls(w.c, 1, time.Millisecond)
		w.during(try.from, try.to, func() { w.Cut(w.c, w.n) }, func() { w.Mend(w.c, w.n) })
		finishes(t, w.World)
		tells(t, w.World, try.want, Lost, Received)
	}
}

func TestCutsAddUp(t *testing.T) {
	w := newPair(t, plain)
	w.calls(w.c, 4, time.Millisecond)
	cut, mend := func() { w.Cut(w.c, w.n) }, func() { w.Mend(w.c, w.n) }
	w.during(0, 1500*us, cut, mend)
	w.during(500*us, 2500*us, cut, mend)
	finishes(t, w.World)
	tells(t, w.World, `
		1µs lost c>n
		1.001ms timeout c>n
		1.002ms lost c>n
		2.002ms timeout c>n
		2.003ms lost c>n
		3.003ms timeout c>n
		3.214ms received c>n`, Lost, TimedOut, Received)
}

func TestLossTakesItsShare(t *testing.T) {
	w := newPair(t, plain)
	w.Lose(w.c, w.n, 150_000)
	w.Lose(w.c, w.n, 100_000)
	w.Lose(w.c, w.n, -50_000)
	w.calls(w.c, 20_000, time.Millisecond)
	finishes(t, w.World)
	lost := len(story(w.World, Lost))
	if lost < 3800 || lost > 4200 { // a fifth of 20,000, and 3.5 standard deviations of 57
		t.Errorf("lost %d of 20,000", lost)
	}
}

func TestConfiguredLossIsOnEveryLink(t *testing.T) {
	c := plain
	c.Loss = 500_000
	w := newPair(t, c)
	w.calls(w.c, 1000, time.Millisecond)
	finishes(t, w.World)
	var ways [2]int
	for _, e := range w.Trace() {
		if e.Kind == Lost {
			ways[e.Host/2]++
		}
	}
	if out, back := ways[0], ways[1]; out < 450 || out > 550 || back < 200 || back > 300 {
		t.Errorf("lost %d requests and %d replies", out, back)
	}
}

// flights returns how long each request that was served travelled, by the number of its call.
func flights(w *World) map[uint32]time.Duration {
	sent, took := map[uint32]clock.Instant{}, map[uint32]time.Duration{}
	for _, e := range w.Trace() {
		switch e.Kind {
		case Sent:
			sent[e.Call] = e.At
		case Served:
			took[e.Call] = e.At.Sub(sent[e.Call])
		}
	}
	return took
}

// Removing a fault leaves the latencies unchanged. Otherwise shrinking a schedule would not converge.
func TestFaultsMoveNoLatencies(t *testing.T) {
	run := func(fault func(*pair)) map[uint32]time.Duration {
		w := newPair(t, Config{Seed: 7})
		w.calls(w.c, 50, 5*time.Millisecond)
		fault(w)
		finishes(t, w.World)
		return flights(w.World)
	}
	healthy := run(func(*pair) {})
	for name, fault := range map[string]func(*pair){
		"loss":  func(w *pair) { w.Lose(w.c, w.n, 300_000) },
		"cut":   func(w *pair) { w.during(3*ms, 9*ms, func() { w.Cut(w.c, w.n) }, func() { w.Mend(w.c, w.n) }) },
		"pause": func(w *pair) { w.during(3*ms, 9*ms, w.c.Pause, w.c.Resume) },
		"hold":  func(w *pair) { w.At(9*ms, w.Hold(w.c, w.n).Release) },
	} {
		faulty, same := run(fault), 0
		for call, took := range faulty {
			switch {
			case took == healthy[call]:
				same++
			case name != "hold" || call != 1:
				t.Errorf("%s: request %d took %v, and %v without the fault", name, call, took, healthy[call])
			}
		}
		if same < 20 {
			t.Errorf("%s: only %d requests were served", name, same)
		}
	}
}

func TestSlowLinkTakesLonger(t *testing.T) {
	w := newPair(t, plain)
	w.calls(w.c, 3, time.Second)
	w.during(0, 500*us, func() { w.Slow(w.c, w.n, time.Millisecond) }, func() { w.Slow(w.c, w.n, -time.Millisecond) })
	w.during(ms, 1300*us, func() { w.Slow(w.n, w.c, 2*time.Millisecond) }, func() { w.Slow(w.n, w.c, -2*time.Millisecond) })
	finishes(t, w.World)
	tells(t, w.World, `
		1.101ms served n>c 1
		3.211ms received c>n
		3.312ms served n>c 2
		3.422ms received c>n
		3.523ms served n>c 3
		3.633ms received c>n`, Served, Received)
}

// The caller gave up on the first write and made a second. The first comes late, over another connection, and wins.
func TestHeldRequestTakesEffectAfterALaterOne(t *testing.T) {
	w := newPair(t, plain)
	w.calls(w.c, 2, time.Millisecond)
	hold := w.Hold(w.c, w.n)
	w.At(5*ms, hold.Release)
	finishes(t, w.World)
	tells(t, w.World, `
		1µs sent c>n 1
		1µs held c>n
		1.001ms timeout c>n
		1.002ms sent c>n 2
		1.102ms served n>c 2
		1.212ms received c>n
		5ms freed c>n
		5.1ms served n>c 1
		5.21ms late c>n`)
	if !hold.Any() {
		t.Error("the Catch does not know what it held")
	}
}

func TestHeldReplyComesLateAndItsRequestTookEffect(t *testing.T) {
	w := newPair(t, plain)
	w.calls(w.c, 1, time.Millisecond)
	w.At(5*ms, w.Hold(w.n, w.c).Release)
	finishes(t, w.World)
	tells(t, w.World, `
		1µs sent c>n 1
		101µs served n>c 1
		101µs held n>c
		1.001ms timeout c>n
		5ms freed n>c
		5.1ms late c>n`)
}

// Children of one proc share one connection to each server.
func TestHeldMessageHoldsWhatFollowsOnItsConnectionAndNothingElse(t *testing.T) {
	w := newPair(t, plain)
	w.c.Go("main", func(p *Proc) {
		p.Together(3, func(i int) { p.Call(w.n.ID, i, time.Second) })
	})
	w.d.Go("main", func(p *Proc) { p.Call(w.n.ID, "other host", time.Second) })
	w.c.Go("side", func(p *Proc) {
		p.Sleep(time.Microsecond)
		p.Call(w.n.ID, "other proc", time.Second)
	})
	w.At(5*ms, w.Hold(w.c, w.n).Release)
	finishes(t, w.World)
	tells(t, w.World, `
		101µs served n>d other host
		103µs served n>c other proc
		5.1ms served n>c 0
		5.1ms served n>c 1
		5.1ms served n>c 2`, Served)
}

func TestEachHoldCatchesItsOwnMessage(t *testing.T) {
	w := newPair(t, plain)
	w.calls(w.c, 3, time.Millisecond)
	first, second, third := w.Hold(w.c, w.n), w.Hold(w.c, w.n), w.Hold(w.c, w.n)
	w.At(500*us, func() {
		if !first.Any() || second.Any() || third.Any() {
			t.Error("the first message went to more than the first Catch")
		}
		third.Release() // has held nothing, and never will
	})
	w.At(10*ms, second.Release)
	w.At(11*ms, first.Release)
	w.At(12*ms, first.Release) // for the second time
	finishes(t, w.World)
	tells(t, w.World, `
		2.103ms served n>c 3
		10.1ms served n>c 2
		11.1ms served n>c 1`, Served)
	if third.Any() {
		t.Error("a released Catch held something")
	}
}

func TestConnectionKeepsTheOrderWhateverTheLatencies(t *testing.T) {
	for seed := range uint64(50) {
		w := newPair(t, Config{Seed: seed})
		var sent []any
		w.c.Go("main", func(p *Proc) {
			p.Together(8, func(i int) { p.Call(w.n.ID, i, time.Second) })
		})
		finishes(t, w.World)
		var back []uint32
		for _, e := range w.Trace() {
			if e.Kind == Sent {
				sent = append(sent, e.Body)
			}
			if e.Kind == Received {
				back = append(back, e.Call)
			}
		}
		if !slices.Equal(w.server.seen, sent) || !slices.IsSorted(back) {
			t.Fatalf("seed %d: sent %v, served %v, answered %v", seed, sent, w.server.seen, back)
		}
	}
}

func TestConnectionsOvertakeEachOther(t *testing.T) {
	overtook := 0
	for seed := range uint64(50) {
		w := newPair(t, Config{Seed: seed})
		for i := range 2 {
			w.c.Go(fmt.Sprint(i), func(p *Proc) {
				p.Sleep(time.Duration(i) * 20 * time.Microsecond)
				p.Call(w.n.ID, i, time.Second)
			})
		}
		finishes(t, w.World)
		if w.server.seen[0] == 1 {
			overtook++
		}
	}
	if overtook < 10 || overtook > 35 {
		t.Errorf("the later message was first in %d of 50 runs", overtook)
	}
}

// A child abandons the connection it used. That must not close the one that a sibling has opened since: otherwise the
// third call could overtake the second.
func TestGivingUpLeavesTheSiblingsNewConnectionAlone(t *testing.T) {
	w := newPair(t, plain)
	w.Hold(w.c, w.n)
	w.At(2*ms, func() { w.Slow(w.c, w.n, 10*time.Millisecond) })
	w.At(4*ms, func() { w.Slow(w.c, w.n, -10*time.Millisecond) })
	w.c.Go("main", func(p *Proc) {
		p.Together(3, func(i int) {
			switch i {
			case 0:
				p.Call(w.n.ID, "held, until 5ms", 5*time.Millisecond)
			case 1:
				p.Call(w.n.ID, "held, until 1ms", time.Millisecond)
				p.Sleep(2 * time.Millisecond)
				p.Call(w.n.ID, "slow", time.Second)
			case 2:
				p.Sleep(6 * time.Millisecond)
				p.Call(w.n.ID, "fast", time.Second)
			}
		})
	})
	finishes(t, w.World)
	if !slices.Equal(w.server.seen, []any{"slow", "fast"}) {
		t.Errorf("served %v", w.server.seen)
	}
}
