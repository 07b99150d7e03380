package platform

import (
	"math/bits"
	"strconv"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/scenarios/locks"
	"github.com/lockstorm/lockstorm/sim"
	"github.com/lockstorm/lockstorm/sim/consensus"
	"github.com/lockstorm/lockstorm/sim/redis"
)

// Raft is servers that agree on one log, and serve keys on sessions.
var Raft Platform = onRaft{}

// RaftRules say how the servers of a raft service work together, and which of its rules are broken.
type RaftRules struct {
	Heartbeat   time.Duration `yaml:"heartbeat" doc:"how often the leader is heard of"`
	Election    time.Duration `yaml:"election" doc:"how long a server waits for the leader until it stands for election, and up to as long again"`
	LocalReads  bool          `yaml:"local_reads" doc:"a server answers reads with what it has applied, though they should be linearizable"`
	Eager       bool          `yaml:"eager" doc:"the leader answers a write before a majority has it"`
	Unconfirmed bool          `yaml:"unconfirmed" doc:"the leader keeps sessions alive without asking whether it still leads"`
}

// raftReference has the figures of etcd.
func raftReference() RaftRules {
	return RaftRules{Heartbeat: 100 * time.Millisecond, Election: time.Second}
}

// raftMax is how many servers a group has at most: more agree more slowly, and on nothing else.
const raftMax = 5

// agrees reports whether a raft service has groups of so many servers.
func agrees(servers int) bool { return servers == 3 || servers == raftMax }

type onRaft struct{ onNodes }

func (onRaft) Traits() Traits { return Traits{Service: "the cluster", Section: "raft"} }

func (onRaft) Settle(t *Topology) []string {
	t.Persistence, t.Expiry = redis.AOFAlways, redis.WallExpiry
	if !agrees(t.Nodes) {
		t.Nodes = 3
	}
	return []string{"nodes", "persistence"}
}

func (onRaft) Check(t *Topology, must Must) {
	r := &t.Raft
	must(agrees(t.Nodes), "nodes", "%d servers are not a raft group; give 3 or 5", t.Nodes)
	must.someNodes(t)
	must.noExpiry(t)
	must.span("raft.heartbeat", r.Heartbeat, time.Millisecond)
	must.span("raft.election", r.Election, time.Millisecond)
	must(r.Heartbeat < r.Election, "raft.heartbeat", "%s is not less than raft.election, which is %s: each server would stand for election "+
		"before it hears of the leader", r.Heartbeat, r.Election)
}

func (onRaft) CheckUnused(t *Topology, must Must) {
	must(t.Raft == raftReference(), "raft", "a lock of the kind %s is on no raft service; leave it out", t.Kind)
}

// Times counts the full TTL that a new leader gives each session once it is elected, and an election that fails twice.
func (onRaft) Times(t *Topology) Times {
	return Times{Life: t.Rules.TTL + t.Raft.Election, Settling: 6*t.Raft.Election + 2*t.Rules.Timeout}
}

func (onRaft) New() Servers { return &raftServers{} }

// raftServers are the latest cluster that was needed.
type raftServers struct {
	group
	cluster  *consensus.Cluster
	services []sim.Service
}

func (s *raftServers) Services(t *Topology) (nodes, others []sim.Service) {
	if s.cluster == nil || len(s.services) != t.Nodes {
		s.cluster, s.services = consensus.NewCluster(t.Nodes), nil
		for _, n := range s.cluster.Nodes {
			s.services = append(s.services, n)
		}
	}
	return s.services, nil
}

// Attach makes the cluster new. A server without persistence is one whose disk is empty after each restart; one that syncs
// now and then has promised what a loss of power takes.
func (s *raftServers) Attach(site *Site) {
	s.site = site
	r := &site.Raft
	s.cluster.Attach(site.World.Hosts()[:site.Nodes], consensus.Config{
		Heartbeat: r.Heartbeat, Election: r.Election, Prefix: site.Key + "/",
		Flaws: consensus.Flaws{
			LocalReads: r.LocalReads, Eager: r.Eager, Unconfirmed: r.Unconfirmed,
			Amnesia: site.Persistence == redis.None, Unsynced: site.Persistence == redis.AOFEverySecond,
		},
	})
}

func (s *raftServers) Close() {}

// Equip gives the lock the service's keys.
func (s *raftServers) Equip(c *locks.Config, client int) { c.Keys = NewKeys(c, client) }

// Token is the key with its revision: the same client's next key may have the same name.
func (s *raftServers) Token(g locks.Grant) string {
	if g.Token == "" {
		return ""
	}
	return keyAt(g.Token, g.Fence)
}

func keyAt(key string, revision uint64) string { return key + "@" + strconv.FormatUint(revision, 10) }

func (s *raftServers) AppendKeys(keys, copies []checker.Span) ([]checker.Span, []checker.Span) {
	for _, k := range s.cluster.Spans() {
		keys = append(keys, checker.Span{Token: keyAt(k.Key, k.Create), From: k.From, To: k.To, Ended: checker.Ending{
			Cause: raftCauses[k.Ended.Cause], Client: s.site.ClientAt(k.Ended.By), Strike: -1,
		}})
	}
	return keys, copies
}

// raftCauses are the causes of a key's end, as the judges know them.
var raftCauses = [...]checker.Cause{
	consensus.Living: checker.Unrecorded, consensus.Deleted: checker.Deleted, consensus.Expired: checker.Expired,
	consensus.Revoked: checker.Deleted, consensus.Lost: checker.Lost,
}

// Outages find when clients could not reach the servers of a run.
type Outages interface {
	AppendOutages(to []checker.Outage) []checker.Outage
	UnderWay() time.Duration
}

// RaftOutages returns the outages of a raft service that is not simulated.
func RaftOutages(site *Site) Outages { return &raftServers{group: group{site: site}} }

func (s *raftServers) AppendOutages(to []checker.Outage) []checker.Outage { return s.gather(s, to) }

func (s *raftServers) UnderWay() time.Duration { return s.group.underWay(s) }

func (s *raftServers) serves(host int) bool { return host < len(s.site.Servers) }

func (s *raftServers) advance(clock.Instant) {}

// settles reports whether the service may first have to elect a leader: those who work together are others than before.
func (s *raftServers) settles(before, now uint) bool { return before == 0 || before != now }

// working returns the servers that are a majority, well, in touch with each other, and heard by nobody else. There are no
// two such groups.
func (s *raftServers) working() uint {
	n := len(s.site.Servers)
	for some := range uint(1) << n {
		if bits.OnesCount(some) >= locks.Majority(n) && s.apart(some) {
			return some
		}
	}
	return 0
}

// apart reports whether nothing is the matter among some servers, and each other one is away.
func (s *raftServers) apart(some uint) bool {
	for a := range s.site.Servers {
		for b := range s.site.Servers {
			switch in, out := some>>a&1 == 1, some>>b&1 == 0; {
			case !in:
			case !out && s.strained(a, b), out && !s.strained(b, b) && !s.cut(a, b):
				return false
			}
		}
	}
	return true
}

// reaches reports whether a client is in touch with a server of those that work together: with its own, if it stays with one.
func (s *raftServers) reaches(client int) bool {
	n := len(s.site.Servers)
	for i := range n {
		own := !s.site.Rules.Session.Stay || i == client%n
		if own && s.now>>i&1 == 1 && !s.strained(s.site.client(client), i) {
			return true
		}
	}
	return false
}
