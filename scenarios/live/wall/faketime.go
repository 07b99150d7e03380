package wall

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// This file is libfaketime, which steps clocks without a C compiler. It is written for Debian's faketime 0.9.10.

// errStepsOnly says why libfaketime is not enough.
var errStepsOnly = errors.New("libfaketime can step a clock, and nothing else; with a C compiler (cc) Lockstorm does the rest")

// faketimePlaces is where systems have the library.
var faketimePlaces = []string{
	"/usr/lib/*/faketime/libfaketime.so.1", "/usr/lib*/faketime/libfaketime.so.1", "/usr/lib*/libfaketime.so.1",
	"/usr/local/lib/faketime/libfaketime.so.1",
}

// Faketime returns the file of libfaketime.
func Faketime() (library string, err error) {
	for _, pattern := range faketimePlaces {
		if found, _ := filepath.Glob(pattern); len(found) > 0 {
			return found[0], nil
		}
	}
	return "", errors.New("there is no libfaketime; on Debian: apt-get install faketime")
}

func isFaketime(library string) bool {
	return strings.HasPrefix(filepath.Base(library), "libfaketime.")
}

// setFaketime replaces the file in one step, because a process may read it at any moment.
func (c *Clock) setFaketime(step time.Duration) error {
	next := c.steps + ".next"
	if err := os.WriteFile(next, fmt.Appendf(nil, "%+.9f\n", step.Seconds()), 0o644); err != nil {
		return err
	}
	return os.Rename(next, c.steps)
}

// faketimeEnviron makes libfaketime read the file at each look at the clock; otherwise a step is seen seconds late.
// Debian's redis-server uses jemalloc, which asks for the time before libfaketime is ready. Both hang unless libc
// comes before it in the order of symbols.
func (c *Clock) faketimeEnviron() []string {
	return []string{
		"LD_PRELOAD=" + c.library + ":libc.so.6", "FAKETIME_TIMESTAMP_FILE=" + c.steps,
		"FAKETIME_NO_CACHE=1", "FAKETIME_DONT_FAKE_MONOTONIC=1",
	}
}

// Forget removes what libfaketime leaves of a process that was killed.
func Forget(pid int) {
	_ = os.Remove(fmt.Sprintf("/dev/shm/faketime_shm_%d", pid))
	_ = os.Remove(fmt.Sprintf("/dev/shm/sem.faketime_sem_%d", pid))
}
