package locks

import "time"

// A Config says how a lock behaves. Each rule that the Redis documentation gives is one field, so that a mutant is the
// reference with one field turned. Begin with Reference.
type Config struct {
	Key     string        // the name of the lock
	Servers []int         // the servers, as Client.Call knows them
	TTL     time.Duration // how long the key lives on each server, unless it is released; whole milliseconds
	Timeout time.Duration // how long to wait for one server; small against the TTL, so that a dead one costs little
	Contact Contact       // whether servers are asked one after the other, or all at once
	Quorum  int           // servers that must grant; 0 means a majority
	Clock   Clock         // the clock that elapsed time and validity are counted on

	DriftFactor   int           // allowance for clocks that run at different rates, in millionths of the TTL
	DriftConstant time.Duration // allowance for the coarseness of expiry, and for very short TTLs

	FreshToken     bool    // draw a new token for every attempt, not one for the life of the client
	ValidityCheck  bool    // step three: an attempt without validity left has failed
	DeductElapsed  bool    // count validity from before the first request, not from after the last reply
	CompareRelease bool    // release by a script that compares the token, not by a plain DEL
	Cleanup        Cleanup // whom a failed attempt is released on

	Retry Retry                                  // between attempts
	Fence func(c Client) (token uint64, ok bool) // where fencing tokens come from; nil for nowhere
}

// Reference is the lock as the Redis documentation describes it, with the figures of its first implementation.
func Reference(key string, servers []int) Config {
	return Config{
		Key: key, Servers: servers,
		TTL: 10 * time.Second, Timeout: 50 * time.Millisecond,
		DriftFactor: 10_000, DriftConstant: 2 * time.Millisecond,
		FreshToken: true, ValidityCheck: true, DeductElapsed: true, CompareRelease: true,
		Retry: Retry{Min: 50 * time.Millisecond, Max: 250 * time.Millisecond},
	}
}

// Majority is the least number of n servers such that any two groups of that size share one: ⌊n/2⌋+1.
func Majority(n int) int { return n/2 + 1 }

// Need is how many servers must grant the lock.
func (c Config) Need() int {
	if c.Quorum > 0 {
		return c.Quorum
	}
	return Majority(len(c.Servers))
}

// Drift is the allowance for clocks that run at different rates: TTL × factor + constant.
func (c Config) Drift() time.Duration {
	return c.TTL/1_000_000*time.Duration(c.DriftFactor) +
		c.TTL%1_000_000*time.Duration(c.DriftFactor)/1_000_000 + c.DriftConstant
}

// Validity is how long the lock may be relied upon, once an attempt has taken this long: TTL − elapsed − drift.
func (c Config) Validity(elapsed time.Duration) time.Duration {
	if !c.DeductElapsed {
		elapsed = 0
	}
	return c.TTL - elapsed - c.Drift()
}

// A Contact is the order in which servers are asked.
type Contact uint8

// The orders, under the names that scenarios use: sequential, parallel.
const (
	Sequential Contact = iota
	Parallel
)

// ContactNames lists the orders as scenarios write them.
var ContactNames = []string{"sequential", "parallel"}

// A Clock is one of a client's two clocks.
type Clock uint8

// The clocks, under the names that scenarios use: monotonic, wall.
const (
	Monotonic Clock = iota
	Wall
)

// ClockNames lists the clocks as scenarios write them.
var ClockNames = []string{"monotonic", "wall"}

// A Cleanup says on which servers a failed attempt is released.
type Cleanup uint8

// The ways to clean up, under the names that scenarios use: all, answered, none. A server that did not answer may hold
// the key all the same: its reply was late, or lost.
const (
	CleanAll Cleanup = iota
	CleanAnswered
	CleanNone
)

// CleanupNames lists the ways to clean up as scenarios write them.
var CleanupNames = []string{"all", "answered", "none"}
