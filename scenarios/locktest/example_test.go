package locktest_test

import (
	"fmt"
	"strconv"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/locks"
	"github.com/lockstorm/lockstorm/scenarios/locktest"
	"github.com/lockstorm/lockstorm/scenarios/scenariostest"
)

// An unsafe is the lock of many a blog post: SET NX PX, and a DEL that does not look whose key it deletes.
type unsafe struct{ locks.Config }

func newUnsafe(c locks.Config) locks.Lock { return unsafe{c} }

func (l unsafe) Acquire(c locks.Client) locks.Grant {
	start, token := c.Mono(), c.Token()
	ttl := strconv.FormatInt(l.TTL.Milliseconds(), 10)
	reply, err := c.Call(l.Servers[0], []string{"SET", l.Key, token, "NX", "PX", ttl}, l.Timeout)
	if err != nil || reply != "OK" {
		return locks.Grant{Outcome: locks.NoQuorum}
	}
	g := locks.Grant{Token: token, Votes: 1, Deadline: start + l.TTL}
	if c.Mono() >= g.Deadline {
		g.Outcome, g.Clean = locks.TooLate, l.Release(c, g)
	}
	return g
}

func (l unsafe) Release(c locks.Client, _ locks.Grant) bool {
	reply, err := c.Call(l.Servers[0], []string{"DEL", l.Key}, l.Timeout)
	return err == nil && reply == int64(1)
}

// The one test that a lock needs: all scenarios that fit it, and a search.
func ExampleTest() {
	TestMyLock := func(t *testing.T) {
		locktest.Test(t, newUnsafe)
	}
	_ = TestMyLock
}

// A renewing is a lock with a watchdog around a lock that can be extended, here the catalogue's. While the lock is held,
// the watchdog extends it every third of the TTL. It stops at the release.
type renewing struct {
	*locks.Redlock
	ttl   time.Duration
	held  locks.Grant                               // what the watchdog extends; without a token for nothing
	moved func(c locks.Client, until time.Duration) // the holder follows it
}

func newRenewing(c locks.Config) locks.Lock {
	return &renewing{Redlock: locks.NewRedlock(c), ttl: c.TTL}
}

func (l *renewing) Acquire(c locks.Client) locks.Grant {
	g := l.Redlock.Acquire(c)
	if g.Won() {
		l.held = g
	}
	return g
}

func (l *renewing) Release(c locks.Client, g locks.Grant) bool {
	l.held = locks.Grant{}
	return l.Redlock.Release(c, g)
}

func (l *renewing) OnDeadline(do func(c locks.Client, until time.Duration)) { l.moved = do }

func (l *renewing) Keep(c locks.Client) {
	for {
		c.Sleep(l.ttl / 3)
		g := l.held
		if g.Token != "" && l.Extend(c, &g) && l.held.Token == g.Token { // it may be released meanwhile
			l.held = g
			l.moved(c, g.Deadline)
		}
	}
}

// A lock with a watchdog. A search of single/any tries it in single/renewed too, where work takes longer than the TTL.
// A holder that knows no deadline returns [locks.NoDeadline]; it is tried as Redisson's lock, with [locktest.On].
func ExampleFuzz_watchdog() {
	TestMyLock := func(t *testing.T) {
		locktest.Fuzz(t, "single/any", newRenewing)
	}
	_ = TestMyLock
}

// A test of a lock of yours. For this one it is red: the second client's lock is deleted by the first.
func ExampleRun() {
	TestMyLock := func(t *testing.T) {
		locktest.Run(t, "distlock/blind-delete", newUnsafe, locktest.On("single"))
	}
	_ = TestMyLock
}

// A search for faults that break a lock on one server. The lock must keep what its kind keeps under such faults.
func ExampleFuzz() {
	TestMyLock := func(t *testing.T) {
		locktest.Fuzz(t, "single/any", newUnsafe, locktest.Seeds(5000))
	}
	_ = TestMyLock
}

// Storage must lose no update whatever happens, which no lock alone can keep: it is asked for by name.
func ExampleEverything() {
	TestMyLock := func(t *testing.T) {
		locktest.Fuzz(t, "single/any", newUnsafe, locktest.Everything(), locktest.Faults("pause"))
	}
	_ = TestMyLock
}

// A lock of yours in a property of yours, which draws the universe, and may ask of it whatever it likes.
func ExampleCheck() {
	s, err := scenarios.Open("single/any")
	if err != nil {
		fmt.Println(err)
		return
	}
	universes := scenariostest.Universes(&s)
	drawn := 0
	property := func(rt *rapid.T) {
		u := universes.Draw(rt, "universe")
		u.Work.Cycles = rapid.IntRange(1, 4).Draw(rt, "cycles")
		locktest.Check(rt, u, newReference) // in its place, mylock.New
		drawn++
	}
	rapid.Check(new(quiet), property) // in a test: rapid.Check(t, property)
	fmt.Println(drawn >= 8)           // as many as rapid draws with -short
	// Output: true
}

// A quiet test takes the place of a *testing.T.
type quiet struct{ testing.TB }

func (*quiet) Helper()                      {}
func (*quiet) Name() string                 { return "TestMyLock" }
func (*quiet) Logf(string, ...any)          {}
func (*quiet) Failed() bool                 { return false }
func (*quiet) Errorf(f string, args ...any) { fmt.Printf(f, args...) }
