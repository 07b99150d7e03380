package blackbox_test

import (
	"fmt"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/checker/blackbox"
	"github.com/lockstorm/lockstorm/clock"
)

// It is unknown whether the first holder released the lock. Some time later two clients acquired it together.
func ExampleLinearizable() {
	mutex, _ := blackbox.LookupModel("mutex")
	r := blackbox.Linearizable(twoAtOnce(), mutex)
	fmt.Println(r.Model, r.Verdict)
	fmt.Println(r.Reason)
	// Output:
	// mutex violated
	// Two holders at once: process 1, which acquired at index 5 and held it to the end, and process 2, which acquired at index 7 and held it to the end.
}

// The excerpt shows the violation by itself: the first holder and its release are not needed.
func ExampleMinimize() {
	mutex, _ := blackbox.LookupModel("mutex")
	h := twoAtOnce()
	x := blackbox.Minimize(h, mutex, blackbox.Linearizable(h, mutex))
	fmt.Println("minimal:", x.Minimal, "confirmed by porcupine:", x.Confirmed)
	for _, i := range x.Ops {
		fmt.Printf("%d: process %d, %v of %v\n", i, h[i].Process, h[i].Type, h[i].F)
	}
	// Output:
	// minimal: true confirmed by porcupine: true
	// 4: process 1, invoke of acquire
	// 5: process 1, ok of acquire
	// 6: process 2, invoke of acquire
	// 7: process 2, ok of acquire
}

func twoAtOnce() checker.History {
	h := checker.History{
		{Process: 0, Type: checker.Invoke, F: checker.Acquire},
		{Process: 0, Type: checker.OK, F: checker.Acquire},
		{Process: 0, Type: checker.Invoke, F: checker.Release},
		{Process: 0, Type: checker.Info, F: checker.Release, Error: "timeout"},
		{Process: 1, Type: checker.Invoke, F: checker.Acquire},
		{Process: 1, Type: checker.OK, F: checker.Acquire},
		{Process: 2, Type: checker.Invoke, F: checker.Acquire},
		{Process: 2, Type: checker.OK, F: checker.Acquire},
	}
	for i := range h {
		h[i].Index, h[i].Time = i, clock.Instant(i)
	}
	return h
}
