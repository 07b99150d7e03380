package scenarios

import (
	"math/big"
	"reflect"
	"time"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/scenarios/locks"
)

// A Formula is a law that gives a bound by reckoning. All of them follow from the theorem of package locks, for a lock that
// keeps its rules, with T for the TTL and A for the allowance for drift, and where every clock but the one in question runs
// true. A reckoned bound is a safe one: at it the promise holds, whatever the network does. The one that is measured lies
// beyond it by what the law leaves out for that reason, as a run has some of it and may have none.
type Formula uint8

// The laws, under the names that scenarios use: restart-delay, fast-node, slow-client, none.
const (
	// RestartDelay is how long a node that lost its data must stay away: T - A. A validity that counts on a key was reckoned
	// from before the key was set, so it ends sooner than T - A after the loss. Left out are the time from the client's
	// first look at its clock to the crash (it makes the measured bound lower) and, where the promise takes a second
	// client to break it, the time until that client asks and is answered (lower still).
	RestartDelay Formula = iota

	// FastNode is how fast a node's clock may run: A / (T - A). The key lives for T / (1 + rate), and that must not be less
	// than the validity, T - A. Left out are the time from the client's first look at its clock until the node sets the
	// key, and what Redis keeps it beyond its TTL, to the end of its last millisecond; both make the measured bound
	// higher, by their sum over T - A.
	FastNode

	// SlowClient is how slow a client's clock may run: -A / T. The validity lasts for (T - A) / (1 + rate), and that must not
	// be more than the life of the key, T. Left out is the same as for FastNode; it makes the measured bound lower, by
	// its sum over T.
	SlowClient

	// NoBound is for the safe directions, in which nothing breaks however far it goes.
	NoBound
)

// FormulaNames lists the laws as scenarios write them.
var FormulaNames = []string{"restart-delay", "fast-node", "slow-client", "none"}

// laws are the formulas in words, what is left out of them, and the type of what they give; nil where that is nothing.
var laws = [...]struct {
	says, spare string
	of          reflect.Type
}{
	RestartDelay: {"T - A: no validity that counts on the lost key can last longer",
		"The measured bound may be lower, by the time that acquiring took, and by what a second client needs to come into it",
		reflect.TypeFor[time.Duration]()},
	FastNode: {"A / (T - A): at that rate the key is gone when the validity ends",
		"The measured bound may be higher, for the key is set later than validity is reckoned from, and kept a moment " +
			"longer, in Redis to the end of a millisecond",
		reflect.TypeFor[clock.Rate]()},
	SlowClient: {"-A / T: at that rate the validity ends when the key is gone",
		"The measured bound may be lower, for the key is set later than validity is reckoned from, and kept a moment " +
			"longer, in Redis to the end of a millisecond",
		reflect.TypeFor[clock.Rate]()},
	NoBound: {"none: in this direction a clock costs time, and breaks nothing", "", nil},
}

// Says returns the law in words, with T for the TTL and A for the allowance for drift.
func (f Formula) Says() string { return laws[f].says }

// Spare says on which side of the reckoned bound the measured one lies, and why; empty for NoBound.
func (f Formula) Spare() string { return laws[f].spare }

// Bound returns the bound for a lock with these rules, in nanoseconds or parts per billion. It is rounded to the safe side.
func (f Formula) Bound(r locks.Rules) int64 {
	a, t := r.Drift(), r.TTL
	switch f {
	case FastNode:
		return parts(a, t-a)
	case SlowClient:
		return -parts(a, t)
	}
	return int64(max(t-a, 0))
}

// Reckon returns the bound for a scenario's lock as text, in the form of the setting that varies.
func (f Formula) Reckon(k Setting, s *Scenario) string {
	if laws[f].of == nil {
		return "none"
	}
	return k.Shown(s, f.Bound(s.Reckoning()))
}

// Reckoning returns the rules that the laws go by. Where a lock is on a session its margin is the allowance for drift.
func (s *Scenario) Reckoning() locks.Rules {
	r := s.Lock.Rules
	if k := s.Lock.Kind.registered(); k != nil && k.Has("session.margin") {
		r.DriftFactor, r.DriftConstant = r.Session.Margin, 0
	}
	return r
}

// fits reports whether the law gives what the setting takes.
func (f Formula) fits(k Setting, s *Scenario) bool {
	of := laws[f].of
	return of == nil || k.at(s).Type() == of
}

// parts is a/b in parts per billion, rounded down. Where no validity is left, b is not positive, and any rate will do: it is
// the highest that a clock can have.
func parts(a, b time.Duration) int64 {
	const perfect = 1_000_000_000
	if b <= 0 {
		return int64(clock.RateMax)
	}
	n := new(big.Int).Mul(big.NewInt(int64(a)), big.NewInt(perfect))
	n.Div(n, big.NewInt(int64(b)))
	if !n.IsInt64() {
		return int64(clock.RateMax)
	}
	return min(n.Int64(), int64(clock.RateMax))
}
