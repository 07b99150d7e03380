package locktest_test

import (
	"strings"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/locks"
)

// A dog is a lock with a watchdog: a stranger that extends what it holds every third of the TTL until it is released.
// Without its own ways it is right.
type dog struct {
	lock stranger
	dogWays
	held  locks.Grant // what the watchdog extends; without a token for nothing
	moved func(c locks.Client, until time.Duration)
}

// dogWays are what differs from the plain watchdog.
type dogWays struct {
	ways
	endless  bool                                  // the holder acts until it releases: it knows no deadline
	outlives bool                                  // a release does not stop the watchdog
	every    func(ttl time.Duration) time.Duration // between extensions

	// again reports whether the watchdog lives after an extension.
	again func(l *stranger, c locks.Client, extended bool) bool
}

func (w dogWays) made() func(locks.Config) locks.Lock {
	return func(c locks.Config) locks.Lock { return &dog{lock: stranger{Config: c, ways: w.ways}, dogWays: w} }
}

func (d *dog) Acquire(c locks.Client) locks.Grant {
	g := d.lock.Acquire(c)
	if !g.Won() {
		return g
	}
	if d.endless {
		g.Deadline = locks.NoDeadline
	}
	d.held = g
	return g
}

func (d *dog) Release(c locks.Client, g locks.Grant) bool {
	if !d.outlives {
		d.held = locks.Grant{}
	}
	return d.lock.Release(c, g)
}

func (d *dog) OnDeadline(do func(c locks.Client, until time.Duration)) { d.moved = do }

func (d *dog) Keep(c locks.Client) {
	every := d.lock.TTL / 3
	if d.every != nil {
		every = d.every(d.lock.TTL)
	}
	for {
		c.Sleep(every)
		g := d.held
		if g.Token == "" {
			continue
		}
		extended := d.lock.Extend(c, &g)
		if extended && d.held.Token == g.Token {
			if d.endless {
				g.Deadline = locks.NoDeadline
			}
			d.held = g
			d.moved(c, g.Deadline)
		}
		if d.again != nil && !d.again(&d.lock, c, extended) {
			return
		}
	}
}

// watchdogs are right locks with a watchdog.
var watchdogs = []sample{
	{"watchdog", "a watchdog, as the example has it", "single/any", "", newRenewing},
	{"watchdog-of-several", "a watchdog that asks a majority of the servers, all at once", "redlock/any", "",
		dogWays{ways: ways{parallel: true}}.made()},
	{"watchdog-impatient", "a watchdog that tries again soon after an extension that failed", "single/any", "",
		dogWays{again: func(l *stranger, c locks.Client, extended bool) bool {
			if !extended {
				c.Sleep(l.TTL / 20)
			}
			return true
		}, every: func(ttl time.Duration) time.Duration { return ttl / 5 }}.made()},
	{"watchdog-endless", "a watchdog whose holder knows no deadline, like Redisson's", "single/any", "redisson",
		dogWays{endless: true}.made()},
}

// watchdogBugs are wrong ones.
var watchdogBugs = []sample{
	{"watchdog-outlives-release", "watchdog: it extends after the release, too", "single/any", "",
		dogWays{outlives: true}.made()},
	{"watchdog-runs-once", "watchdog: it extends once, and the holder acts as if it did so for ever", "single/any",
		"redisson", dogWays{endless: true, again: func(*stranger, locks.Client, bool) bool { return false }}.made()},
	{"watchdog-silence-is-a-yes", "watchdog: an extension without an answer counts", "single/any", "",
		dogWays{ways: ways{prolong: silenceIsAYes}}.made()},
	{"watchdog-from-the-answer", "watchdog: the new deadline is counted from the answer", "single/any", "",
		dogWays{ways: ways{extended: func(l *stranger, _, _, now time.Duration) (time.Duration, bool) {
			return now + l.TTL - l.Drift(), true
		}}}.made()},
	{"watchdog-extends-anybodys", "watchdog: PEXPIRE without a look at the owner", "redlock/any", "",
		dogWays{ways: ways{parallel: true, prolong: anybodys}}.made()},
	{"watchdog-late", "watchdog: it extends after more than the TTL, and the holder acts as if in time", "single/any",
		"redisson", dogWays{endless: true, every: func(ttl time.Duration) time.Duration { return ttl + ttl/4 }}.made()},
	{"watchdog-dies", "watchdog: an extension that fails ends it, and the holder acts as if it lived", "single/any",
		"redisson", dogWays{endless: true, again: whileExtended}.made()},
	{"watchdog-restarts", "watchdog: it sets a key that is gone anew, with the old token", "single/any", "",
		dogWays{ways: ways{prolong: func(l *stranger, c locks.Client, server int, token string) bool {
			return plainProlong(l, c, server, token) || plainTake(l, c, server, token)
		}, extended: func(l *stranger, _, start, now time.Duration) (time.Duration, bool) {
			deadline := start + l.TTL - l.Drift()
			return deadline, now < deadline
		}}}.made()},
}

func whileExtended(_ *stranger, _ locks.Client, extended bool) bool { return extended }

// The holder of a lock that keeps itself alive follows its deadline: it works on after the first.
func TestHolderFollowsTheWatchdog(t *testing.T) {
	s, _ := scenarios.Find("single/renewed")
	s.Search, s.Lock.New = scenarios.Search{}, newRenewing
	longest := time.Duration(0)
	for seed := range uint64(10) {
		res := scenarios.Run(s, seed+1)
		for _, f := range res.Findings {
			if f.Verdict != checker.Holds {
				t.Errorf("seed %d: %s is %s", seed+1, f.Property, f.Verdict)
			}
		}
		for _, h := range res.Evidence.Holds {
			longest = max(longest, h.Gone.Sub(h.From))
		}
	}
	if longest < 2*s.Lock.TTL {
		t.Errorf("with a TTL of %s no holder worked for longer than %s", s.Lock.TTL, longest)
	}
}

// A lock with a watchdog that is tried as Redisson's is skipped only where the lock itself counts tokens.
func TestWatchdogIsTriedAsRedissons(t *testing.T) {
	text, passes := output(t, t.TempDir(), "watchdog", "-test.v")
	if skipped := strings.Count(text, "--- SKIP: TestCase/redisson/fenced"); !passes || skipped != 2 ||
		skipped != strings.Count(text, "--- SKIP") || !strings.Contains(text, "--- PASS: TestCase/redisson/watchdog") {
		t.Errorf("passes: %t, and it skips other scenarios than the two of fenced locks:\n%s", passes, text)
	}
}

// A search of X/any tries a lock that can be extended in X/renewed too, and no other.
func TestSearchTriesExtensionsByDefault(t *testing.T) {
	for name, want := range map[string]bool{"watchdog searched": true, "any wrong": false} {
		text, _ := output(t, t.TempDir(), name, "-test.v")
		if got := strings.Contains(text, "TestCase/single/renewed"); got != want {
			t.Errorf("%s: in single/renewed: %t\n%s", name, got, text)
		}
	}
}
