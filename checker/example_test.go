package checker_test

import (
	"fmt"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
)

// A client pauses while it holds the lock; its keys expire; another acquires and writes; the first comes back and
// writes. Only fencing saves the update.
func Example() {
	at := func(d time.Duration) clock.Instant { return clock.Instant(d) }
	e := checker.Evidence{
		Holds: []checker.Hold{
			{Client: 0, Fence: 33, Asked: at(10 * time.Millisecond), From: at(12 * time.Millisecond),
				Gone: at(15012 * time.Millisecond), Valid: at(9890 * time.Millisecond)},
			{Client: 1, Fence: 34, Asked: at(10202 * time.Millisecond), From: at(10204 * time.Millisecond),
				Gone: at(16 * time.Second), Valid: at(20082 * time.Millisecond)},
		},
		Writes: []checker.Update{
			{Client: 1, Fence: 34, At: at(10900 * time.Millisecond),
				Plain: checker.Change{Base: 0, Made: 1}, Fenced: checker.Change{Base: 0, Made: 1}},
			{Client: 0, Fence: 33, At: at(15010 * time.Millisecond),
				Plain: checker.Change{Base: 0, Made: 2}, Fenced: checker.Change{Base: 0, Made: 0}},
		},
		Strikes: []checker.Strike{{Fault: "pause c1", Hosts: []string{"c1"}, From: at(12 * time.Millisecond), To: at(15012 * time.Millisecond)}},
		Planned: 1,
		End:     at(20 * time.Second),
	}
	var judge checker.Judge
	for _, f := range judge.Judge(&e) {
		fmt.Println(f.Property, f.Verdict)
		if f.Verdict == checker.Violated {
			fmt.Println("   ", e.Explain(f))
		}
	}
	// Output:
	// belief violated
	//     From 10.204 s to 15.012 s both c1 (token 33) and c2 (token 34) acted as holder; the fault behind it is "pause c1" at 0.012 s.
	// validity holds
	// quorum holds
	// storage violated
	//     c2's update (version 1, token 34), applied at 10.9 s, was overwritten at 15.01 s by c1 (token 33), which had read version 0.
	// fenced holds
	// tokens holds
	// continuity holds
	// deadlock-free unknown
	// fault-tolerant unknown
	// leak-free holds
}

// Figures are numbers about a run. A duration has the unit nanoseconds.
func ExampleJudge_Figures() {
	e := checker.Evidence{
		Clients: 1, Lanes: []string{"the database"}, End: clock.Instant(10 * time.Second),
		Holds: []checker.Hold{{Try: -1, From: clock.Instant(time.Second), Gone: clock.Instant(4 * time.Second),
			Valid: clock.Instant(3 * time.Second)}},
	}
	var judge checker.Judge
	for _, f := range judge.Figures(&e) {
		if f.Unit == checker.Nanos && f.Known && f.Value > 0 {
			fmt.Println(f.Name, f)
		}
	}
	// Output:
	// held 2 s
}
