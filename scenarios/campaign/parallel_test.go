package campaign

import (
	"strings"
	"sync/atomic"
	"testing"
)

// The panic reaches the caller, who can report it as what it is. Left on a separate goroutine, it would end the process
// with 2, which says that a verdict is unknown.
func TestPanicInParallelReachesTheCaller(t *testing.T) {
	var done atomic.Int32
	defer func() {
		if p, ok := recover().(string); !ok || !strings.HasPrefix(p, "the third\n") || !strings.Contains(p, "parallel_test.go") || done.Load() < 2 || done.Load() > 99 {
			t.Errorf("%d are done, and it panics with %v", done.Load(), p)
		}
	}()
	Parallel(4, 100, func(i int) {
		if i == 2 {
			panic("the third")
		}
		done.Add(1)
	})
}
