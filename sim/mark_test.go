package sim

import (
	"testing"
	"time"
)

func (w *pair) marks(names ...string) {
	w.c.Go("main", func(p *Proc) {
		for _, name := range names {
			p.Mark(name)
		}
	})
}

func TestWatchWaitsForTheNthPassing(t *testing.T) {
	w := newPair(t, plain)
	w.marks("a", "b", "a", "a", "a")
	w.OnMark(w.c, "a", 3, func() { w.d.Pause() })
	w.OnMark(w.c, "b", 0, func() { w.d.Resume() }) // no less than the first
	w.OnMark(w.d, "a", 1, func() { t.Error("that was another host") })
	finishes(t, w.World)
	tells(t, w.World, `
		0s mark c a
		1µs mark c b
		1µs resume d
		2µs mark c a
		3µs mark c a
		3µs pause d
		4µs mark c a`)
}

func TestWatchesOfOneMarkHappenInTheOrderPlanned(t *testing.T) {
	w := newPair(t, plain)
	w.marks("a")
	order := ""
	for _, name := range []string{"x", "y", "z"} {
		w.OnMark(w.c, "a", 1, func() { order += name })
	}
	finishes(t, w.World)
	if order != "xyz" {
		t.Errorf("order %s", order)
	}
}

func TestWatchSetAtAMarkWaitsForTheNext(t *testing.T) {
	w := newPair(t, plain)
	w.marks("a", "a", "a")
	w.OnMark(w.c, "a", 1, func() {
		w.OnMark(w.c, "a", 1, w.d.Pause)
	})
	finishes(t, w.World)
	tells(t, w.World, "1µs pause d", Paused)
}

// Nothing the proc does comes between the mark and the fault, and nothing until the fault has ended.
func TestFaultAtAMarkHitsExactlyThere(t *testing.T) {
	for seed := range uint64(50) {
		w := newPair(t, Config{Seed: seed})
		w.c.Go("main", func(p *Proc) {
			p.Mono()
			p.Mark("checked")
			p.Call(w.n.ID, "write", time.Second)
		})
		w.OnMark(w.c, "checked", 1, func() {
			w.c.Pause()
			w.At(w.Now().Add(15*time.Second), w.c.Resume)
		})
		finishes(t, w.World)
		trace := w.Trace()
		if trace[0].Kind != Marked || trace[1].Kind != Paused || trace[1].At != trace[0].At {
			t.Fatalf("seed %d: %v", seed, story(w.World))
		}
		if trace[2].Kind != Resumed || trace[3].Kind != Sent || trace[3].At < 15*s {
			t.Fatalf("seed %d: %v", seed, story(w.World))
		}
	}
}

func TestAWatchOfAnyHostCountsThePassingsOfAll(t *testing.T) {
	w := newPair(t, plain)
	for i, h := range []*Host{w.c, w.d} {
		h.Go("main", func(p *Proc) {
			p.Sleep(time.Duration(i) * 10 * time.Microsecond)
			p.Mark("a")
			p.Mark("b")
			p.Mark("a")
		})
	}
	w.OnMark(nil, "a", 3, func() { w.n.Pause() })
	finishes(t, w.World)
	tells(t, w.World, "11µs pause n", Paused)
}
