package campaign

import (
	"slices"
	"time"

	"github.com/lockstorm/lockstorm/scenarios"
)

// A Variant is a kind of lock with some settings: a row of the table of locks.
type Variant struct {
	Name  string
	About string
	Set   []string // what makes it of redlock/any, as for --set: the kind of lock first
	Small *Small   // the same lock in a small universe; nil where it is not explored

	unmeasured bool // it is in no matrix
	client     bool // the lock is another row's, and its clients use it in another way
}

// A Small is a lock in a universe small enough to explore: redlock/small with some settings changed. Times are shorter
// there.
type Small struct {
	About   string        // where the Variant's text names other times or settings
	Set     []string      // where they differ from the Variant's
	TTL     time.Duration // how long the lock lives; 0 for 20 ms
	Timeout time.Duration // 0 for 5 ms
	Late    string        // another time by which messages may be late
	Work    string        // for how long the holder works; it should write shortly before its validity ends. "" for 14 ms
	Servers string        // the servers that faults hit; "" for nodes
	Most    int           // how many things may differ in its largest budgets
}

// Variants returns the table of locks: each kind of lock, with what the field added to it and left out of it, and last
// the client libraries of this program, which package scenarios registers. In the matrix, times are of one order:
// keys, leases and sessions live for 0.3 s, 1 s or 2 s, at random for each run, and failovers notice a dead server
// within 0.3 s.
func Variants() []Variant {
	all := slices.Clone(variants)
	for _, g := range scenarios.Guests() {
		all = append(all, Variant{Name: g.Name, About: g.About, Set: []string{"lock.kind=" + g.Name}})
	}
	return all
}

// MatrixVariants returns the locks of the matrix.
func MatrixVariants() []Variant {
	return slices.DeleteFunc(Variants(), func(v Variant) bool { return v.unmeasured })
}

// LockVariants returns the locks of the matrix without the rows that are about clients.
func LockVariants() []Variant {
	return slices.DeleteFunc(MatrixVariants(), func(v Variant) bool { return v.client })
}

// onDisk is a node that forgets nothing.
const onDisk = "persistence=aof-always"

// brief is how long the holder works in a small universe where it takes longer to have the lock and its token; with
// some tokens it is less.
const brief = "10ms"

