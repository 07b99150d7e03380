package work

import (
	"fmt"
	"runtime/debug"
	"sync"
)

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
