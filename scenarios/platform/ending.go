package platform

import (
	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/sim/consensus"
	"github.com/lockstorm/lockstorm/sim/redis"
	"github.com/lockstorm/lockstorm/sim/sql"
)

// Why a key went, as the judges are told of it.
var (
	redisCauses = [...]checker.Cause{
		redis.Living: checker.Unrecorded, redis.Expired: checker.Expired, redis.Stepped: checker.Stepped,
		redis.Deleted: checker.Deleted, redis.Overwritten: checker.Overwritten, redis.Lost: checker.Lost,
		redis.Copied: checker.Copied, redis.Superseded: checker.Superseded,
	}
	raftCauses = [...]checker.Cause{
		consensus.Living: checker.Unrecorded, consensus.Deleted: checker.Deleted, consensus.Expired: checker.Expired,
		consensus.Revoked: checker.Deleted, consensus.Lost: checker.Lost,
	}
	sqlCauses = [...]checker.Cause{
		sql.Lasting: checker.Unrecorded, sql.Closed: checker.Deleted, sql.Failed: checker.Failed,
		sql.Expired: checker.Expired, sql.Stopped: checker.Lost,
	}
)

// clientAt returns the client on a host, or -1.
func (s *Site) clientAt(host int) int {
	if c := host - s.client(0); c >= 0 && c < s.Clients {
		return c
	}
	return -1
}

// onRedis returns the life of a key on a Redis node, or on a group of them.
func (s *Site) onRedis(lane int, k *redis.Span) checker.Span {
	return checker.Span{Lane: lane, Token: k.Value, From: k.From, To: k.To, Endless: k.Endless, Ended: checker.Ending{
		Cause: redisCauses[k.Ended.Cause], Client: s.clientAt(k.Ended.By), Strike: k.Ended.Blamed, Gained: k.Ended.Gained,
	}}
}

// onRaft returns the life of a key on servers that agree.
func (s *Site) onRaft(k *consensus.Span) checker.Span {
	return checker.Span{Token: keyAt(k.Key, k.Create), From: k.From, To: k.To, Ended: checker.Ending{
		Cause: raftCauses[k.Ended.Cause], Client: s.clientAt(k.Ended.By), Strike: -1,
	}}
}

// onSQL returns the life of a session of the database.
func (s *Site) onSQL(k *sql.Span) checker.Span {
	return checker.Span{Token: k.Session, From: k.From, To: k.To, Endless: k.To == clock.Forever, Ended: checker.Ending{
		Cause: sqlCauses[k.Ended.Cause], Client: s.clientAt(k.Ended.By), Strike: k.Ended.Blamed,
	}}
}
