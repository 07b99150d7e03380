package stuck

import (
	"regexp"
	"runtime"
	"strings"
	"time"
)

// Patience is how much of the processor's time the process may use without an event of the world, where goroutines
// never leave it, so that there are no turns to count. No other bound counts seconds.
var Patience = 30 * time.Second

// Beside calls do in a separate goroutine, and returns "" when do has returned. It leaves do running and returns the
// stacks in two cases: if a proc of a world is found blocked in Go's own ways at the same place twice, in any goroutine
// of the process; or if the process has used patience of the processor's time, unless patience is 0.
func Beside(do func(), patience time.Duration) (stuck string) {
	over := make(chan struct{})
	go func() { defer close(over); do() }()
	for before, from := "", ProcessTime(); ; {
		select {
		case <-over:
			return ""
		case <-time.After(time.Second):
		}
		switch now := procs(blocked); {
		case now != "" && now == before:
			return now
		case patience > 0 && ProcessTime()-from > patience:
			return procs(running)
		default:
			before = now
		}
	}
}

// The beginnings of a goroutine's stack if it waits for something other than the world, or does not wait.
var (
	blocked = regexp.MustCompile(`^goroutine \d+ \[(select|chan |sync\.|sleep|semacquire|IO wait|syscall)`)
	running = regexp.MustCompile(`^goroutine \d+ \[runn`)
)

func procs(state *regexp.Regexp) string {
	var all []string
	for _, g := range Goroutines() {
		if state.MatchString(g) && strings.Contains(g, "lockstorm/sim.") {
			all = append(all, g)
		}
	}
	return strings.Join(all, "\n\n")
}

// Goroutines returns the stacks of all goroutines.
func Goroutines() []string {
	b := make([]byte, 64<<10)
	n := runtime.Stack(b, true)
	for n == len(b) {
		b = make([]byte, 4*len(b))
		n = runtime.Stack(b, true)
	}
	return strings.Split(string(b[:n]), "\n\n")
}
