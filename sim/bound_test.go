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
	if end := w.Run(); end != HorizonHit || w.Now() > 10*ms || w.Now() < 9*ms {
		t.Errorf("%v at %v", end, w.Now())
	}
}

func TestWhatHappensAtTheHorizonStillCounts(t *testing.T) {
	w := newWorld(t, Config{Horizon: time.Millisecond})
	happened := 0
	w.At(ms, func() { happened++ })
	w.At(ms+1, func() { happened++ })
	if end := w.Run(); end != HorizonHit || happened != 1 {
		t.Errorf("%v, %d events happened", end, happened)
	}
}

func TestZeroConfigIsBounded(t *testing.T) {
	w := newPair(t, Config{})
	w.c.Go("main", func(p *Proc) {
		for {
			p.Sleep(time.Minute)
		}
	})
	if end := w.Run(); end != HorizonHit || w.Now() > clock.Instant(time.Hour) {
		t.Errorf("%v at %v", end, w.Now())
	}
}

func TestEndsSayWhatTheyAre(t *testing.T) {
	if Finished.String() != "finished" || HorizonHit.String() != "time horizon reached" || StepsHit.String() != "step budget used up" {
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
