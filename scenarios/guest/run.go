package guest

import (
	"errors"
	"fmt"
	"math/rand"
	"os"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/cryptotest"
	"testing/synctest"
	"time"

	"github.com/lockstorm/lockstorm/scenarios"
)

// Patience is how long, by the machine's own clock, a run may go on without an event of the world. A goroutine that never
// blocks lets no event come, and nothing in Go can end it: then the process ends, with the stacks of the guests. No other
// bound counts seconds.
var Patience = 30 * time.Second

// Run makes one run with guests, in a bubble of its own. The scenario must have passed [Check]. An error says that the guests
// misbehaved: the result is then of no use.
func Run(t *testing.T, s *scenarios.Scenario, seed uint64, lock Constructor) (res *scenarios.Result, err error) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	seedGlobals(t, seed)
	var alive atomic.Int64
	stop := watch(&alive)
	defer close(stop)
	leaked := ""
	defer func() {
		if r := recover(); r != nil { // goroutines that are left when a bubble ends
			err = fmt.Errorf("%v\n%s", r, leaked)
		}
	}()
	synctest.Test(t, func(*testing.T) {
		time.Sleep(time.Until(time.Unix(0, int64(scenarios.Epoch))))
		goroutines := runtime.NumGoroutine()
		res, err = run(*s, seed, lock, &alive)
		leaked = leftBehind(goroutines)
	})
	return res, err
}

// run makes the run within its bubble. A panic in a guest's call, or in the world, is its error.
func run(s scenarios.Scenario, seed uint64, lock Constructor, alive *atomic.Int64) (res *scenarios.Result, err error) {
	h := newHouse(alive)
	s.Lock.New = h.lock(lock)
	r := scenarios.NewRunner()
	defer r.Close()
	r.Outside, r.Scanning = h, true
	defer h.close()
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the run panics: %v", p)
		}
	}()
	return r.Run(&s, seed), nil
}

// seedGlobals seeds what chance of the process can be seeded. That of math/rand/v2 can't.
func seedGlobals(t *testing.T, seed uint64) {
	cryptotest.SetGlobalRandom(t, seed)
	t.Setenv("GODEBUG", strings.TrimPrefix(os.Getenv("GODEBUG")+",randseednop=0", ","))
	rand.Seed(int64(seed)) //nolint:staticcheck // libraries draw from it, and this is the one way to seed it
}

// leftBehind lets time pass until all goroutines but so many have ended, and returns the stacks of those that do not.
func leftBehind(but int) string {
	for wait := time.Millisecond; runtime.NumGoroutine() > but; wait *= 10 {
		if wait > time.Hour {
			return stacks()
		}
		time.Sleep(wait)
		synctest.Wait()
	}
	return ""
}

// stacks returns the stacks of all goroutines in bubbles.
func stacks() string {
	b := make([]byte, 1<<20)
	var all []string
	for _, g := range strings.Split(string(b[:runtime.Stack(b, true)]), "\n\n") {
		if head, _, _ := strings.Cut(g, "\n"); strings.Contains(head, "synctest bubble") {
			all = append(all, g)
		}
	}
	return strings.Join(all, "\n\n")
}

// watch ends the process when no event comes any more.
func watch(alive *atomic.Int64) (stop chan struct{}) {
	stop = make(chan struct{})
	go func() {
		for {
			seen := alive.Load()
			select {
			case <-stop:
				return
			case <-time.After(Patience):
			}
			if alive.Load() == seen {
				panic(fmt.Sprintf("guest: no event in %s: a goroutine of a guest never blocks, or its timers never end\n\n%s", Patience, stacks()))
			}
		}
	}()
	return stop
}

// errNoServers is for scenarios in which a guest has nobody to speak to.
var errNoServers = errors.New("its lock runs on no Redis nodes, and guests speak to nothing else: give one of the kinds redlock and single")
