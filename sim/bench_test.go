package sim

import (
	"strconv"
	"testing"
	"time"
)

// bench measures b.N times what body does, in runs of many times each: a world is reused, as a campaign does.
func bench(b *testing.B, many int, populate func(w *pair, times int)) {
	w := newPair(b, plain)
	b.ReportAllocs()
	b.ResetTimer()
	for left := b.N; left > 0; left -= many {
		p := refill(w.World, plain)
		p.n.service = mute{}
		populate(p, min(left, many))
		if end := w.Run(); end != Finished {
			b.Fatal(end)
		}
	}
}

// mute is a service that costs nothing, and keeps nothing.
type mute struct{}

func (mute) Serve(any) any { return nil }

// repeat makes a proc do something times times.
func repeat(h *Host, name string, times int, do func(*Proc)) {
	h.Go(name, func(p *Proc) {
		for range times {
			do(p)
		}
	})
}

// BenchmarkStep compares a step that nothing interrupts with one that costs a switch to another proc and back.
func BenchmarkStep(b *testing.B) {
	mono := func(p *Proc) { p.Mono() }
	b.Run("alone", func(b *testing.B) {
		bench(b, 10_000, func(w *pair, times int) { repeat(w.c, "main", times, mono) })
	})
	b.Run("switch", func(b *testing.B) {
		bench(b, 10_000, func(w *pair, times int) {
			repeat(w.c, "main", (times+1)/2, mono)
			repeat(w.d, "main", times/2, mono)
		})
	})
}

// BenchmarkCall is a round trip: three events and a timer, without a switch as long as one proc has the world to
// itself.
func BenchmarkCall(b *testing.B) {
	for _, procs := range []int{1, 2, 8} {
		b.Run(strconv.Itoa(procs)+" procs", func(b *testing.B) {
			bench(b, 10_000, func(w *pair, times int) {
				for i := range procs {
					repeat(w.c, strconv.Itoa(i), (times+i)/procs, func(p *Proc) { p.Call(w.n.ID, nil, 50*time.Millisecond) })
				}
			})
		})
	}
}

// BenchmarkTogether is five calls in parallel, as Redlock makes them.
func BenchmarkTogether(b *testing.B) {
	bench(b, 2_000, func(w *pair, times int) {
		repeat(w.c, "main", times, func(p *Proc) {
			p.Together(5, func(int) { p.Call(w.n.ID, nil, 50*time.Millisecond) })
		})
	})
}

// BenchmarkRun is what a run costs that does next to nothing: a reset, three hosts, a proc, a call.
func BenchmarkRun(b *testing.B) {
	bench(b, 1, func(w *pair, _ int) { w.calls(w.c, 1, time.Second) })
}

func BenchmarkQueue(b *testing.B) {
	for _, depth := range []int{1, 16, 256} {
		b.Run(strconv.Itoa(depth)+" waiting", func(b *testing.B) {
			var q queue
			c := NewChance(1, "queue")
			for range depth {
				q.push(us.Add(c.In(Range{0, time.Second})), event{})
			}
			for b.Loop() {
				var e event
				q.pop(&e)
				q.push(e.at.Add(c.In(Range{0, time.Second})), e)
			}
		})
	}
}

func BenchmarkChance(b *testing.B) {
	c := NewChance(1, "bench")
	for b.Loop() {
		c.Below(1000)
	}
}
