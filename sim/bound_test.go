package sim

import (
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/clock"
)

func TestProcThatNeverBlocksUsesUpTheStepBudget(t *testing.T) {
	config := plain
	config.Steps = 5000
	for name, forever := range map[string]func(*Proc){
		"Mark":     func(p *Proc) { p.Mark("again") },
		"Mono":     func(p *Proc) { p.Mono() },
		"Sleep":    func(p *Proc) { p.Sleep(0) },
		"Together": func(p *Proc) { p.Together(0, nil) },
		"children": func(p *Proc) { p.Together(2, func(int) { p.Draw(2) }) },
	} {
		w := newPair(t, config)
		w.c.Go("main", func(p *Proc) {
			for {
				forever(p)
			}
		})
		if end := w.Run(); end != StepsHit || w.Steps() < 5000 || w.Steps() > 5001 {
			t.Errorf("%s: %v, after %d steps", name, end, w.Steps())
		}
	}
}

func TestEventThatPlansItselfUsesUpTheStepBudget(t *testing.T) {
	w := newWorld(t, Config{Steps: 100})
	var again func()
	again = func() { w.At(0, again) }
	again()
	if end := w.Run(); end != StepsHit || w.Now() != 0 {
		t.Errorf("%v at %v", end, w.Now())
	}
}

func TestProcsThatCallEachOtherForeverReachTheHorizon(t *testing.T) {
	config := plain
	config.Horizon = 10 * time.Millisecond
	w := newWorld(t, config)
	a, b := w.AddHost("a", &echo{}, 0, 0), w.AddHost("b", &echo{}, 0, 0)
	for _, h := range []*Host{a, b} {
		h.Go("main", func(p *Proc) {
			for {
				p.Call(1-h.ID, "ping", time.Second)
			}
		})
	}
	if end := w.Run(); end != horizonHit || w.Now() > 10*ms || w.Now() < 9*ms {
		t.Errorf("%v at %v", end, w.Now())
	}
}

func TestEventsAtTheHorizonCount(t *testing.T) {
	w := newWorld(t, Config{Horizon: time.Millisecond})
	happened := 0
	w.At(ms, func() { happened++ })
	w.At(ms+1, func() { happened++ })
	w.AddHost("c", nil, 0, 0).Go("main", func(p *Proc) { p.Sleep(time.Second) })
	if end := w.Run(); end != horizonHit || happened != 1 {
		t.Errorf("%v, %d events happened", end, happened)
	}
}

// Plans beyond the horizon, such as the end of a fault, cut nothing short once no client is left to see them.
func TestPlansBeyondTheHorizonCutNothingShort(t *testing.T) {
	w := newPair(t, Config{Horizon: time.Second})
	w.calls(w.c, 1, time.Millisecond)
	w.At(clock.Instant(time.Minute), func() { t.Error("it happened all the same") })
	if end := w.Run(); end != Finished {
		t.Errorf("%v, though the proc has ended", end)
	}
	w = newPair(t, Config{Horizon: time.Second})
	held := w.Hold(w.c, w.n)
	w.calls(w.c, 1, time.Millisecond)
	w.At(clock.Instant(time.Minute), held.Release)
	if end := w.Run(); end != horizonHit {
		t.Errorf("%v, though a message was still to arrive", end)
	}
}

func TestBlockedProcIsNotFinished(t *testing.T) {
	w := newPair(t, Config{})
	w.calls(w.c, 3, time.Millisecond)
	w.At(us, w.c.Pause)
	if end := w.Run(); end != stuck {
		t.Errorf("%v", end)
	}
	w = newPair(t, Config{})
	w.calls(w.c, 3, time.Millisecond)
	w.At(us, func() { w.c.Crash(true) })
	if end := w.Run(); end != Finished {
		t.Errorf("%v, though the proc is dead", end)
	}
}

