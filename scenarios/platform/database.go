package platform

import (
	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/sim"
)

// Database is the database that holds the resource: there are no nodes.
var Database Platform = onDatabase{}

type onDatabase struct{}

func (onDatabase) Traits() Traits { return Traits{Service: "the database", InStorage: true} }

func (onDatabase) Settle(t *Topology) []string {
	t.Nodes, t.SQL, t.Idle = 0, true, t.Rules.TTL
	return []string{"nodes"}
}

func (onDatabase) Check(t *Topology, must Must) {
	must(t.Nodes == 0, "nodes", "%d are too many: a lock of the kind %s is in the database, and needs no node; give 0", t.Nodes, t.Kind)
	must(t.SQL, "storage.engine", "a lock of the kind %s is a transaction of the database; give sql", t.Kind)
}

func (onDatabase) CheckUnused(t *Topology, must Must) {
	must(t.Idle == 0, "storage.idle", "a lock of the kind %s has no transaction that could sit idle; leave it out", t.Kind)
}

// Times counts a transaction's life until it has sat idle for too long.
func (onDatabase) Times(t *Topology) Times { return Times{Life: t.Idle} }

func (onDatabase) New() Servers { return &databaseServers{} }

// databaseServers is the database that the runner has anyway.
type databaseServers struct {
	plain
	links
}

func (*databaseServers) Services(*Topology) (nodes, others []sim.Service) { return nil, nil }

func (s *databaseServers) Attach(site *Site) { s.site = site }

func (s *databaseServers) AppendKeys(keys, copies []checker.Span) ([]checker.Span, []checker.Span) {
	for _, k := range s.site.Database.Spans() {
		keys = append(keys, s.site.onSQL(&k))
	}
	return keys, copies
}

func (*databaseServers) Close() {}
