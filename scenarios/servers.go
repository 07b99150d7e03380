package scenarios

import (
	"slices"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/sim"
	"github.com/lockstorm/lockstorm/sim/consensus"
	"github.com/lockstorm/lockstorm/sim/redis"
)

// What the lock of a scenario runs on is put into the world here, and here the judges learn what it had on its books.

// addNodes puts the nodes into the world.
func (r *Runner) addNodes() {
	s := r.scenario
	if s.platform() == onRaft && (r.cluster == nil || len(r.cluster.Nodes) != s.Nodes) {
		r.cluster = consensus.NewCluster(s.Nodes)
	}
	for i := range s.Nodes {
		var service sim.Service
		if s.platform() == onRaft {
			service = r.cluster.Nodes[i]
		} else {
			service = r.nodes[i]
		}
		if h := r.addHost(service); i < s.lockNodes() {
			r.servers = append(r.servers, h.ID)
		}
	}
}

// attach makes the nodes new, now that all hosts are there.
func (r *Runner) attach() {
	hosts := r.world.Hosts()
	switch s := r.scenario; s.platform() {
	case onRaft:
		r.cluster.Attach(hosts[:s.Nodes], raftConfig(s))
	case onReplicas:
		r.observer.Attach(hosts[r.observerID], redis.Observation{
			Group: r.servers, Master: r.servers[0], Period: s.Replicas.PingEvery, Down: s.Replicas.DownAfter, Demote: s.Replicas.Demote,
		})
		fallthrough
	default:
		for i := range s.Nodes {
			r.nodes[i].Attach(hosts[i], r.nodeConfig(i))
		}
	}
}

// raftConfig gives the service's rules. A server without persistence is one whose disk is empty after each restart; one that
// syncs now and then has promised what a loss of power takes.
func raftConfig(s *Scenario) consensus.Config {
	return consensus.Config{
		Heartbeat: s.Raft.Heartbeat, Election: s.Raft.Election, Prefix: LockKey + "/",
		Flaws: consensus.Flaws{
			LocalReads: s.Raft.LocalReads, Eager: s.Raft.Eager, Unconfirmed: s.Raft.Unconfirmed,
			Amnesia: s.Persistence == redis.None, Unsynced: s.Persistence == redis.AOFEverySecond,
		},
	}
}

// replication is the part of a node's configuration that makes it one of a group.
func (r *Runner) replication() redis.Replication {
	s := r.scenario
	if s.platform() != onReplicas {
		return redis.Replication{}
	}
	return redis.Replication{
		Group: r.servers, Master: r.servers[0], Lag: s.Replicas.Lag, MinReplicas: s.Replicas.MinGood, MaxLag: s.Replicas.GoodFor,
	}
}

// gatherKeys collects the lives of the lock's key. On independent nodes each has its own. A service has one, whichever
// of its servers it is on; the judges are told of it as of a key on each of them.
func (r *Runner) gatherKeys() {
	switch r.scenario.platform() {
	case onDatabase:
		for _, s := range r.database.Spans() {
			r.evidence.Keys = append(r.evidence.Keys, checker.Span{Token: s.Session, From: s.From, To: s.To, Endless: s.To == clock.Forever})
		}
	case onReplicas:
		r.copies = r.nodeKeys(r.copies)
		for _, s := range redis.Lives(r.observer.Terms(), r.nodes[:r.scenario.Nodes]) {
			r.everywhere(checker.Span{Token: s.Value, From: s.From, To: s.To, Endless: s.Endless, Expired: s.Expired})
		}
	case onRaft:
		for _, s := range r.cluster.Spans() {
			r.everywhere(checker.Span{Token: ticket(s.Key, s.Create), From: s.From, To: s.To})
		}
	default:
		r.evidence.Keys = r.nodeKeys(r.evidence.Keys)
	}
}

// nodeKeys adds the lives of the lock's key on each Redis node.
func (r *Runner) nodeKeys(to []checker.Span) []checker.Span {
	for i := range r.servers {
		for _, s := range r.nodes[i].Spans() {
			to = append(to, checker.Span{Node: i, Token: s.Value, From: s.From, To: s.To, Endless: s.Endless, Expired: s.Expired})
		}
	}
	return to
}

// everywhere puts a key on record for each server.
func (r *Runner) everywhere(s checker.Span) {
	for s.Node = range r.servers {
		r.evidence.Keys = append(r.evidence.Keys, s)
	}
}

// folded tells whether what befalls one server is taken to befall all: those of a service need each other.
func (r *Runner) folded() bool {
	return slices.Contains([]platform{onReplicas, onRaft}, r.scenario.platform())
}
