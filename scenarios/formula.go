package scenarios

import (
	"math/big"
	"reflect"
	"time"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/scenarios/locks"
)

// A Formula is a law by which a bound is computed. Every law follows from the theorem of package locks, for a lock
// that keeps its rules, if every clock but the one in question runs true. T is the TTL and A the allowance for drift.
// A computed bound is a safe one: at it the promise holds, whatever the network does. The measured bound lies beyond
// it by the times that the law leaves out, because a run does not always have them.
type Formula uint8

// The laws, under the names that scenarios use: restart-delay, fast-node, slow-client, none.
const (
	// RestartDelay is how long a node that lost its data must stay away: T - A. A validity that counts on a key was
	// computed from before the key was set, so it ends sooner than T - A after the loss. The law leaves out the time
	// from the client's first look at its clock to the crash; and, if it takes a second client to break the promise,
	// the time until that client asks and is answered. Both make the measured bound lower.
	RestartDelay Formula = iota

	// FastNode is how fast a node's clock may run: A / (T - A). The key lives for T / (1 + rate), and that must not be
	// less than the validity, T - A. The law leaves out the time from the client's first look at its clock until the
	// node sets the key, and the rest of the last millisecond, for which Redis keeps the key. Both make the measured
	// bound higher, by their sum over T - A.
	FastNode

	// SlowClient is how slow a client's clock may run: -A / T. The validity lasts for (T - A) / (1 + rate), and that
	// must not be more than the life of the key, T. The law leaves out the same as FastNode; it makes the measured
	// bound lower, by the sum over T.
	SlowClient

	// NoBound is for the safe directions: nothing breaks, at any value.
	NoBound
)

// FormulaNames lists the laws as scenarios write them.
var FormulaNames = []string{"restart-delay", "fast-node", "slow-client", "none"}

// laws has each formula in words, how a measured bound deviates from it, and the type of the bound; nil for no bound.
var laws = [...]struct {
	law, deviation string
	of             reflect.Type
}{
	RestartDelay: {"T - A: no validity that counts on the lost key can last longer",
		"The measured bound may be lower, by the time that acquiring took, and by what a second client needs to come into it",
		reflect.TypeFor[time.Duration]()},
	FastNode: {"A / (T - A): at that rate the key is gone when the validity ends",
		"The measured bound may be higher, because the key is set after the moment from which validity counts, and is kept a moment " +
			"longer, in Redis to the end of a millisecond",
		reflect.TypeFor[clock.Rate]()},
	SlowClient: {"-A / T: at that rate the validity ends when the key is gone",
		"The measured bound may be lower, because the key is set after the moment from which validity counts, and is kept a moment " +
			"longer, in Redis to the end of a millisecond",
		reflect.TypeFor[clock.Rate]()},
	NoBound: {"none: in this direction a clock costs time, and breaks nothing", "", nil},
}

// Law returns the law in words, with T for the TTL and A for the allowance for drift.
func (f Formula) Law() string { return laws[f].law }

// Deviation returns on which side of the computed bound the measured one lies, and why; "" for NoBound.
func (f Formula) Deviation() string { return laws[f].deviation }

// Bound returns the bound for a lock with these rules, in nanoseconds or parts per billion, on the safe side.
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

// parts is a/b in parts per billion, rounded down. If b is not positive, it is the highest rate of a clock.
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
