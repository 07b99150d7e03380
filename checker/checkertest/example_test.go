package checkertest_test

import (
	"fmt"
	"testing"

	"github.com/lockstorm/lockstorm/checker/checkertest"
)

// Process 0 acquires the lock with token 33 and releases it, but never learns of that.
func ExampleParse() {
	h := checkertest.Parse(new(testing.T), "0 acquire, 0 ok f33, 0 release, 0 info")
	for _, o := range h {
		fmt.Println(o.Index, o.Process, o.Type, o.F, o.Value.Fence)
	}
	// Output:
	// 0 0 invoke acquire 0
	// 1 0 ok acquire 33
	// 2 0 invoke release 0
	// 3 0 info release 0
}
