package explore

import "time"

// subjects are the locks of the table. Without an About they have that of the matrix.
var subjects = []Subject{
	{Name: "redlock", Most: 3},
	{Name: "redlock, aof-always", Set: []string{onDisk}, Most: 2},
	{Name: "redlock, one after the other", About: "the nodes are asked one after the other, with a timeout of 19 ms", Set: oneByOne,
		Timeout: 19 * time.Millisecond, Late: "17ms", Work: brief, Most: 2},
	{Name: "redlock, one after the other, no validity check", About: "the same, and step three is left out", Set: append(oneByOne[:len(oneByOne):len(oneByOne)], "lock.validity_check=false"),
		Timeout: 19 * time.Millisecond, Late: "17ms", Work: brief, Most: 2},
	{Name: "redlock, no drift allowance", Set: []string{"lock.drift_constant=0s"}, Most: 2},
	{Name: "redlock, wall clock", Set: []string{"lock.clock=wall"}, Most: 2},
	{Name: "redlock, one vote", About: "one vote is enough, of three nodes", Set: []string{"lock.quorum=1"}, Most: 2},
	{Name: "redlock, plain delete", Set: []string{"lock.free=delete"}, Most: 2},
	{Name: "redlock, renewed", About: "the holder extends the lock twice while it works", Set: []string{"lock.renew.every=5ms", "lock.renew.attempts=2"}, Most: 1},
	{Name: "redlock, tokens from its own nodes", Set: []string{"fencing.source=nodes"}, Work: "6ms", Most: 2},
	{Name: "redlock, tokens written back", Set: []string{"fencing.source=quorum", "fencing.named=true", onDisk}, Work: "2ms", Most: 1},
	{Name: "redlock, tokens from one Redis", About: "one of the nodes counts", Set: []string{"fencing.source=node", "fencing.node=1"}, Work: brief, Most: 1},
	{Name: "redlock, tokens from a service", Set: []string{"fencing.source=service"}, Work: "4ms", Most: 1},
	{Name: "single instance", Set: single(), Most: 3},
	{Name: "single, aof-always", Set: single(onDisk), Most: 2},
	{Name: "single, setnx then expire", Set: single("lock.take=setnx-then-expire"), Work: brief, Most: 2},
	{Name: "single, get then set", Set: single("lock.take=get-then-set"), Work: brief, Most: 2},
	{Name: "single, plain delete", Set: single("lock.free=delete"), Most: 2},
	{Name: "single, get then delete", Set: single("lock.free=get-then-delete"), Most: 2},
	{Name: "fenced", Set: []string{"lock.kind=fenced", "nodes=1", onDisk}, Most: 2},
	{Name: "fenced, no disk", Set: []string{"lock.kind=fenced", "nodes=1", "persistence=none"}, Most: 2},
	{Name: "failover", About: "SET NX PX on a master with two replicas that do not lag; one is promoted when the master is silent for 10 ms", Set: replicated("lock.failover.wait=0"), Most: 1},
	{Name: "failover, WAIT 1", Set: replicated("lock.failover.wait=1", "lock.failover.wait_timeout=5ms"), Work: brief, Most: 1},
	{Name: "redisson", About: "a hash on one node, renewed every 7 ms by a watchdog; it computes no validity window, so validity is belief here",
		Set: []string{"lock.kind=redisson", "nodes=1", "lock.renew.every=7ms"}, Most: 1},
	{Name: "redisson, RFencedLock", Set: []string{"lock.kind=redisson", "nodes=1", "lock.renew.every=7ms", "lock.redisson.fenced=true", "fencing.source=lock", onDisk}, Most: 1},
	{Name: "redisson-red", Set: []string{"lock.kind=redisson-red", "lock.renew.every=7ms"}, Most: 1},
	agreed("etcd, as shipped", "lock.kind=etcd", "lock.session.margin=0", "lock.session.sent=false", "lock.session.check=key", "lock.session.compare=false",
		"lock.session.give_up=false"),
	agreed("etcd, ideal client", "lock.kind=etcd"),
	agreed("zookeeper, as shipped", "lock.kind=zookeeper", "lock.session.margin=0", "lock.session.sent=false", "lock.session.check=key"),
	agreed("zookeeper, ideal client", "lock.kind=zookeeper"),
	{Name: "sql-row-lock", About: "lock and write are one transaction of the database, which ends one that is idle for 20 ms", Set: []string{"lock.kind=sql-row-lock"}, Servers: "s", Most: 1},
}

// brief is how long the holder works where it takes longer to have the lock and its token; with some tokens it is less.
const brief = "10ms"

// onDisk is a node that forgets nothing.
const onDisk = "persistence=aof-always"

var oneByOne = []string{"lock.contact=sequential", "lock.timeout=19ms"}

// single is a lock on one node.
func single(set ...string) []string { return append([]string{"lock.kind=single", "nodes=1"}, set...) }

// replicated is a lock on a master with replicas.
func replicated(set ...string) []string {
	return append([]string{"lock.kind=failover", "replicas.lag=0s..0s", "replicas.down_after=10ms", "replicas.ping_every=2ms", "replicas.demote_after=10ms"}, set...)
}

// agreed is a lock on three servers that agree. A request passes several of them, so all times are three times as long.
func agreed(name string, lock ...string) Subject {
	set := append(lock, onDisk, "lock.ttl=60ms", "lock.timeout=15ms", "raft.heartbeat=5ms", "raft.election=25ms", "lock.session.poll=20ms", "horizon=3s")
	return Subject{Name: name, Set: set, TTL: 60 * time.Millisecond, Timeout: 15 * time.Millisecond, Work: "40ms", Most: 1}
}
