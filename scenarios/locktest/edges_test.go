package locktest_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/scenarios/locks"
	"github.com/lockstorm/lockstorm/scenarios/locktest"
)

func anyTTL(t *testing.T, lock locktest.Constructor) {
	locktest.Fuzz(t, "single/any", lock, locktest.AnyTTL(), locktest.Seeds(60))
}

// sends returns a lock that sends its TTL in its own way, and counts on all of it.
func sends(words func(ttl time.Duration) []string) locktest.Constructor {
	return ways{take: func(l *stranger, c locks.Client, server int, token string) bool {
		reply, ok := l.call(c, server, append([]string{"SET", l.Key, token, "NX"}, words(l.TTL)...)...)
		return ok && reply == "OK"
	}}.made()
}

var (
	// cut sends it in 32 bits.
	cut = sends(func(ttl time.Duration) []string {
		return []string{"PX", strconv.FormatUint(uint64(uint32(ttl.Milliseconds())), 10)}
	})
	// rounded sends at least one millisecond, and refuses nothing itself.
	rounded = sends(func(ttl time.Duration) []string {
		return []string{"PX", strconv.FormatInt(max(ttl.Milliseconds(), 1), 10)}
	})
)

// An endless lock has no end if its TTL is 0.
func newEndless(c locks.Config) locks.Lock { return &endless{stranger{Config: c}} }

type endless struct{ stranger }

func (l *endless) Acquire(c locks.Client) locks.Grant {
	if l.TTL != 0 {
		return l.stranger.Acquire(c)
	}
	token := c.Token()
	if reply, ok := l.call(c, l.Servers[0], "SET", l.Key, token, "NX"); !ok || reply != "OK" {
		return locks.Grant{Outcome: locks.NoQuorum}
	}
	return locks.Grant{Token: token, Votes: 1, Deadline: locks.NoDeadline}
}

// unasked takes no look at the time that is left.
var unasked = ways{anyTime: true, take: func(l *stranger, c locks.Client, server int, token string) bool {
	reply, ok := l.call(c, server, "SET", l.Key, token, "NX")
	if ok && reply == "OK" {
		l.call(c, server, "PEXPIRE", l.Key, l.px())
	}
	return ok && reply == "OK"
}}.made()

// A search takes no longer with a TTL of weeks, accuses no right lock of any TTL, and finds one that cuts it. The find has
// the TTL, and is tried with no other.
func TestSearchesTakeTTLsAboveTheirBits(t *testing.T) {
	for _, name := range []string{"any TTL right", "any TTL rounded"} {
		if text, passes := output(t, t.TempDir(), name); !passes {
			t.Errorf("%s: a right lock is called broken:\n%s", name, text)
		}
	}
	text := red(t, t.TempDir(), "any TTL cut", `FAIL: TestCase/ttl=1193h2m48.296s/single/any`, `validity`)
	_, find, _ := strings.Cut(text, "LOCKSTORM_FIND='")
	find, _, _ = strings.Cut(find, "'")
	t.Setenv("LOCKSTORM_FIND", find)
	red(t, t.TempDir(), "any TTL cut", "it still breaks as when it was found")
	again, passes := output(t, t.TempDir(), "any TTL right", "-test.v")
	if !passes || strings.Contains(again, "TestCase/ttl=") || !strings.Contains(find, " lock.ttl=1193h2m48.296s") {
		t.Errorf("%s breaks a right lock, is tried with other TTLs too, or lacks its own:\n%s", find, again)
	}
}

// A lock without an end leaves its key when its client crashes. What comes with a TTL that has passed is late.
func TestNoTTLMeansNoEnd(t *testing.T) {
	text := red(t, t.TempDir(), "any TTL endless", `FAIL: TestCase/ttl=0s `, `leak-free should hold, and is violated`,
		`-run '\^TestCase\$/\^ttl=0s\$/\^seed=\d+\$'`)
	if strings.Contains(text, "FAIL: TestCase/ttl=-1s") || strings.Contains(text, "FAIL: TestCase/ttl=500µs") {
		t.Errorf("other TTLs fail too:\n%s", text)
	}
	red(t, t.TempDir(), "any TTL unasked", `FAIL: TestCase/ttl=0s `, `FAIL: TestCase/ttl=-1s`, `FAIL: TestCase/ttl=500µs`,
		"no validity was left")
}

// A watchdog that sleeps a third of the TTL never sleeps if that is 0, and each run takes all the steps that it may. That
// shows nothing of the lock, so it is skipped and no failure. Half a millisecond has a third.
func TestAWatchdogWithoutTimeIsNotCalledBroken(t *testing.T) {
	text, passes := output(t, t.TempDir(), "any TTL watchdog", "-test.v")
	for _, want := range []string{"--- SKIP: TestCase/ttl=0s ", "--- SKIP: TestCase/ttl=-1s ", "must sleep for some time",
		"--- PASS: TestCase/ttl=500µs ", "--- PASS: TestCase/ttl=1193h2m48.296s "} {
		if !passes || !strings.Contains(text, want) {
			t.Errorf("passes: %t, and it does not say %q:\n%.3000s", passes, want, text)
		}
	}
}