// An alarm goes by the wall clock of its host: a step forward brings it nearer, a step back takes it away, and being
// off or paused changes nothing.
func TestAnAlarmGoesByTheWallClock(t *testing.T) {
	for name, c := range map[string]struct {
		change func(h *Host)
		want   clock.Instant
	}{
		"undisturbed":  {func(*Host) {}, 10 * ms},
		"step forward": {func(h *Host) { h.Step(4 * time.Millisecond) }, 6 * ms},
		"step past it": {func(h *Host) { h.Step(time.Hour) }, 2 * ms},
		"step back":    {func(h *Host) { h.Step(-4 * time.Millisecond) }, 14 * ms},
		"there and back": {func(h *Host) {
			h.Step(-4 * time.Millisecond)
			h.Step(4 * time.Millisecond)
		}, 10 * ms},
		"a faster clock": {func(h *Host) { h.Drift(600_000_000) }, 7 * ms},
		"off":            {func(h *Host) { h.Crash(true) }, 10 * ms},
	} {
		w := newPair(t, Config{})
		var rang []clock.Instant
		w.n.OnWall(10*time.Millisecond, func() { rang = append(rang, w.Now()) })
		w.At(2*ms, func() { c.change(w.n) })
		w.Run()
		if len(rang) != 1 || rang[0] != c.want {
			t.Errorf("%s: it rang at %v, want %v", name, rang, c.want)
		}
	}
}

func TestZeroConfigIsBounded(t *testing.T) {
	w := newPair(t, Config{})
	w.c.Go("main", func(p *Proc) {
		for {
			p.Sleep(time.Minute)
		}
	})
	if end := w.Run(); end != horizonHit || w.Now() > clock.Instant(time.Hour) {
		t.Errorf("%v at %v", end, w.Now())
	}
}

func TestEndsSayWhatTheyAre(t *testing.T) {
	if Finished.String() != "finished" || horizonHit.String() != "time horizon reached" || StepsHit.String() != "step budget used up" {
		t.Error("an End has lost its name")
	}
}

// litter leaves procs in every state: waiting for a step, a timer, a reply, a child, a resumption, and dead.
func litter(w *pair) {
	w.calls(w.c, 1000, 700*time.Microsecond)
	w.c.Go("parent", func(p *Proc) {
		for {
			p.Together(3, func(i int) { p.Call(w.n.ID, i, 300*time.Microsecond) })
		}
	})
	w.calls(w.d, 1000, time.Second)
	w.during(2*ms, 4*ms, func() { w.d.Crash(true) }, w.d.Restart)
	w.At(8*ms, w.c.Pause)
	w.Hold(w.n, w.c)
}

// refill makes w the world that newPair makes.
func refill(w *World, config Config) *pair {
	w.Reset(config)
	server := &echo{}
	return &pair{
		World: w, server: server,
		c: w.AddHost("c", nil, 0, 0), d: w.AddHost("d", nil, 0, 0), n: w.AddHost("n", server, 0, 0),
	}
}

func TestRunAfterOneThatWasCutShortIsAsNew(t *testing.T) {
	fresh := newPair(t, Config{Seed: 1, Horizon: 20 * time.Millisecond})
	litter(fresh)
	fresh.Run()
	w := newWorld(t, Config{})
	for steps := range 300 {
		p := refill(w, Config{Seed: uint64(steps), Steps: steps + 1})
		litter(p)
		if end := w.Run(); end != StepsHit {
			t.Fatalf("with %d steps: %v", steps+1, end)
		}
		if len(p.c.procs)+len(p.d.procs) > 0 {
			t.Fatalf("after %d steps, Run has not reclaimed every proc", steps+1)
		}
		p = refill(w, Config{Seed: 1, Horizon: 20 * time.Millisecond})
		litter(p)
		w.Run()
		if !slices.Equal(w.Trace(), fresh.Trace()) {
			t.Fatalf("after a run of %d steps the trace differs", steps+1)
		}
	}
}

func TestStacksAreReusedAndCloseLeavesNone(t *testing.T) {
	before := runtime.NumGoroutine()
	w := New(Config{})
	most := 0
	for i := range 1000 {
		p := refill(w, Config{Seed: uint64(i), Horizon: 10 * time.Millisecond})
		litter(p)
		if i%10 > 0 { // else it is never run
			w.Run()
		}
		if n := runtime.NumGoroutine(); i == 1 {
			most = n
		} else if i > 1 && n > most {
			t.Fatalf("%d goroutines after run %d, %d after the first", n, i, most)
		}
	}
	litter(refill(w, Config{}))
	w.Close()
	if after := runtime.NumGoroutine(); after > before {
		t.Errorf("%d goroutines before, %d after Close", before, after)
	}
}