var variants = []Variant{
	{
		Name:  "redlock",
		About: "as the documentation wants it, on independent nodes that write each command to disk before they answer",
		Set:   []string{onDisk}, Small: &Small{Most: 2},
	},
	{
		Name: "redlock, no disk", About: "the same, on nodes that keep nothing, as those of rows that say nothing of disks",
		Small: &Small{Most: 3},
	},
	{
		Name: "redlock, tokens from its own nodes", About: "each node counts, and the largest count is the token",
		Set: []string{"fencing.source=nodes"}, Small: &Small{Work: "6ms", Most: 2},
	},
	{
		Name: "redlock, tokens written back",
		About: "the same, and the largest count is written back to a majority before it is used, on nodes that write each command " +
			"to disk",
		Set: []string{"fencing.source=quorum", "fencing.named=true", onDisk}, Small: &Small{Work: "2ms", Most: 1},
	},
	{
		Name: "redlock, tokens from one Redis", About: "n1 counts",
		Set: []string{"fencing.source=node", "fencing.node=1"}, Small: &Small{About: "one of the nodes counts", Work: brief, Most: 1},
	},
	{
		Name: "redlock, tokens from a service",
		About: "three servers that agree count, beside the lock's nodes; they are parted and hard to reach like others, and nothing " +
			"stops them",
		Set: []string{"fencing.source=service"}, Small: &Small{Work: "4ms", Most: 1},
	},
	{
		Name: "redlock, delayed restart", About: "a node that lost its data stays away for longer than any lock lives",
		Set: []string{"search.away=2100ms"},
	},
	{
		Name: "redlock, renewed", About: "the holder extends the lock four times while it works",
		Set: []string{"lock.renew.every=100ms", "lock.renew.attempts=4"},
		Small: &Small{
			About: "the holder extends the lock twice while it works",
			Set:   []string{"lock.renew.every=5ms", "lock.renew.attempts=2"}, Most: 1,
		},
	},
	{
		Name:  "redlock, no validity check",
		About: "step three is left out; the clients here look at the validity again before they write, which covers for it",
		Set:   []string{"lock.validity_check=false"},
	},
	oneByOne("redlock, one after the other", "the nodes are asked one after the other, with a timeout of 19 ms"),
	oneByOne("redlock, one after the other, no validity check", "the same, and step three is left out", "lock.validity_check=false"),
	{
		Name: "redlock, no drift allowance", About: "nothing is deducted for clocks that run unlike",
		Set:   []string{"lock.drift_factor=0", "lock.drift_constant=0s"},
		Small: &Small{Set: []string{"lock.drift_constant=0s"}, Most: 2},
	},
	{
		Name: "redlock, wall clock", About: "validity is measured on the client's wall clock",
		Set: []string{"lock.clock=wall"}, Small: &Small{Most: 2},
	},
	{Name: "redlock, two votes", About: "two votes are enough, of three to five nodes", Set: []string{"lock.quorum=2"}},
	{
		Name: "redlock, one vote", About: "one vote is enough, of three nodes",
		Set: []string{"lock.quorum=1"}, Small: &Small{Most: 2}, unmeasured: true,
	},
	looking("redlock, clients look once", "clients look at their clock before they write, and don't stop at their deadline",
		onDisk, looksOnce),
	looking("redlock, clients never look", "clients act as holders until they are done", onDisk, "work.recheck=false", looksOnce),
	{
		Name: "redlock, plain delete", About: "a release does not compare the token",
		Set: []string{"lock.free=delete"}, Small: &Small{Most: 2},
	},

	alone("single", "single instance", "SET NX PX on one node, and a release that compares", Small{Most: 3}),
	alone("single", "single, aof-always", "the same, and the node writes each command to disk before it answers",
		Small{Most: 2}, onDisk),
	alone("single", "single, setnx then expire", "the TTL is set by a second command", Small{Work: brief, Most: 2},
		"lock.take=setnx-then-expire"),
	alone("single", "single, get then set", "the client looks for a key, and sets it if there is none", Small{Work: brief, Most: 2},
		"lock.take=get-then-set"),
	alone("single", "single, plain delete", "a release does not compare the token", Small{Most: 2}, "lock.free=delete"),
	alone("single", "single, get then delete", "a release compares in one command and deletes in another", Small{Most: 2},
		"lock.free=get-then-delete"),
	alone("fenced", "fenced", "one node on disk, which counts a fencing token in the script that takes the key",
		Small{Most: 2}, onDisk),
	alone("fenced", "fenced, no disk", "the same, on a node that has lost key and counter when it restarts", Small{Most: 2},
		"persistence=none"),

	replicated("failover",
		"SET NX PX on a master with two replicas; one is promoted when the master is silent for 300 ms; they lag by up to 20 ms",
		Small{
			About: "SET NX PX on a master with two replicas that do not lag; one is promoted when the master is silent for 10 ms",
			Set:   []string{"lock.failover.wait=0"}, Most: 1,
		},
		"lock.failover.wait=0"),
	replicated("failover, WAIT 1", "the same, and a lock counts when one replica has it too",
		Small{Set: []string{"lock.failover.wait=1", "lock.failover.wait_timeout=5ms"}, Work: brief, Most: 1},
		"lock.failover.wait=1", "lock.failover.wait_timeout=50ms"),

	{
		Name:  "redisson",
		About: "a hash on one node, renewed every 100 ms by a watchdog; it computes no validity window, so validity is belief here",
		Set:   []string{"lock.kind=redisson", "lock.renew.every=100ms"},
		Small: &Small{
			About: "a hash on one node, renewed every 7 ms by a watchdog; it computes no validity window, so validity is belief here",
			Set:   []string{"lock.kind=redisson", "nodes=1", "lock.renew.every=7ms"}, Most: 1,
		},
	},
	looking("redisson, clients never look", "clients act as holders until they are done; with a watchdog there is no deadline to look at",
		"lock.kind=redisson", "lock.renew.every=100ms", "work.recheck=false", looksOnce),
	looking("redisson, fixed lease", "the lease is given, so no watchdog renews it; clients look before they write, and stop at its end",
		"lock.kind=redisson", given),
	looking("redisson, fixed lease, clients look once", "the same, and they don't stop at its end",
		"lock.kind=redisson", given, looksOnce),
	looking("redisson, fixed lease, clients never look", "the same, and they act as holders until they are done",
		"lock.kind=redisson", given, "work.recheck=false", looksOnce),
	{
		Name:  "redisson, RFencedLock",
		About: "the same, on a node that writes each command to disk; the script that takes the lock counts a fencing token",
		Set:   append([]string{"lock.kind=redisson", "lock.renew.every=100ms"}, fencedLock...),
		Small: &Small{Set: append([]string{"lock.kind=redisson", "nodes=1", "lock.renew.every=7ms"}, fencedLock...), Most: 1},
	},
	{
		Name: "redisson, fair lock", About: "the same lock with a queue; who waits is woken in turn",
		Set: []string{"lock.kind=redisson-fair", "lock.renew.every=100ms", "lock.redisson.wait=500ms",
			"lock.redisson.queue_wait=1s"},
		unmeasured: true,
	},
	{
		Name: "redisson, read-write lock", About: "the same lock for readers and writers, where one client reads",
		Set: []string{"lock.kind=redisson-rw", "lock.renew.every=100ms", "work.readers=1"}, unmeasured: true,
	},
	sentinel("redisson, Sentinel", "the same lock on a master with two replicas, as failover", "lock.failover.wait=0"),
	sentinel("redisson, Sentinel, WAIT", "the same, and a lock counts when a replica has it",
		"lock.failover.wait=2", "lock.failover.wait_timeout=50ms"),
	{
		Name:  "redisson-red",
		About: "such a lock on each of several nodes, held by whoever has the majority; it computes no validity window either",
		Set:   []string{"lock.kind=redisson-red", "lock.renew.every=100ms"},
		Small: &Small{Set: []string{"lock.kind=redisson-red", "lock.renew.every=7ms"}, Most: 1},
	},

	// Clients of coordination services as they are shipped: scenarios/README.md names the versions and lines that were
	// read, and the remaining differences.
	agreed("etcd, as shipped", "the Mutex of etcd's Go client on three servers that agree, on disk: a key on a lease, and a queue",
		"lock.kind=etcd", "lock.session.margin=0", "lock.session.sent=false", "lock.session.check=key", "lock.session.compare=false",
		"lock.session.give_up=false"),
	agreed("etcd, ideal client",
		"the same with what we add: a margin for drift, a lease that counts from the sending, a look at one's own clock",
		"lock.kind=etcd"),
	agreed("zookeeper, as shipped",
		"Curator's InterProcessMutex on three servers that agree, on disk: an ephemeral node, and a queue",
		"lock.kind=zookeeper", "lock.session.margin=0", "lock.session.sent=false", "lock.session.check=key"),
	agreed("zookeeper, ideal client",
		"the same with what we add: a margin for drift, a session that counts from the sending, a look at one's own clock",
		"lock.kind=zookeeper"),
	{
		Name: "consul", About: "the Lock of Consul's Go package on three servers that agree, on disk: a key of a session, and a lock-delay of 300 ms",
		Set: []string{"lock.kind=consul", "nodes=3", onDisk, "raft.heartbeat=20ms", "raft.election=100ms", "lock.timeout=50ms",
			"lock.session.poll=100ms", "lock.session.lock_delay=300ms"},
	},

	record("record", "a record in a store; a reader takes it over when it has not seen it change for as long as it lasts"),
	record("record, server's clock", "the same, and the store's clock writes and judges when it ends", "lock.record.judge=server"),
	record("record, clients' clocks", "the same, and clients write and judge it by theirs",
		"lock.record.writer=client", "lock.record.judge=reader"),

	{
		Name: "sql-row-lock", About: "lock and write are one transaction of the database, which ends one that is idle for 1 s",
		Set: []string{"lock.kind=sql-row-lock"},
		Small: &Small{
			About:   "lock and write are one transaction of the database, which ends one that is idle for 20 ms",
			Servers: "s", Most: 1,
		},
	},
}

