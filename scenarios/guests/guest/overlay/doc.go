// Command overlay lets guests have clocks of their own. It writes changed copies of four functions of Go's standard library, and
// prints the name of a file that says so:
//
//	go test -overlay "$(go run github.com/lockstorm/lockstorm/scenarios/guests/guest/overlay)" ./...
//
// With it time.Now, time.Sleep and all timers ask package guest whose goroutine asks, and what that client's clock shows. Without
// it, and for all other goroutines, nothing differs.
package main
