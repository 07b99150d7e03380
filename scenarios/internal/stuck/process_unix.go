//go:build unix

package stuck

import (
	"syscall"
	"time"
)

// ProcessTime returns the CPU time that the process has used. On a busy machine it passes only while the process runs.
func ProcessTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err) // the call can fail only for a bad argument
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
