// Command overlay provides guests with separate clocks. It writes changed copies of four functions of Go's standard
// library, and prints the name of a file for the flag -overlay:
//
//	go test -overlay "$(go run github.com/lockstorm/lockstorm/scenarios/guests/guest/overlay)" ./...
//
// With it time.Now, time.Sleep and all timers ask package guest which client's goroutine is running, and what that
// client's clock shows. Without it, and for all other goroutines, nothing differs.
package main
