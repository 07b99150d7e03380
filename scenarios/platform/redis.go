package platform

import (
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/sim"
	"github.com/lockstorm/lockstorm/sim/redis"
)

// Redis is independent Redis nodes: each has its own key, and its own vote.
var Redis Platform = onRedis{}

type onRedis struct{ onNodes }

func (onRedis) Traits() Traits { return Traits{NodeCount: true, Disks: true} }

func (onRedis) Settle(t *Topology) []string {
	if t.Nodes == 0 {
		t.Nodes = 5
	}
	return nil
}

func (onRedis) Check(t *Topology, must Must) { must.someNodes(t) }

func (onRedis) CheckUnused(*Topology, Must) {}

// Times counts a key's life to the end of its last millisecond.
func (onRedis) Times(t *Topology) Times { return Times{Life: t.Rules.TTL + time.Millisecond} }

func (onRedis) New() Servers { return &redisServers{} }

// redisServers are nodes that do not know each other.
type redisServers struct {
	plain
	links
	nodes    []*redis.Node // every node that was ever needed
	services []sim.Service // the same
}

func (s *redisServers) Services(t *Topology) (nodes, others []sim.Service) {
	for len(s.nodes) < t.Nodes {
		n := redis.NewNode()
		s.nodes, s.services = append(s.nodes, n), append(s.services, n)
	}
	return s.services[:t.Nodes], nil
}

func (s *redisServers) Attach(site *Site) {
	s.site = site
	s.attach(redis.Replication{})
}

func (s *redisServers) attach(r redis.Replication) {
	for i := range s.site.Nodes {
		t := s.site.Topology
		c := redis.Config{Persistence: t.Persistence, Expiry: t.Expiry, Watch: t.Key, Interpret: t.Interpret,
			Replication: r}
		if tap := s.site.OnCommand; tap != nil {
			c.OnCommand = func(command []string) { tap(i, command) }
		}
		s.nodes[i].Attach(s.site.host(i), c)
	}
}

func (s *redisServers) AppendKeys(keys, copies []checker.Span) ([]checker.Span, []checker.Span) {
	return s.appendNodes(keys), copies
}

// appendNodes appends the lives of the lock's key on each node that the lock asks.
func (s *redisServers) appendNodes(to []checker.Span) []checker.Span {
	for i := range s.site.Servers {
		spans := s.nodes[i].Spans()
		for k := range spans {
			to = append(to, s.site.redisSpan(i, &spans[k]))
		}
	}
	return to
}

func (s *redisServers) Close() {
	for _, n := range s.nodes {
		n.Close()
	}
}

var redisCauses = [...]checker.Cause{
	redis.Living: checker.Unrecorded, redis.Expired: checker.Expired, redis.Stepped: checker.Stepped,
	redis.Deleted: checker.Deleted, redis.Overwritten: checker.Overwritten, redis.Lost: checker.Lost,
	redis.Copied: checker.Copied, redis.Superseded: checker.Superseded,
	redis.Evicted: checker.Evicted,
}

// redisSpan returns the life of a key on a Redis node, or on a group of them.
func (s *Site) redisSpan(lane int, k *redis.Span) checker.Span {
	return checker.Span{
		Lane: lane, Token: k.Value, From: k.From, To: k.To, Endless: k.Endless, Shared: k.Shared,
		Ended: checker.Ending{
			Cause: redisCauses[k.Ended.Cause], Client: s.ClientAt(k.Ended.By), Strike: k.Ended.Blamed,
			Gained: k.Ended.Gained,
		},
	}
}

// FenceKey is the key that counts fencing tokens, where a node does.
const FenceKey = "fence"
