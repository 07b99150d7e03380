package guest

import (
	"fmt"
	"runtime/metrics"
	"sync/atomic"
	"time"
)

// MostTurns is how often goroutines may be put on the processor without an event of the world. Beyond that the guests of a run are
// busy with nothing, and the run ends. See doc.go.
var MostTurns = 1_000_000

// Patience is how much of the processor's time the process may use without an event of the world, where goroutines never leave it,
// so that there are no turns to count. No other bound counts seconds.
var Patience = 30 * time.Second

// turns returns how often goroutines have been put on the processor since the process began. Go counts every eighth.
func turns() (n int) {
	s := []metrics.Sample{{Name: "/sched/latencies:seconds"}}
	metrics.Read(s)
	for _, count := range s[0].Value.Float64Histogram().Counts {
		n += 8 * int(count)
	}
	return n
}

// watch ends the process where a guest lets neither an event of the world come nor the bubble's time pass: nobody in the bubble
// can act then. It returns a function that stops watching, and waits until nobody does: a run counts goroutines.
func watch(alive *atomic.Int64) (stop func()) {
	over, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		seen, since, from := alive.Load(), processTime(), turns()
		for {
			select {
			case <-over:
				return
			case <-time.After(100 * time.Millisecond):
			}
			switch now := alive.Load(); {
			case now != seen:
				seen, since, from = now, processTime(), turns()
			case turns()-from > 4*MostTurns: // the bubble itself ends runs before that, if it can
				panic(fmt.Sprintf("guest: no event in %d turns of goroutines: those of a guest never rest\n\n%s", turns()-from, stacks()))
			case processTime()-since > Patience:
				panic(fmt.Sprintf("guest: no event in %s of the processor's time: a goroutine of a guest never blocks\n\n%s", Patience, stacks()))
			}
		}
	}()
	return func() { close(over); <-ended }
}
