//go:build unix

package stuck

import (
	"syscall"
	"time"
)

// ProcessTime returns how much of the processor's time the process has used: on a busy machine it does not pass while
// others run.
func ProcessTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err) // the call can fail only for a bad argument
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