// looksOnce is a client that works past its deadline.
const looksOnce = "work.stop_at_deadline=false"

// given is a lease that the caller gives, so that no watchdog extends it.
const given = "lock.renew.every=0s"

// looking is a lock whose clients look at their clock in another way. It is in the matrix, and not another lock.
func looking(name, about string, set ...string) Variant {
	return Variant{Name: name, About: about, Set: set, client: true}
}

// fencedLock makes Redisson's lock one that counts fencing tokens.
var fencedLock = []string{"lock.redisson.fenced=true", "fencing.source=lock", onDisk}

// oneByOne is a Redlock whose nodes are asked one after the other. It is not in the matrix.
func oneByOne(name, about string, set ...string) Variant {
	return Variant{
		Name: name, About: about, Set: append([]string{"lock.contact=sequential", "lock.timeout=19ms"}, set...), unmeasured: true,
		Small: &Small{Timeout: 19 * time.Millisecond, Late: "17ms", Work: brief, Most: 2},
	}
}

// alone is a lock on one node.
func alone(kind, name, about string, small Small, set ...string) Variant {
	small.Set = append([]string{"lock.kind=" + kind, "nodes=1"}, set...)
	return Variant{Name: name, About: about, Set: append([]string{"lock.kind=" + kind}, set...), Small: &small}
}

