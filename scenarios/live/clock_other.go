//go:build !linux

package live

import "time"

var began = time.Now()

// monotonic returns the time since the process began. No live run is made here: see supported.
func Monotonic() int64 { return int64(time.Since(began)) }

// wallClock returns what the wall clock shows.
func wallClock() int64 { return time.Now().UnixNano() }

func nap(d time.Duration) { time.Sleep(d) }
