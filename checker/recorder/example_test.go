package recorder_test

import (
	"bytes"
	"fmt"
	"sync"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/checker/blackbox"
	"github.com/lockstorm/lockstorm/checker/codec"
	"github.com/lockstorm/lockstorm/checker/recorder"
)

// Three goroutines share a lock, here a sync.Mutex. Their operations go into a file, which is judged.
func Example() {
	var lock sync.Mutex
	var r recorder.Recorder
	var all sync.WaitGroup
	for range 3 {
		c := r.Client()
		all.Go(func() {
			for range 4 {
				c.Asking()
				lock.Lock()
				c.Acquired(0, 0)
				c.Releasing()
				lock.Unlock()
				c.Released()
			}
		})
	}
	all.Wait()
	var file bytes.Buffer // or history.jsonl, for lockstorm check
	if _, err := r.WriteTo(&file); err != nil {
		fmt.Println(err)
	}
	recording, _ := codec.Reading{}.Read(&file)
	mutex, _ := blackbox.LookupModel("mutex")
	fmt.Println(len(recording.History), "ops:", blackbox.Linearizable(recording.History, mutex).Verdict)
	// Output: 48 ops: holds
}

// The first holder was slow. It continues after its validity has passed and another client holds the lock. The judges
// of Lockstorm's own runs find that in the evidence. They can't judge quorum and leak-free, because no nodes were
// recorded.
func ExampleRecorder_Evidence() {
	now := time.Duration(0) // a clock of the test's own, so that the output is the same each time
	r := recorder.Recorder{Clock: func() time.Duration { now += time.Second; return now }}
	one, two := r.Client(), r.Client()
	one.Asking()                   // at 1s
	one.Acquired(1, 2*time.Second) // at 2s, until 4s
	two.Asking()
	two.Acquired(2, 9*time.Second) // at 4s
	one.Writing(1, 0)              // at 5s, without a look at the clock
	one.Wrote(1)
	one.Releasing()
	one.Released()

	var judge checker.Judge
	for _, f := range judge.Judge(r.Evidence()) {
		fmt.Println(f.Property, f.Verdict)
	}
	// Output:
	// belief violated
	// validity holds
	// quorum holds
	// storage holds
	// fenced holds
	// tokens holds
	// continuity holds
	// deadlock-free unknown
	// fault-tolerant unknown
	// leak-free holds
}
