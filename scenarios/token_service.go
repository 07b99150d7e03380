package scenarios

import (
	"time"

	"github.com/lockstorm/lockstorm/scenarios/locks"
	"github.com/lockstorm/lockstorm/scenarios/platform"
	"github.com/lockstorm/lockstorm/sim"
	"github.com/lockstorm/lockstorm/sim/consensus"
)

// tokenServers are the names of the servers of a service that gives fencing tokens to a lock that runs on something else.
// They keep what they have on disk. Partitions and delays strike them as any host; nothing stops them.
var tokenServers = []string{"k1", "k2", "k3"}

// tokenHosts lists the servers of the scenario's token service; none where tokens come from elsewhere.
func (s *Scenario) tokenHosts() []string {
	if s.Fencing.Source == OfService {
		return tokenServers
	}
	return nil
}

func (r *Runner) addTokenService() {
	if r.scenario.Fencing.Source != OfService {
		return
	}
	if r.tokens == nil {
		r.tokens = consensus.NewCluster(len(tokenServers))
	}
	var hosts []*sim.Host
	for _, n := range r.tokens.Nodes {
		hosts = append(hosts, r.addHost(n))
	}
	r.tokens.Attach(hosts, consensus.Config{Heartbeat: 20 * time.Millisecond, Election: 100 * time.Millisecond})
	r.tokensAt = hosts[0].ID
}

// askService puts a key at the service, and takes the revision for the token: the service counts each put, and no later one
// has a smaller number. A put without an answer may have been done, which costs a number.
func (r *Runner) askService(p locks.Client) (uint64, bool) {
	for i := range tokenServers {
		put := &consensus.Txn{Then: []consensus.Op{{Do: consensus.Put, Key: platform.FenceKey}}}
		reply, err := p.Call(r.tokensAt+i, put, r.scenario.Lock.Timeout)
		if done, ok := reply.(*consensus.Reply); ok && err == nil {
			return done.Revision, true
		}
	}
	return 0, false
}
