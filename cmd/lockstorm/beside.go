package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
)

// beside does n things, as many side by side as there are cores, and waits for all. Should one panic, so does beside: left
// on a goroutine of its own, a panic would end the process with 2, which says that a verdict is unknown.
func beside(n int, do func(i int)) {
	var wg sync.WaitGroup
	hands, panics := make(chan struct{}, runtime.GOMAXPROCS(0)), make(chan string, n)
	for i := range n {
		hands <- struct{}{}
		wg.Go(func() {
			defer func() {
				if p := recover(); p != nil {
					panics <- fmt.Sprintf("%v\n%s", p, debug.Stack())
				}
				<-hands
			}()
			do(i)
		})
	}
	wg.Wait()
	if len(panics) > 0 {
		panic(<-panics)
	}
}
