package leases

import (
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/locks"
	"github.com/lockstorm/lockstorm/scenarios/platform"
)

// Kind is our own lock on the platform, as scenarios name it: lease.
var Kind = add()

func add() scenarios.Kind {
	k, err := scenarios.AddLock(locks.Protocol{Name: "lease", New: newLock, OneServer: true}, onServer{platform.Leases})
	if err != nil {
		panic(err) // a test makes it
	}
	return k
}

func newLock(c locks.Config) locks.Lock { return locks.NewRecord(c) }

// onServer is the platform.
type onServer struct{ platform.Platform }

// Traits names the service.
func (onServer) Traits() platform.Traits { return platform.Traits{Service: "the API server"} }

// Times counts the object's word, plus what the next candidate waits for.
func (onServer) Times(t *platform.Topology) platform.Times {
	return platform.Times{Life: t.Rules.TTL + t.Rules.TTL/2}
}
