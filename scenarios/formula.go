package scenarios

import (
	"math/big"
	"reflect"
	"time"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/scenarios/locks"
)

// A Formula is a law that gives a bound by reckoning. All of them follow from the theorem of package locks, with T for the
// TTL and A for the allowance for drift.
type Formula uint8

// The laws, under the names that scenarios use: restart-delay, fast-node, slow-client.
const (
	RestartDelay Formula = iota // how long a node that lost its data must stay away
	FastNode                    // how fast a node's clock may run
	SlowClient                  // how slow a client's clock may run
)

// FormulaNames lists the laws as scenarios write them.
var FormulaNames = []string{"restart-delay", "fast-node", "slow-client"}

// laws are the formulas in words, and the type of what they give.
var laws = [...]struct {
	says string
	of   reflect.Type
}{
	RestartDelay: {"T - A: no validity that counts on the lost key can last longer", reflect.TypeFor[time.Duration]()},
	FastNode:     {"A / (T - A): by then the key is gone when the validity ends", reflect.TypeFor[clock.Rate]()},
	SlowClient:   {"-A / T: by then the validity ends when the key is gone", reflect.TypeFor[clock.Rate]()},
}

// Says gives the law in words.
func (f Formula) Says() string { return laws[f].says }

// Bound gives the bound for a lock with these rules, in nanoseconds or parts per billion.
func (f Formula) Bound(r locks.Rules) int64 {
	a, t := r.Drift(), r.TTL
	switch f {
	case FastNode:
		return parts(a, t-a)
	case SlowClient:
		return -parts(a, t)
	}
	return int64(t - a)
}

// parts is a/b in parts per billion, rounded down.
func parts(a, b time.Duration) int64 {
	const perfect = 1_000_000_000
	n := new(big.Int).Mul(big.NewInt(int64(a)), big.NewInt(perfect))
	return n.Div(n, big.NewInt(int64(max(b, 1)))).Int64()
}
