package platform

import (
	"github.com/lockstorm/lockstorm/sim/redis"
)

// Nodes is embedded by a user's platform whose servers are the nodes of a scenario. It has defaults. The platform
// itself must have [Platform.Times] and [Platform.New].
type Nodes struct {
	onNodes
	Count   int    // how many there are: always that many of a Service, and otherwise where a scenario has none; 0 is 1
	Service string // what verdicts call them where they are one service; empty where each has a vote
}

// Traits names the service, if the nodes are one.
func (n Nodes) Traits() Traits { return Traits{Service: n.Service} }

// Settle lets there be Count nodes.
func (n Nodes) Settle(t *Topology) []string {
	t.Expiry, t.Persistence = redis.WallExpiry, redis.None
	if n.Service == "" && t.Nodes > 0 {
		return nil
	}
	t.Nodes = max(n.Count, 1)
	if n.Service == "" {
		return nil
	}
	return []string{"nodes"}
}

// Check rejects another number of nodes than Settle lets there be, and what is for Redis nodes alone.
func (n Nodes) Check(t *Topology, must Must) {
	must.someNodes(t)
	most := max(n.Count, 1)
	must(n.Service == "" || t.Nodes == most, "nodes", "%d is the wrong number for lock.kind %s; give %d", t.Nodes,
		t.Kind, most)
	must.noExpiry(t)
	must(t.Persistence == redis.None, "persistence", "lock.kind %s uses no Redis nodes; leave this out", t.Kind)
}

// CheckUnused rejects nothing: such a platform has no settings.
func (Nodes) CheckUnused(*Topology, Must) {}

// Alone is embedded by independent, user-defined servers. It finds outages, calls a grant by its token, and has nothing
// for a lock. The servers themselves must have [Servers.Services] and [Evidence.AppendKeys], and an Attach that calls
// this one first if they have something to reset.
type Alone struct {
	plain
	links
}

// Attach notes the site of a run.
func (a *Alone) Attach(site *Site) { a.site = site }

// Site returns the site of the latest run.
func (a *Alone) Site() *Site { return a.site }

// Close has nothing to free.
func (*Alone) Close() {}