// replicated is a lock on a master with replicas, which lag by up to 20 ms, as under some load; in a small universe
// they do not lag. A failover notices a silent master as soon as a lock may expire.
func replicated(name, about string, small Small, set ...string) Variant {
	small.Set = append([]string{"lock.kind=failover", "replicas.lag=0s..0s", "replicas.down_after=10ms", "replicas.ping_every=2ms",
		"replicas.demote_after=10ms"}, small.Set...)
	return Variant{
		Name: name, About: about, Small: &small,
		Set: append([]string{"lock.kind=failover", "nodes=3", "replicas.lag=0s..20ms", "replicas.down_after=300ms",
			"replicas.ping_every=50ms", "replicas.demote_after=300ms"}, set...),
	}
}

// sentinel is Redisson's lock on the servers of replicated. It is in no matrix.
func sentinel(name, about string, set ...string) Variant {
	v := replicated(name, about, Small{}, append(set, "lock.renew.every=100ms")...)
	v.Set[0], v.Small, v.unmeasured = "lock.kind=redisson-sentinel", nil, true
	return v
}

// record is a lock that is a record in a store.
func record(name, about string, lock ...string) Variant {
	set := append([]string{"lock.kind=record"}, lock...)
	return Variant{Name: name, About: about, Set: set, Small: &Small{Set: set, Work: brief, Most: 1}}
}

// agreed is a lock on a raft service of three servers, which promises nothing without its disks. An election ends
// before a session of 300 ms does. A request passes several servers, so in a small universe all times are three times
// as long.
func agreed(name, about string, lock ...string) Variant {
	return Variant{
		Name: name, About: about,
		Set: slices.Concat(lock, []string{"nodes=3", onDisk, "raft.heartbeat=20ms", "raft.election=100ms", "lock.timeout=50ms",
			"lock.session.poll=100ms"}),
		Small: &Small{
			Set: slices.Concat(lock, []string{onDisk, "lock.ttl=60ms", "lock.timeout=15ms", "raft.heartbeat=5ms", "raft.election=25ms",
				"lock.session.poll=20ms", "horizon=3s"}),
			TTL: 60 * time.Millisecond, Timeout: 15 * time.Millisecond, Work: "40ms", Most: 1,
		},
	}
}
