package work

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"

	"github.com/spf13/pflag"
)

// AddWorkers adds --workers.
func AddWorkers(f *pflag.FlagSet, n *int) {
	f.IntVar(n, "workers", 0, "make `N` runs side by side; 0 for as many as there are cores")
}

// CheckWorkers refuses a negative number, and makes 0 the number of cores.
func CheckWorkers(n *int) error {
	if *n < 0 {
		return fmt.Errorf("--workers: %d is negative; give 0 for as many as there are cores", *n)
	}
	if *n == 0 {
		*n = runtime.GOMAXPROCS(0)
	}
	return nil
}

// Parallel does n things, so many side by side, and waits for all. Should one panic, so does Parallel: left
// on a goroutine of its own, a panic would end the process with 2, which says that a verdict is unknown.
func Parallel(hands, n int, do func(i int)) {
	var wg sync.WaitGroup
	free, panics := make(chan struct{}, hands), make(chan string, n)
	for i := range n {
		free <- struct{}{}
		wg.Go(func() {
			defer func() {
				if p := recover(); p != nil {
					panics <- fmt.Sprintf("%v\n%s", p, debug.Stack())
				}
				<-free
			}()
			do(i)
		})
	}
	wg.Wait()
	if len(panics) > 0 {
		panic(<-panics)
	}
}
