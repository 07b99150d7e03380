package etcd

import (
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/locks"
	"github.com/lockstorm/lockstorm/scenarios/platform"
	"github.com/lockstorm/lockstorm/sim"
	"github.com/lockstorm/lockstorm/sim/consensus"
)

// Kind is our own lock on the platform, as scenarios name it: etcd-grpc. It is the catalogue's lock of the kind etcd,
// and asks the servers behind the front.
var Kind = add()

func add() scenarios.Kind {
	p := locks.EtcdProtocol
	p.Name = "etcd-grpc"
	k, err := scenarios.AddLock(p, onEtcd{platform.Raft})
	if err != nil {
		panic(err) // a test makes it
	}
	return k
}

// onEtcd is the platform of locks of the kind etcd, with another front.
type onEtcd struct{ platform.Platform }

// Traits names no section: the settings of the raft service belong to the other platform.
func (p onEtcd) Traits() platform.Traits {
	t := p.Platform.Traits()
	t.Section = ""
	return t
}

// CheckUnused rejects nothing, for the same reason.
func (onEtcd) CheckUnused(*platform.Topology, platform.Must) {}

func (p onEtcd) New() platform.Servers { return &servers{Servers: p.Platform.New()} }

// servers are the servers of one run after another.
type servers struct {
	platform.Servers
	all []*server
}

// Services returns the servers, each behind its front.
func (s *servers) Services(t *platform.Topology) (nodes, others []sim.Service) {
	behind, _ := s.Servers.Services(t)
	s.all = nil
	for _, n := range behind {
		one := &server{node: n.(*consensus.Node)}
		one.node.Front = one
		s.all = append(s.all, one)
		nodes = append(nodes, one)
	}
	return nodes, nil
}

// Attach makes them new.
func (s *servers) Attach(site *platform.Site) {
	g := &group{election: site.Raft.Election}
	for _, one := range s.all {
		one.reset(g)
	}
	s.Servers.Attach(site)
}
