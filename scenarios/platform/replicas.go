package platform

import (
	"math/bits"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/scenarios/locks"
	"github.com/lockstorm/lockstorm/sim"
	"github.com/lockstorm/lockstorm/sim/redis"
)

// Replicas is a Redis master with replicas, and an observer that promotes one of them when the master is silent.
var Replicas Platform = onReplicas{}

// observerHost is the name of the host that watches a Redis master and promotes its replicas.
const observerHost = "o"

// ReplicaRules say how a Redis master and its replicas work together, and how one of them is promoted.
type ReplicaRules struct {
	Lag       sim.Range     `yaml:"lag"`
	MinGood   int           `yaml:"min_good" least:"0" most:"100"`
	GoodFor   time.Duration `yaml:"good_for"`
	DownAfter time.Duration `yaml:"down_after"`
	PingEvery time.Duration `yaml:"ping_every"`
	Demote    time.Duration `yaml:"demote_after"`
}

// replicasReference is Redis with a Sentinel that is configured to look closely.
func replicasReference() ReplicaRules {
	return ReplicaRules{
		Lag: sim.Range{Max: time.Millisecond}, GoodFor: 10 * time.Second, DownAfter: time.Second,
		PingEvery: 100 * time.Millisecond,
		Demote:    time.Second,
	}
}

type onReplicas struct{ onNodes }

func (onReplicas) Traits() Traits {
	return Traits{
		Service: "the master", Section: "replicas", Others: []string{observerHost}, Roles: []string{"observer"},
		Disks: true,
	}
}

func (onReplicas) Settle(t *Topology) []string {
	if t.Nodes < 2 {
		t.Nodes = 3
	}
	return []string{"nodes"}
}

func (onReplicas) Check(t *Topology, must Must) {
	r, wait := &t.Replicas, t.Rules.Failover.Wait
	must.someNodes(t)
	must(t.Nodes != 1, "nodes", "a master needs another node to fail over to; give 2 to %d", HostsMax)
	must(wait == 0 || wait < t.Nodes, "lock.failover.wait",
		"%d replicas are too many, because one of the %d nodes is the master; give fewer", wait, t.Nodes)
	must(r.MinGood < t.Nodes, "replicas.min_good",
		"%d nodes have %d replicas, so the master would accept no write; give fewer", t.Nodes, t.Nodes-1)
	must(r.GoodFor%time.Second == 0, "replicas.good_for",
		"%s is not a whole number of seconds, as Redis needs; give one such as 10s", r.GoodFor)
	must(0 <= r.Lag.Min && r.Lag.Min <= r.Lag.Max, "replicas.lag",
		"min %s and max %s are not a range; give two times, the smaller first", r.Lag.Min, r.Lag.Max)
	must.last("replicas.lag", r.Lag.Max)
	must.span("replicas.good_for", r.GoodFor, time.Second)
	must.span("replicas.down_after", r.DownAfter, time.Millisecond)
	must.span("replicas.ping_every", r.PingEvery, time.Millisecond)
	must.span("replicas.demote_after", r.Demote, 0)
}

func (onReplicas) CheckUnused(t *Topology, must Must) {
	must(t.Replicas == replicasReference(), "replicas", "lock.kind %s has no replicas; leave this out", t.Kind)
}

// Times counts, until the servers agree again, a silent master, and a second master that follows no other.
func (onReplicas) Times(t *Topology) Times {
	r := &t.Replicas
	return Times{
		Life: t.Rules.TTL + time.Millisecond, Settling: r.DownAfter + r.Demote + 4*r.PingEvery + r.Lag.Max,
		Failover: r.DownAfter,
	}
}

func (onReplicas) New() Servers {
	o := &redis.Observer{}
	return &replicaServers{observer: o, reign: o.Terms}
}

type replicaServers struct {
	redisServers
	observer *redis.Observer
	reign    func() []redis.Term // who was master when, in the observer's eyes
	group
	master int          // while outages are gathered: who is master
	terms  []redis.Term // and who will be
}

// watching is the observer's place among the platform's other hosts.
const watching = 0

func (s *replicaServers) Services(t *Topology) (nodes, others []sim.Service) {
	nodes, _ = s.redisServers.Services(t)
	return nodes, []sim.Service{watching: s.observer}
}

func (s *replicaServers) Attach(site *Site) {
	s.redisServers.site, s.group.site = site, site
	r := &site.Replicas
	s.observer.Attach(site.host(site.other(watching)), redis.Observation{
		Group: site.Servers, Master: site.Servers[0], Period: r.PingEvery, Down: r.DownAfter, Demote: r.Demote,
	})
	s.attach(redis.Replication{Group: site.Servers, Master: site.Servers[0], Lag: r.Lag, MinReplicas: r.MinGood,
		MaxLag: r.GoodFor})
}

// Equip lets the lock ask the observer who is master.
func (s *replicaServers) Equip(c *locks.Config, _ int) {
	site := s.group.site
	c.Sentinel = locks.Sentinel{Server: site.other(watching), Name: "mymaster"}
	for _, id := range c.Servers {
		c.Sentinel.Addresses = append(c.Sentinel.Addresses, site.host(id).Name+":6379")
	}
}

// AppendKeys appends the key on each master, and to copies the keys on each server.
func (s *replicaServers) AppendKeys(keys, copies []checker.Span) ([]checker.Span, []checker.Span) {
	site := s.group.site
	for _, k := range redis.Lives(s.reign(), s.nodes[:site.Nodes]) {
		keys = append(keys, site.redisSpan(0, &k))
	}
	return keys, s.appendNodes(copies)
}

// ReplicaOutages returns the outages of real replicas. reign returns who was master when.
func ReplicaOutages(site *Site, reign func() []redis.Term) Outages {
	return &replicaServers{group: group{site: site}, reign: reign}
}

func (s *replicaServers) AppendOutages(to []checker.Outage) []checker.Outage {
	s.master, s.terms = s.group.site.Servers[0], s.reign()[1:]
	return s.gather(s, to)
}

func (s *replicaServers) UnderWay() time.Duration { return s.group.underWay(s) }

func (s *replicaServers) serves(host int) bool {
	return host < len(s.group.site.Servers) || host == s.group.site.other(watching)
}

// advance regroups for each server that has been promoted until now: it must first get to know that it is master.
func (s *replicaServers) advance(now clock.Instant) {
	for ; len(s.terms) > 0 && s.terms[0].From <= now; s.terms = s.terms[1:] {
		s.master = s.terms[0].Node
		s.regroup(s, s.terms[0].From, true)
	}
}

// settles reports whether the group must settle: where no servers worked together before.
func (s *replicaServers) settles(before, _ uint) bool { return before == 0 }

// working returns the master and its healthy replicas, if nothing is wrong among them and the observer, and they are
// enough.
func (s *replicaServers) working() (some uint) {
	site, observer := s.group.site, s.group.site.other(watching)
	if s.strained(s.master, s.master) || s.strained(observer, observer) || s.strained(s.master, observer) {
		return 0
	}
	for n := range site.Servers {
		switch {
		case s.strained(n, n), s.cut(n, s.master) && s.cut(n, observer):
		case s.strained(n, s.master), s.strained(n, observer):
			return 0
		default:
			some |= 1 << n
		}
	}
	if bits.OnesCount(some) <= max(site.Replicas.MinGood, site.Rules.Failover.Wait) {
		return 0
	}
	return some
}

// reaches reports whether a client is in touch with the master and the observer.
func (s *replicaServers) reaches(client int) bool {
	host := s.group.site.client(client)
	return !s.strained(host, s.master) && !s.strained(host, s.group.site.other(watching))
}
