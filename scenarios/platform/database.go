package platform

import (
	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/sim"
	"github.com/lockstorm/lockstorm/sim/redis"
	"github.com/lockstorm/lockstorm/sim/sql"
)

// Database is the database that holds the resource: there are no nodes.
var Database Platform = onDatabase{}

type onDatabase struct{}

func (onDatabase) Traits() Traits { return Traits{Service: "the database"} }

func (onDatabase) Settle(t *Topology) []string {
	t.Nodes, t.SQL, t.Idle, t.Expiry = 0, true, t.Rules.TTL, redis.WallExpiry
	return []string{"nodes"}
}

func (onDatabase) Check(t *Topology, must Must) {
	must(t.Nodes == 0, "nodes", "%d are too many, because lock.kind %s is in the database and needs no node; give 0",
		t.Nodes, t.Kind)
	must(t.SQL, "storage.engine", "lock.kind %s is a database transaction; give sql", t.Kind)
	must.noExpiry(t)
}

func (onDatabase) CheckUnused(t *Topology, must Must) {
	must(t.Idle == 0, "storage.idle", "lock.kind %s has no transaction; leave this out",
		t.Kind)
}

// Times counts a transaction's life until it has sat idle for too long.
func (onDatabase) Times(t *Topology) Times { return Times{Life: t.Idle} }

func (onDatabase) AppendAsked(to []int, t *Topology) []int { return append(to, t.storage()) }

func (onDatabase) New() Servers { return &databaseServers{} }

type databaseServers struct{ Alone }

func (*databaseServers) Services(*Topology) (nodes, others []sim.Service) { return nil, nil }

func (s *databaseServers) AppendKeys(keys, copies []checker.Span) ([]checker.Span, []checker.Span) {
	for _, k := range s.site.Database.Spans() {
		span := checker.Span{Token: k.Session, From: k.From, To: k.To, Endless: k.To == clock.Forever}
		span.Ended = checker.Ending{
			Cause: sqlCauses[k.Ended.Cause], Client: s.site.ClientAt(k.Ended.By), Strike: k.Ended.Blamed,
		}
		keys = append(keys, span)
	}
	return keys, copies
}

// sqlCauses are the causes of a session's end, as the judges know them.
var sqlCauses = [...]checker.Cause{
	sql.Lasting: checker.Unrecorded, sql.Closed: checker.Deleted, sql.Failed: checker.Failed,
	sql.Expired: checker.Expired, sql.Stopped: checker.Lost,
}
