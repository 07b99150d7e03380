package stuck

import (
	"syscall"
	"time"
)

// ProcessTime returns the CPU time that the process has used. On a busy machine it passes only while the process runs.
func ProcessTime() time.Duration {
	var made, ended, kernel, user syscall.Filetime
	self, err := syscall.GetCurrentProcess()
	if err == nil {
		err = syscall.GetProcessTimes(self, &made, &ended, &kernel, &user)
	}
	if err != nil {
		panic(err) // the calls can fail only for a bad argument
	}
	ticks := func(t syscall.Filetime) int64 { return int64(t.HighDateTime)<<32 + int64(t.LowDateTime) } // of 100 ns
	return time.Duration(100 * (ticks(kernel) + ticks(user)))
}
