package scenarios_test

import (
	"fmt"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/scenarios"
)

// Kleppmann's pause, with the seed 1: who believes what, and who is wrong.
func Example() {
	s, _ := scenarios.Find("kleppmann/gc-pause")
	if err := s.Set("fault.1.for=20s"); err != nil {
		fmt.Println(err)
	}
	if err := s.Check(); err != nil {
		fmt.Println(err)
	}
	r := scenarios.Run(s, 1)
	fmt.Println(s.Faults[0])
	for _, f := range r.Findings {
		fmt.Println(f.Property, f.Verdict)
	}
	for _, f := range r.Seen {
		fmt.Println(f.Property, f.Verdict == checker.Holds)
	}
	fmt.Println(r.Verdict)
	// Output:
	// when c1 read pause c1 for 20s
	// belief violated
	// validity holds
	// quorum holds
	// storage violated
	// fenced holds
	// tokens holds
	// continuity holds
	// deadlock-free holds
	// fault-tolerant holds
	// leak-free holds
	// fault-struck true
	// acquired-by-two true
	// contended true
	// expired-while-held true
	// stale-write-refused true
	// pass
}
