package guest

import (
	"fmt"
	"runtime/metrics"
	"strings"
	"sync/atomic"
	"testing/synctest"
	"time"

	"github.com/lockstorm/lockstorm/scenarios/internal/stuck"
)

// Failures of a guest, in the words of the evidence.
const (
	errPanic = "a client library panicked"
	errLeak  = "a client library left goroutines behind"
	errAway  = "a call of a client library did not return"
	errBusy  = "a client library never rests"
	errBytes = "a client library and the servers speak different protocols"
	errPast  = "a client library has opened no connection in the simulated network"
)

// MostTurns is how often goroutines may be put on the processor without an event of the world. Beyond that the guests
// are busy without progress, and the run ends. See doc.go.
var MostTurns = 1_000_000

// turns returns how often goroutines have been put on the processor since the process began. Go counts every eighth.
func turns() (n int) {
	s := []metrics.Sample{{Name: "/sched/latencies:seconds"}}
	metrics.Read(s)
	for _, count := range s[0].Value.Float64Histogram().Counts {
		n += 8 * int(count)
	}
	return n
}

// watch ends the process if guests let the world take no event and the bubble pass no time, because nothing in the
// bubble can act then. It returns a function that stops the watch and waits for that: a run counts goroutines.
func watch(alive *atomic.Int64) (stop func()) {
	over, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		seen, since, from := alive.Load(), stuck.ProcessTime(), turns()
		stalled := ""
		for {
			select {
			case <-over:
				return
			case <-time.After(100 * time.Millisecond):
			}
			switch now := alive.Load(); {
			case now != seen:
				seen, since, from, stalled = now, stuck.ProcessTime(), turns(), ""
			case turns()-from > 4*MostTurns: // the bubble itself ends runs before that, if it can
				panic(fmt.Sprintf("guest: no event in %d turns of goroutines: those of a guest never rest\n\n%s", turns()-from, stacks()))
			case stuck.ProcessTime()-since > stuck.Patience:
				panic(fmt.Sprintf("guest: no event in %s of the processor's time: a goroutine of a guest never blocks\n\n%s",
					stuck.Patience, stacks()))
			default:
				before := stalled
				if stalled = mutexes(); stalled != "" && stalled == before {
					panic("guest: goroutines of a guest wait for a mutex, whose holder waits for time, " +
						"and no time passes in a bubble meanwhile\n\n" + stalled)
				}
			}
		}
	}()
	return func() { close(over); <-ended }
}

// mutexes returns the stacks of the guests' goroutines if some wait for a mutex and all others wait durably; "" if one
// can still run. In a bubble time passes only when all wait durably, and waiting for a mutex never counts as durable.
func mutexes() string {
	all := residents()
	waits := false
	for _, g := range all {
		head, _, _ := strings.Cut(g, "\n")
		if strings.Contains(head, "(durable)") {
			continue
		}
		if waits = strings.Contains(head, "[sync."); !waits {
			return ""
		}
	}
	if !waits {
		return ""
	}
	return strings.Join(all, "\n\n")
}

// leftBehind lets time pass until no more than n goroutines are left, and returns their stacks if that does not happen.
func leftBehind(n int) string {
	from := turns()
	for wait := time.Millisecond; len(residents()) > n; wait *= 2 {
		if wait > time.Hour || turns()-from > MostTurns {
			return stacks()
		}
		time.Sleep(wait)
		synctest.Wait()
	}
	return ""
}

// residents returns the stacks of goroutines in bubbles: the guests'. Other goroutines of the process come and go.
func residents() (all []string) {
	for _, g := range stuck.Goroutines() {
		head, _, _ := strings.Cut(g, "\n")
		inBubble := strings.Contains(head, "synctest bubble")
		if inBubble && !strings.Contains(g, "testing/synctest.") && !strings.Contains(head, "[coroutine") {
			all = append(all, g)
		}
	}
	return all
}

// stacks returns the stacks of the guests' goroutines as a text.
func stacks() string {
	all := residents()
	if n := len(all) - stacksMost; n > 0 {
		all = append(all[:stacksMost], fmt.Sprintf("… and %d more", n))
	}
	return strings.Join(all, "\n\n")
}

// stacksMost is how many stacks are shown: leftover goroutines are mostly alike.
const stacksMost = 6
