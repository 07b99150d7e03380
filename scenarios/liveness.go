package scenarios

import (
	"math"
	"math/big"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/scenarios/locks"
	"github.com/lockstorm/lockstorm/sim"
)

// Every run ends with a quiet period. The run is over: its clients have ended, or it was cut short, and all that the
// judges of safety look at has been gathered. Now every fault heals, clients that are not done are stopped, and a fresh
// client, the probe, asks for the lock by the same rules until it has it. What it waits for tells whether the lock can
// still be had (the property deadlock-free).

// ProbeHost is the name of the host of the probe.
const ProbeHost = "probe"

// quiet begins the quiet period.
func (r *Runner) quiet(end sim.End) {
	r.gather(end)
	r.calm = true
	r.injection.Heal()
	for i := range r.clients {
		if h := r.clients[i].host; h.Live() {
			h.Crash(true)
		}
	}
	r.stopLosing()
	r.evidence.Probe = checker.Probe{Asked: r.world.Now(), Won: clock.Forever, Bound: r.scenario.againWithin() + r.underWay()}
	r.probe.Go("main", r.ask)
}

// stopLosing heals what the network loses on all links of the probe.
func (r *Runner) stopLosing() {
	if r.scenario.Network.Loss == 0 {
		return
	}
	for _, id := range r.servers {
		node := r.world.Hosts()[id]
		r.world.Lose(r.probe, node, -int(r.scenario.Network.Loss))
		r.world.Lose(node, r.probe, -int(r.scenario.Network.Loss))
	}
}

// ask is the probe's proc.
func (r *Runner) ask(p *sim.Proc) {
	rules := r.scenario.Lock.Rules
	rules.Retry.Attempts = 0 // it has all the time there is
	lock := r.newLock(nil, locks.Config{Rules: rules, Key: LockKey, Servers: r.servers})
	tendSession(r.probe, lock)
	grant := rules.Retry.Acquire(p, lock, 0)
	r.evidence.Probe.Won = r.world.Now()
	lock.Release(p, grant)
}

// againWithin is how long the lock may take to be had again, once every fault has healed and nobody holds it. A key that
// nobody will free lives for the TTL, by the slowest clock of a node; one may still have been on its way. An attempt that
// began just before the end of such a key fails, and then the longest wait between two attempts passes before the next.
func (s *Scenario) againWithin() time.Duration {
	return s.Network.Latency.Max + s.life() + s.attempt() + s.slowed(s.Lock.Retry.Max) + s.attempt() + s.slowed(s.settling())
}

// waitWithin is how long an acquire may take while its client reaches a majority of nodes, or the service, and nobody else
// holds the lock. It is the same, and one TTL more for contenders to get out of step. A network that loses messages all
// the time gives no bound: each release that it loses leaves a key for the TTL, and so may each attempt in vain, on and on.
func (s *Scenario) waitWithin() time.Duration {
	if s.Network.Loss > 0 {
		return math.MaxInt64
	}
	return s.againWithin() + s.life()
}

// life is how long a key can live in true time: to the end of its last millisecond, by the slowest clock. A transaction
// lives until it has sat idle for too long.
func (s *Scenario) life() time.Duration {
	switch s.platform() {
	case onDatabase:
		return s.slowed(s.Storage.Idle)
	case onRaft:
		return s.slowed(s.Lock.TTL + s.Raft.Election) // as a new leader gives each session, once it is elected
	}
	return s.slowed(s.Lock.TTL + time.Millisecond)
}

// settling is how long the servers of a service may take until they agree again on who of them speaks, once all is healed:
// an election that fails twice, or a master that is found to be silent, and one too many that is found to follow nobody.
func (s *Scenario) settling() time.Duration {
	switch s.platform() {
	case onRaft:
		return 6*s.Raft.Election + 2*s.Lock.Timeout
	case onReplicas:
		return s.Replicas.DownAfter + s.Replicas.Demote + 4*s.Replicas.PingEvery + s.Replicas.Lag.Max
	}
	return 0
}

// attempt is the longest that one attempt can take, with its cleanup: two calls to a node to take the key and two to free
// it, of which each may reach its timeout.
func (s *Scenario) attempt() time.Duration {
	calls := 4
	switch {
	case s.platform() == onRaft:
		return s.slowed(s.Lock.Session.Poll + min(s.Lock.Timeout, timeMax/1000)*time.Duration(4*max(s.Lock.Session.Tries, 1)+2))
	case s.platform() == onReplicas:
		return s.slowed(s.Lock.Failover.WaitTimeout + min(s.Lock.Timeout, timeMax/1000)*10)
	case s.Lock.Contact == locks.Sequential:
		calls *= s.lockNodes()
	}
	if r := s.Lock.Redisson; s.Lock.Kind == Redisson || s.Lock.Kind == RedissonRed {
		calls *= max(r.Depth, 1) + 1
		wait := min(r.Wait, s.Lock.TTL) // who is not woken looks again when the lease ends
		return s.slowed(wait + min(s.Lock.Timeout, timeMax/time.Duration(calls))*time.Duration(calls))
	}
	return s.slowed(min(s.Lock.Timeout, timeMax/time.Duration(calls)) * time.Duration(calls)) // a year is long enough
}

// slowed is the true time in which the slowest clock of the scenario counts so much.
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
	slow = max(slow, -clock.RateMax)
	long := new(big.Int).Mul(big.NewInt(int64(d)), big.NewInt(perfect))
	long.Div(long, big.NewInt(perfect+int64(slow)))
	return time.Duration(long.Int64() + 1)
}
