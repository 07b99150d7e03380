package scenarios

import (
	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/sim"
)

// Every run ends with a quiet period. The run is over: its clients have ended, or it was cut short, and all that the
// judges of safety need has been gathered. Now every fault heals, clients that are not done are stopped, and a fresh
// client, the probe, asks for the lock by the same rules until it has it. How long that takes shows whether the lock
// can still be had (the property deadlock-free).

// ProbeHost is the name of the host of the probe.
const ProbeHost = "probe"

func (r *Runner) quiet(end sim.End) {
	r.gather(end)
	r.inQuietPeriod = true
	if end == sim.Abandoned || r.SafetyOnly {
		return // its guests can't be asked any more, or nobody wants to know
	}
	r.injection.Heal()
	for i := range r.clients {
		if h := r.clients[i].host; h.Live() {
			h.Crash(true)
		}
	}
	r.endProbeLoss()
	r.evidence.Probe = checker.Probe{Asked: r.world.Now(), Won: clock.Forever, Bound: r.limits.again + r.servers.UnderWay()}
	r.probe.Go("main", r.runProbe)
}

func (r *Runner) endProbeLoss() {
	if r.scenario.Network.Loss == 0 {
		return
	}
	for _, id := range r.asked {
		node := r.world.Hosts()[id]
		r.world.Lose(r.probe, node, -int(r.scenario.Network.Loss))
		r.world.Lose(node, r.probe, -int(r.scenario.Network.Loss))
	}
}

// runProbe acquires the lock once and releases it. It runs in the probe's proc.
func (r *Runner) runProbe(p *sim.Proc) {
	rules := r.scenario.Lock.Rules
	rules.Retry.Attempts = 0 // it has all the time there is
	lock := r.newLock(rules, 0, nil)
	keepSession(r.probe, lock)
	grant := rules.Retry.Acquire(p, lock, 0)
	r.evidence.Probe.Won = r.world.Now()
	lock.Release(p, grant)
}
