package guest

import (
	"fmt"
	"sync/atomic"
	"time"
)

// Patience is how much of the processor's time the process may use without an event of the world. See doc.go on goroutines
// that never block. No other bound counts seconds.
var Patience = 30 * time.Second

// watch ends the process when no event comes any more. It returns a function that stops watching, and waits until nobody does: a
// run counts goroutines.
func watch(alive *atomic.Int64) (stop func()) {
	over, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		seen, since := alive.Load(), processTime()
		for {
			select {
			case <-over:
				return
			case <-time.After(Patience / 10):
			}
			switch now := alive.Load(); {
			case now != seen:
				seen, since = now, processTime()
			case processTime()-since > Patience:
				panic(fmt.Sprintf("guest: no event in %s of the processor's time: a goroutine of a guest never blocks, or its timers never end\n\n%s",
					Patience, stacks()))
			}
		}
	}()
	return func() { close(over); <-ended }
}
