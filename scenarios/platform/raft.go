package platform

import (
	"errors"
	"math/bits"
	"strconv"
	"strings"
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
	Heartbeat   time.Duration `yaml:"heartbeat"`
	Election    time.Duration `yaml:"election"`
	LocalReads  bool          `yaml:"local_reads"`
	Eager       bool          `yaml:"eager"`
	Unconfirmed bool          `yaml:"unconfirmed"`
}

func raftReference() RaftRules {
	return RaftRules{Heartbeat: 100 * time.Millisecond, Election: time.Second}
}

// raftMax is how many servers a group has at most: more agree more slowly, and on nothing else.
const raftMax = 5

// agrees reports whether a raft service may have that many servers.
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
	must(agrees(t.Nodes), "nodes", "%d servers can't form a raft group; give 3 or 5", t.Nodes)
	must.someNodes(t)
	must.noExpiry(t)
	must.span("raft.heartbeat", r.Heartbeat, time.Millisecond)
	must.span("raft.election", r.Election, time.Millisecond)
	must(r.Heartbeat < r.Election, "raft.heartbeat", "%s is not less than raft.election, which is %s: "+
		"each server would start an election before it hears from the leader", r.Heartbeat, r.Election)
}

func (onRaft) CheckUnused(t *Topology, must Must) {
	must(t.Raft == raftReference(), "raft", "lock.kind %s uses no raft service; leave this out", t.Kind)
}

