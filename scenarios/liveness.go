package scenarios

import (
	"math"
	"math/big"
	"time"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/scenarios/platform"
)

// timeLimits are how long things may take in true time.
type timeLimits struct {
	again    time.Duration // until the lock can be had again
	wait     time.Duration // until an acquire returns
	settling time.Duration // until the servers agree who of them speaks
}

// timeLimits returns those of a scenario that has this topology.
//
// The lock may be had again once every fault has healed and nobody holds it: a key that nobody will free lives for the TTL,
// by the slowest clock of a node; one may still have been on its way. An attempt that began just before the end of such a
// key fails, and then the longest wait between two attempts passes before the next.
//
// An acquire may take as long while its client reaches a majority of nodes, or the service, and nobody else holds the lock;
// and one TTL more for contenders to get out of step. With a network that loses messages all the time there is no limit: each
// release that it loses leaves a key for the TTL, and so may each failed attempt, without end.
func (s *Scenario) timeLimits(t *platform.Topology) (b timeLimits) {
	times := s.platform().Times(t)
	life, attempt := s.slowed(times.Life), s.slowed(s.Lock.Kind.registered().Longest(s.Lock.Rules, t.Servers))
	b.settling = s.slowed(times.Settling)
	b.again = s.Network.Latency.Max + life + attempt + s.slowed(s.Lock.Retry.Max) + attempt + b.settling
	b.wait = math.MaxInt64
	if s.Network.Loss == 0 {
		b.wait = b.again + life
	}
	return b
}

// slowed returns the true time in which the slowest clock of the scenario counts so much.
func (s *Scenario) slowed(d time.Duration) time.Duration {
	const perfect = 1_000_000_000 // what a true clock counts in a second
	slow := clock.Rate(0)
	for _, c := range s.Clocks {
		slow = min(slow, c.By)
	}
	for _, f := range s.Faults {
		if f.Kind.EndsItself && f.By < 0 { // such as a slew: it is not healed, but ends when it is done
			slow -= f.Rate
		}
	}
	if slow == 0 {
		return d + 1
	}
	slow = max(slow, -clock.RateMax)
	long := new(big.Int).Mul(big.NewInt(int64(d)), big.NewInt(perfect))
	long.Div(long, big.NewInt(perfect+int64(slow)))
	return time.Duration(long.Int64() + 1)
}
