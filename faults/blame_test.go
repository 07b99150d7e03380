package faults

import (
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/sim"
)

// The record says who changed a clock last: also for each tick of a strobe, and the end of a fault.
func TestEachClockChangeIsAttributedToItsFault(t *testing.T) {
	s, err := Parse("at 1s for 5s drift n1 +100ppm\nat 2s for 2s strobe n1 200ms every 500ms\nat 5s jump n2 +1s\n")
	if err != nil {
		t.Fatal(err)
	}
	w := sim.New(sim.Config{})
	defer w.Close()
	for _, name := range []string{"n1", "n2"} {
		w.AddHost(name, nil, 0, 0).Go("p", func(p *sim.Proc) { p.Sleep(10 * time.Second) })
	}
	s.Inject(w, Cast{Nodes: []string{"n1", "n2"}})
	w.Run()
	second := clock.Instant(time.Second)
	for _, c := range []struct {
		host string
		at   clock.Instant
		want int
	}{{"n1", second - 1, -1}, {"n1", second, 0}, {"n1", 2 * second, 1}, {"n1", 7 * second / 2, 1}, {"n1", 6 * second, 0}, {"n2", 9 * second, 2}} {
		if got := w.Host(c.host).ClockBlamed(c.at); got != c.want {
			t.Errorf("%s at %v: strike %d, want %d", c.host, c.at, got, c.want)
		}
	}
	if w.Blamed() != -1 {
		t.Error("somebody is to blame when all is over")
	}
}
