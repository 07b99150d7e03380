package work

import (
	"fmt"
	"runtime"

	"github.com/spf13/pflag"
)

// AddWorkers adds --workers.
func AddWorkers(f *pflag.FlagSet, n *int) {
	f.IntVar(n, "workers", 0, "make `N` runs side by side; 0 for as many as there are cores")
}

// CheckWorkers refuses a negative number, and makes 0 the number of cores.
func CheckWorkers(n *int) error {
	if *n < 0 {
		return fmt.Errorf("--workers: %d is negative; give 0 for as many as there are cores", *n)
	}
	if *n == 0 {
		*n = runtime.GOMAXPROCS(0)
	}
	return nil
}