// Times counts the full TTL to which an elected leader resets each session, and an election that fails twice. Consul
// may end a session by a TTL later, and keeps its key for the lock-delay.
func (onRaft) Times(t *Topology) Times {
	life := t.Rules.TTL + t.Raft.Election
	if t.Kind == locks.ConsulProtocol.Name { // a new leader counts TTL and lock-delay again
		life += t.Rules.TTL + t.Rules.Session.LockDelay + t.Raft.Election
	}
	return Times{Life: life, Settling: 6*t.Raft.Election + 2*t.Rules.Timeout}
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

// Attach makes the cluster new. A server without persistence is one whose disk is empty after each restart; one that
// syncs now and then has promised what a loss of power takes.
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

// Equip sets the lock's keys to the service's.
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

var raftCauses = [...]checker.Cause{
	consensus.Living: checker.Unrecorded, consensus.Deleted: checker.Deleted, consensus.Expired: checker.Expired,
	consensus.Revoked: checker.Deleted, consensus.Lost: checker.Lost,
}

// RaftOutages returns the outages of a raft service that is not simulated.
func RaftOutages(site *Site) Outages { return &raftServers{group: group{site: site}} }

func (s *raftServers) AppendOutages(to []checker.Outage) []checker.Outage { return s.gather(s, to) }

func (s *raftServers) UnderWay() time.Duration { return s.group.underWay(s) }

func (s *raftServers) serves(host int) bool { return host < len(s.site.Servers) }

func (s *raftServers) advance(clock.Instant) {}

// settles reports whether the service may first have to elect a leader: those who work together are others than before.
func (s *raftServers) settles(before, now uint) bool { return before == 0 || before != now }

// working returns a majority of servers that are well, in touch, and heard by no other server. There is only one.
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

// reaches reports whether a client reaches a server of those that work together; its own, if it stays with one.
func (s *raftServers) reaches(client int) bool {
	n := len(s.site.Servers)
	for i := range n {
		own := !s.site.Rules.Session.Stay || i == client%n
		if own && s.together>>i&1 == 1 && !s.strained(s.site.client(client), i) {
			return true
		}
	}
	return false
}

// raftKeys are one client's locks.Keys on the raft service. It speaks to one server, and moves to the next when an
// answer does not come, as the clients of etcd and ZooKeeper do; unless it stays.
type raftKeys struct {
	Servers []int         // as Client.Call knows them
	Timeout time.Duration // how long to wait for one server
	Stay    bool          // it never moves to another server

	at   int    // the server that it speaks to, as an index into Servers
	seen uint64 // the latest revision that it has seen: a local read must not show less
}

// NewKeys returns the keys of a client; clients count from 0. Clients that stay with one server have different ones.
func NewKeys(c *locks.Config, client int) locks.Keys {
	k := &raftKeys{Servers: c.Servers, Timeout: c.Timeout, Stay: c.Session.Stay}
	if k.Stay {
		k.at = client % len(c.Servers)
	}
	return k
}

// errNoAnswer is what a client knows of a request that a server could not answer.
var errNoAnswer = errors.New("no server could answer")

func (k *raftKeys) ask(c locks.Client, request any, timeout time.Duration) (*consensus.Reply, error) {
	reply, err := c.Call(k.Servers[k.at], request, timeout)
	if r, ok := reply.(*consensus.Reply); ok && err == nil {
		k.seen = max(k.seen, r.Revision)
		return r, nil
	}
	switch reply {
	case consensus.ErrLease:
		return nil, locks.ErrSession
	case consensus.ErrDelay:
		return nil, locks.ErrDelay
	}
	if !k.Stay {
		k.at = (k.at + 1) % len(k.Servers)
	}
	if err == nil {
		err = errNoAnswer
	}
	return nil, err
}

// Grant begins a session.
func (k *raftKeys) Grant(c locks.Client, ttl, lockDelay time.Duration) (uint64, error) {
	r, err := k.ask(c, &consensus.Grant{TTL: ttl, Delay: lockDelay}, k.Timeout)
	if err != nil {
		return 0, err
	}
	return r.Lease, nil
}

// KeepAlive resets the session's life to its full TTL.
func (k *raftKeys) KeepAlive(c locks.Client, session uint64) error {
	_, err := k.ask(c, &consensus.KeepAlive{Lease: session}, k.Timeout)
	return err
}

// Create is etcd's transaction, or ZooKeeper's create and its getChildren in one.
func (k *raftKeys) Create(c locks.Client, e locks.Key, sequential bool) (own locks.Key, v locks.View, err error) {
	put := consensus.Op{Do: consensus.Put, Key: e.Name, Lease: e.Session, Sequential: sequential}
	all := consensus.Op{Key: prefix(e.Name), Prefix: true}
	t := &consensus.Txn{Then: []consensus.Op{put, all}}
	if !sequential {
		t.If = []consensus.Compare{{Key: e.Name, Of: consensus.Create, Is: 0}}
		t.Else = []consensus.Op{{Key: e.Name}, all}
	}
	r, err := k.ask(c, t, k.Timeout)
	if err != nil {
		return own, v, err
	}
	return keyOf(r.Results[0][0]), viewOf(r, r.Results[1]), nil
}

// List reads all keys under a prefix.
func (k *raftKeys) List(c locks.Client, prefix string, local bool) (locks.View, error) {
	r, err := k.ask(c, &consensus.Read{
		Op: consensus.Op{Key: prefix, Prefix: true}, Local: local, Since: k.seen,
	}, k.Timeout)
	if err != nil {
		return locks.View{}, err
	}
	return viewOf(r, r.Results[0]), nil
}

// Await watches a key, or all keys under the prefix.
func (k *raftKeys) Await(c locks.Client, prefix string, e locks.Key, since uint64, patience time.Duration) error {
	w := &consensus.Watch{Key: e.Name, Create: e.Created, Since: since}
	if e.Name == "" {
		w = &consensus.Watch{Key: prefix, Prefix: true, Since: since}
	}
	_, err := k.ask(c, w, patience)
	return err
}

// Delete is a transaction: if the key has that create revision, delete it.
func (k *raftKeys) Delete(c locks.Client, e locks.Key) error {
	t := &consensus.Txn{Then: []consensus.Op{{Do: consensus.Delete, Key: e.Name}}}
	if e.Created != 0 {
		t.If = []consensus.Compare{{Key: e.Name, Of: consensus.Create, Is: e.Created}}
	}
	_, err := k.ask(c, t, k.Timeout)
	return err
}

// prefix is what all keys of the same lock begin with.
func prefix(name string) string { return name[:strings.LastIndexByte(name, '/')+1] }

func keyOf(k consensus.KeyValue) locks.Key {
	return locks.Key{Name: k.Key, Session: k.Lease, Created: k.Create}
}

func viewOf(r *consensus.Reply, found consensus.Result) locks.View {
	v := locks.View{Revision: r.Revision}
	for _, k := range found {
		v.Keys = append(v.Keys, keyOf(k))
	}
	return v
}
