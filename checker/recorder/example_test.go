package recorder_test

import (
	"bytes"
	"fmt"
	"sync"

	"github.com/lockstorm/lockstorm/checker/blackbox"
	"github.com/lockstorm/lockstorm/checker/codec"
	"github.com/lockstorm/lockstorm/checker/recorder"
)

// Three goroutines share a lock, here a sync.Mutex. What they did goes into a file, which is judged.
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
