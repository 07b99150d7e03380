package platform

import (
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/scenarios/locks"
	"github.com/lockstorm/lockstorm/sim"
	"github.com/lockstorm/lockstorm/sim/redis"
	"github.com/lockstorm/lockstorm/sim/sql"
)

// A Platform is what a lock runs on.
type Platform interface {
	// Traits returns what is true of it in every topology.
	Traits() Traits
	// Settle changes a topology as little as it can until it suits. It returns settings that a search must not vary
	// now.
	Settle(t *Topology) (fixed []string)
	// Check reports what is wrong with a topology.
	Check(t *Topology, must Must)
	// CheckUnused reports the settings of this platform in a topology whose lock runs on another.
	CheckUnused(t *Topology, must Must)
	// Times returns how long things take at most.
	Times(t *Topology) Times
	// AppendAsked appends the numbers of the hosts that the lock asks.
	AppendAsked(to []int, t *Topology) []int
	// New makes the servers for many runs.
	New() Servers
}

// All lists the platforms.
var All = []Platform{Redis, Database, Replicas, Raft, Store}

// Traits are what is true of a platform in every topology.
type Traits struct {
	Service   string   // its name in verdicts, where it is one service; empty where nodes vote
	Section   string   // the section of a scenario that is about it alone; empty for none
	Others    []string // its hosts other than the nodes
	Roles     []string // what each of them is, in a word
	NodeCount bool     // each node can count fencing tokens
	Disks     bool     // nodes that keep their data wait for their disks
}

// A Topology is what a platform knows of a scenario.
type Topology struct {
	Kind    string       // of the lock
	Rules   *locks.Rules // its rules
	Key     string       // its name
	Servers int          // how many of the nodes it asks

	Nodes, Clients int
	Persistence    redis.Persistence
	Expiry         redis.Expiry
	Interpret      bool // Redis nodes interpret all scripts
	SQL            bool // the resource is held by a database
	Idle           time.Duration

	Sections
}

// Sections are the rules of the platforms that have any, each a section of a scenario's file.
type Sections struct {
	Replicas ReplicaRules `yaml:"replicas"`
	Raft     RaftRules    `yaml:"raft"`
}

// Reference returns the rules of real systems.
func Reference() Sections { return Sections{Replicas: replicasReference(), Raft: raftReference()} }

// Times are how long things take at most on a platform, each by the slowest clock that counts it.
type Times struct {
	Life     time.Duration // how long a key lives that no client frees
	Settling time.Duration // how long the servers take to have a leader or master again, once all is healed
	Failover time.Duration // how long a master is silent until another is promoted; 0 where none is
}

// Servers are a platform's servers, kept from run to run.
type Servers interface {
	// Services returns what runs on the nodes, and on the platform's other hosts.
	Services(t *Topology) (nodes, others []sim.Service)
	// Attach resets the servers, now that all hosts are there.
	Attach(site *Site)
	// Equip adds to the configuration of a client's lock what the platform has for it. Clients count from 0.
	Equip(c *locks.Config, client int)
	// Close frees the servers.
	Close()
	Evidence
}

// Evidence is what the servers of a run leave to the judges.
type Evidence interface {
	// Token returns the name by which the judges know a grant: the Token of the span of its key.
	Token(g locks.Grant) string
	// AppendKeys appends the lives of the lock's key; to copies also those on each server, where a group has one key.
	AppendKeys(keys, copies []checker.Span) ([]checker.Span, []checker.Span)
	Outages
}

// A Site is the world of one run, for the servers in it.
type Site struct {
	*Topology
	World     *sim.World
	Servers   []int                            // the hosts that the lock asks
	Database  *sql.Server                      // what holds the resource, if it is a database
	Settling  time.Duration                    // Times.Settling in true time
	OnCommand func(node int, command []string) // is called for each command that a Redis node carries out; nil for none
}

func (s *Site) host(id int) *sim.Host { return s.World.Hosts()[id] }

func (t *Topology) storage() int { return t.Nodes }

func (s *Site) client(i int) int { return s.Nodes + 1 + i }

// ClientAt returns the client on a host, given by its number, or -1.
func (s *Site) ClientAt(host int) int {
	if c := host - s.client(0); c >= 0 && c < s.Clients {
		return c
	}
	return -1
}

func (s *Site) other(i int) int { //nolint:unparam // the platform decides how many it has
	return s.Nodes + 1 + s.Clients + i
}

// A Must reports a problem unless a condition is true: which setting is wrong, and how.
type Must func(ok bool, key, format string, args ...any)

// Limits of what a scenario may ask for.
const (
	HostsMax = 100                  // of a kind: links grow with their square
	TimeMax  = 366 * 24 * time.Hour // so that no sum of times overflows
)

// span rejects a time that is too short, or too long to compute with.
func (must Must) span(key string, d, least time.Duration) {
	must(d >= least, key, "%s is too short; give %s or more", d, least)
	must.last(key, d)
}

func (must Must) last(key string, d time.Duration) {
	must(d <= TimeMax, key, "%s is out of range; give up to a year", d)
}

func (must Must) someNodes(t *Topology) {
	must(t.Nodes > 0, "nodes", "0 are too few, because lock.kind %s is on nodes; give 1 to %d", t.Kind, HostsMax)
}

// onNodes is embedded by platforms whose locks ask nodes.
type onNodes struct{}

func (onNodes) AppendAsked(to []int, t *Topology) []int {
	for i := range t.Servers {
		to = append(to, i)
	}
	return to
}

// noExpiry rejects a clock of expiry for servers that are no Redis nodes.
func (must Must) noExpiry(t *Topology) {
	must(t.Expiry == redis.WallExpiry, "expiry", "lock.kind %s uses no Redis nodes; leave this out", t.Kind)
}

// plain is embedded by servers that have nothing for a lock, and no other name for a grant than its token.
type plain struct{}

func (plain) Equip(*locks.Config, int) {}

func (plain) Token(g locks.Grant) string { return g.Token }
