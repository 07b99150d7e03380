package live

import (
	"syscall"
	"time"
	"unsafe"
)

// The clocks of Linux, by their numbers.
const (
	realtimeClock  = 0
	monotonicClock = 1
)

// Monotonic returns what CLOCK_MONOTONIC shows, which is the same in all processes of the machine.
func Monotonic() int64 { return readClock(monotonicClock) }

// wallClock returns what CLOCK_REALTIME shows.
func wallClock() int64 { return readClock(realtimeClock) }

func readClock(id uintptr) int64 {
	var t syscall.Timespec
	_, _, _ = syscall.Syscall(syscall.SYS_CLOCK_GETTIME, id, uintptr(unsafe.Pointer(&t)), 0) // it can't fail for these clocks
	return t.Nano()
}

// nap sleeps for less than a millisecond. Go's own timers are that coarse while a process has nothing else to do.
func nap(d time.Duration) {
	t := syscall.NsecToTimespec(int64(d))
	_ = syscall.Nanosleep(&t, nil) // one that is interrupted is short enough
}
