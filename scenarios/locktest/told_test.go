package locktest_test

import (
	"strings"
	"testing"
)

// A lock that deletes blindly fails in most scenarios. The first failures are reported whole, the others by reason
// and the command that repeats them. A promise about ticks is no lock's, so no search accuses a lock of breaking it.
func TestALockThatFailsEverywhereDoesNotFillTheScreen(t *testing.T) {
	t.Setenv("LOCKTEST_WHOLE", "1")
	text, passes := "", true
	for _, s := range novices {
		if strings.Contains(s.says, "DEL") {
			text, passes = tried(t, s, 100)
		}
	}
	whole := strings.Count(text, "From the clients' calls alone:")
	if passes || whole > 3+9 { // each search reports its own too
		t.Errorf("passes: %v; %d failures are reported whole, in %d lines:\n%.3000s", passes, whole, strings.Count(text, "\n"), text)
	}
	if strings.Contains(text, "\n            once: broken") || strings.Contains(text, ", once:") {
		t.Error("a search accuses the lock of a job that was done twice")
	}
}
