package arithmetic

import (
	"time"

	"github.com/lockstorm/lockstorm/scenarios/locks"
)

// Rules are the arithmetic of a lock. A law does not call a function that is nil; the others judge as far as they can.
type Rules struct {
	// Quorum returns how many votes win the lock on a number of nodes, given how many answered.
	Quorum func(nodes, answered int) int

	// Wins reports whether a number of votes wins the lock. It is for locks that compare and don't compute.
	Wins func(nodes, votes int) bool

	// Sent returns the TTL as the servers get it, in units of Unit. Tests use TTLs of whole milliseconds.
	Sent func(ttl time.Duration) int64
	Unit time.Duration // 0 is a millisecond

	// Allowance returns what is taken off the validity for clocks that run at different rates.
	Allowance func(ttl time.Duration) time.Duration

	// Validity returns how long the lock is valid after an attempt that took elapsed; not positive: it is not held.
	Validity func(ttl, elapsed time.Duration) time.Duration

	// Accepts reports whether an attempt that took elapsed may win; nil is "if the validity is positive".
	Accepts func(ttl, elapsed time.Duration) bool

	// Extended returns the client's deadline after an extension, all on one clock.
	Extended func(ttl, asked, answered time.Duration) time.Duration

	// Away returns how long a node that lost its data stays away after a crash.
	Away func(ttl time.Duration) time.Duration

	Drift int           // by how many parts per million any clock may be wrong; 0 for clocks that are right
	Grain time.Duration // elapsed times and moments are whole multiples of it; 0 is a nanosecond
}

// Of returns the arithmetic of our lock with these rules. The caller adds Drift and Away.
func Of(r locks.Rules) Rules {
	with := func(ttl time.Duration) locks.Rules {
		r := r
		r.TTL = ttl
		return r
	}
	return Rules{
		Quorum:    func(nodes, _ int) int { return r.Votes(nodes) },
		Sent:      func(ttl time.Duration) int64 { return ttl.Milliseconds() },
		Allowance: func(ttl time.Duration) time.Duration { return with(ttl).Drift() },
		Validity:  func(ttl, elapsed time.Duration) time.Duration { return with(ttl).Validity(elapsed) },
		Accepts: func(ttl, elapsed time.Duration) bool {
			return !r.ValidityCheck || with(ttl).Validity(elapsed) > 0
		},
		Extended: func(ttl, asked, answered time.Duration) time.Duration {
			return answered + with(ttl).Validity(answered-asked)
		},
	}
}

func (r *Rules) unit() time.Duration {
	if r.Unit <= 0 {
		return time.Millisecond
	}
	return r.Unit
}

func (r *Rules) grain() time.Duration { return max(r.Grain, 1) }

func (r *Rules) grained(ns int64) time.Duration { return time.Duration(ns).Truncate(r.grain()) }

// kept returns how long a server keeps the key; 0 if what was sent is no time.
func (r *Rules) kept(ttl time.Duration) time.Duration {
	if r.Sent == nil {
		return ttl
	}
	sent, unit := r.Sent(ttl), r.unit()
	switch {
	case sent <= 0:
		return 0
	case sent > int64(longest/unit):
		return longest
	}
	return time.Duration(sent) * unit
}

// longest bounds all times of this package: a century.
const longest = 100 * 365 * 24 * time.Hour
