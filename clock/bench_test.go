package clock

import (
	"testing"
	"time"
)

var sink int64

// BenchmarkWall reads clocks as hosts do. Compare with "perfect", the lowest cost of a read.
func BenchmarkWall(b *testing.B) {
	busy := New(start, 20*PPM)
	for i := range Instant(32) {
		busy.Step(i*second, time.Second)
	}
	for _, bench := range []struct {
		name  string
		clock Clock
		at    Instant
	}{
		{"perfect", New(start, 0), 40 * second},
		{"drifting", New(start, 20*PPM), 40 * second},
		{"latest of 32", busy, 40 * second},
		{"first of 32", busy, 0},
	} {
		b.Run(bench.name, func(b *testing.B) {
			at := bench.at
			for b.Loop() {
				at++
				sink += int64(bench.clock.Wall(at))
			}
		})
	}
}

func BenchmarkWhenWall(b *testing.B) {
	c := New(start, 20*PPM)
	r := start.Add(40 * time.Second)
	for b.Loop() {
		r++
		sink += int64(c.WhenWall(r, second))
	}
}

// BenchmarkRun measures what a host's clock costs a run besides its reads: a reset, and a fault of each kind.
func BenchmarkRun(b *testing.B) {
	var c Clock
	b.ReportAllocs()
	for b.Loop() {
		c.Reset(start, 20*PPM)
		c.Step(second, time.Second)
		c.Drift(2*second, 100*PPM)
		c.Drift(3*second, -100*PPM)
		c.Slew(4*second, -time.Second, 500*PPM)
	}
}
