// Package etcd is a platform for guests: a group of servers as those of etcd, which speak gRPC, so that etcd's own client and
// what is built on it run in the simulated world.
//
// The servers agree by raft: they are those of package sim/consensus, which the catalogue's own lock of the kind etcd runs on,
// with a front that takes the requests of etcd's client. So all that faults do to those servers they do to these.
//
// # What is modelled
//
// KV: Range, Put, DeleteRange and Txn, with create and mod revisions and versions; a range is linearizable, by a read index,
// unless it asks to be serializable. Lease: LeaseGrant (TTLs in seconds, two at least), LeaseRevoke and LeaseKeepAlive, which
// the leader answers once a majority has confirmed that it leads. A lease ends by the leader's clock, and its keys with it, at
// one revision. A new leader renews each for its full TTL and an election more, as etcd does where it makes no checkpoints of
// leases, which is its default. Watch, from a revision: each server sends what it has applied itself, so one that is behind,
// or has no leader, is silent.
//
// A request that is not done within five seconds and two elections gets "request timed out". A keep-alive at a server that
// knows no leader waits for one for three elections, and gets "no leader" then, which ends its stream; so the client goes on
// to another server. Nothing else ends a stream of keep-alives that knows no leader: in etcd a monitor does, also where
// nothing is asked.
//
// The connection is HTTP/2 without TLS. Pings of the client's travel to the server and back as all else does.
//
// # What is not
//
// Compaction: all of the history can be watched. Ranges at an old revision, comparisons other than "equal" of a create or mod
// revision, a version or a lease, transactions within transactions, IDs of leases that the client chooses, LeaseTimeToLive,
// LeaseLeases, progress of watches, users, members, maintenance: such a request is answered as one that the server does not
// implement. etcd looks for leases that have ended twice a second, and ends one by up to two seconds late on a busy machine;
// here it ends on time. Flow control of HTTP/2 never holds anything up. Where disks lose what they had promised to keep, a
// watcher is told what the latest of the logs says.
//
// wire.go is HTTP/2 and gRPC, at the client's end of a connection; message.go is what travels; translate.go says it to package
// consensus; server.go is the front; lock.go has the platform, and our own lock on it. chance.go and never.go see to it that a
// client's runs repeat, and that they can be in a bubble at all.
package etcd
