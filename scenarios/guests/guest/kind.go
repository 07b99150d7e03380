package guest

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/locks"
)

// A Kind is a library as a kind of lock.
type Kind struct {
	Name    string         // as scenarios write it
	About   string         // what it is, in a few words
	Like    scenarios.Kind // our own lock whose rules and platform it has
	Extends bool           // a hold can be extended
	Key     string         // under which it keeps the lock, if not the scenario's key
	Lock    Constructor
	Wire    func(id int64) Wire // of its nth connection; nil for Redis's
	Watches bool                // a holder that stops at its deadline also checks while working if it lost the lock
	Service bool                // the nodes are one service; a library asks any; its calls say what was acknowledged

	Shortest time.Duration // the shortest TTL that it takes
	Longer   time.Duration // than the TTL: how long its keys live beyond it
}

// Options are what every library uses of a scenario: the lifetime of a lock, how long it waits for a node, and what
// the workload does around it.
var options = []string{"ttl", "timeout", "retry."}

// renewing are the options of libraries that extend a hold.
var renewing = []string{"renew.every", "renew.attempts", "renew.stop_at_release"}

// Add adds the library to the kinds of locks. Its runs are made in bubbles of the test.
func (k Kind) Add(t *testing.T) error {
	g := scenarios.Guest{Name: k.Name, About: k.About, Like: k.Like, Options: options, Run: k.bubble(t),
		Shortest: k.Shortest, Longer: k.Longer}
	if k.Extends {
		g.Options = append(renewing, options...)
	}
	return scenarios.AddGuest(g)
}

// bubble returns what performs the library's runs, in which its key is watched.
func (k Kind) bubble(t *testing.T) scenarios.GuestRun {
	return func(r *scenarios.Runner, s *scenarios.Scenario, seed uint64) *scenarios.Result {
		keyed := *s
		keyed.Lock.Key = cmp.Or(k.Key, s.Lock.Key)
		lock := guestLock{k.Lock, k.Wire, k.Watches, k.Service}
		if lock.wire == nil {
			lock.wire = newRedisWire
		}
		res := inBubble(t, r, &keyed, seed, lock)
		res.Scenario = s
		return res
	}
}

// Check returns why a scenario can't have guests, with advice; nil if it can.
func Check(s *scenarios.Scenario) error {
	switch {
	case s.Lock.Kind != scenarios.Redlock && s.Lock.Kind != scenarios.Single && !s.Lock.Kind.Added() && !s.Hosted():
		return errNoServers
	case s.Lock.Patience > 0:
		return errors.New("lock.patience: a library has its own limit; leave this out, and set that in the adapter")
	case s.Lock.Clock != locks.Monotonic:
		return fmt.Errorf("lock.clock is %s, but a library uses Go's monotonic clock; choose monotonic", locks.ClockNames[s.Lock.Clock])
	}
	hosted := *s
	hosted.Lock.New, hosted.Lock.Run = nil, Bubble(nil, nil)
	return hosted.Check()
}

// errNoServers is for scenarios that have no servers a guest could speak to.
var errNoServers = errors.New("its lock runs on no Redis nodes, and guests talk only to those: " +
	"give one of the kinds redlock and single")

// Main runs a program with guests. Bubbles exist in tests only, so the program becomes a test. Main calls do with it,
// and do should end the process itself. The program's user can't set the flags of tests.
func Main(do func(t *testing.T)) {
	testing.Init()
	if err := flag.CommandLine.Parse(nil); err != nil { // else they would be read from the command line
		panic(err)
	}
	all := func(string, string) (bool, error) { return true, nil }
	testing.Main(all, []testing.InternalTest{{Name: "program", F: do}}, nil, nil)
}
