package guest

import (
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/scenarios"
)

// A Kind is a library as a kind of lock.
type Kind struct {
	Name    string         // as scenarios write it
	About   string         // what it is, in a few words
	Like    scenarios.Kind // the lock of ours by whose rules it is judged, on whose platform it runs
	Extends bool           // a hold can be extended
	Key     string         // under which it keeps the lock, where that isn't the name that it is told
	Lock    Constructor

	Shortest time.Duration // the shortest TTL that it takes
}

// Options are what every library takes from a scenario: how long a lock lives, how long it waits for a node, and what the
// workload does around it.
var options = []string{"ttl", "timeout", "retry."}

// renewing are the options of those that extend a hold.
var renewing = []string{"renew.every", "renew.attempts", "renew.stop_at_release"}

// Add adds the library to the kinds of locks. Its runs are made in bubbles of the test.
func (k Kind) Add(t *testing.T) error {
	g := scenarios.Guest{Name: k.Name, About: k.About, Like: k.Like, Options: options, Shortest: k.Shortest, Host: k.host(t)}
	if k.Extends {
		g.Options = append(renewing, options...)
	}
	return scenarios.AddGuest(g)
}

// host makes the library's runs, in which its key is watched.
func (k Kind) host(t *testing.T) scenarios.Host {
	return func(r *scenarios.Runner, s *scenarios.Scenario, seed uint64) *scenarios.Result {
		keyed := *s
		keyed.Lock.Key = k.Key
		res := host(t, r, &keyed, seed, k.Lock)
		res.Scenario = s
		return res
	}
}
