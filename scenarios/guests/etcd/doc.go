// Package etcd is a platform for guests: a group of servers that speak etcd's gRPC, so that etcd's own client and
// code built on it run in the simulated world.
//
// The servers agree by raft. They are the servers of package sim/consensus, which the catalogue's own lock of the
// kind etcd uses too. A front takes the requests of etcd's client. So faults affect both kinds alike.
//
// # What is modelled
//
// KV: Range, Put, DeleteRange and Txn, with create and mod revisions and versions. A range is linearizable, by a read
// index, unless it asks to be serializable. Lease: LeaseGrant (TTLs in seconds, at least two), LeaseRevoke and
// LeaseKeepAlive, which the leader answers once a majority has confirmed that it leads. A lease ends by the leader's
// clock, and its keys with it, at one revision. A new leader renews each for its full TTL plus an election. etcd does
// so too if it makes no checkpoints of leases, which is its default. Watch, from a revision: each server sends what
// it has applied itself, so a server that is behind, or has no leader, is silent.
//
// A request that takes longer than five seconds and two elections gets "request timed out". A keep-alive at a server
// that knows no leader waits for one for three elections. Then it gets "no leader", which ends its stream, so the
// client moves to another server. Nothing else ends a stream of keep-alives without a leader. In etcd a monitor does,
// even on an idle stream.
//
// The connection is HTTP/2 without TLS. The client's pings travel to the server and back like any message.
//
// # What is not
//
// Compaction: the whole history can be watched. Ranges at an old revision, comparisons other than "equal" of a create
// or mod revision, a version or a lease, transactions within transactions, IDs of leases that the client chooses,
// LeaseTimeToLive, LeaseLeases, progress of watches, users, members, maintenance: such a request gets the answer that
// the server does not implement it. etcd looks for leases that have ended twice a second, and ends one by up to two
// seconds late on a busy machine. Here it ends on time. Flow control of HTTP/2 never holds anything up. If disks lose
// data that they had promised to keep, a watcher sees what the latest of the logs says.
//
// wire.go is HTTP/2 and gRPC, at the client's end of a connection; message.go has the messages; translate.go
// translates them for package consensus; server.go is the front; lock.go has the platform, and our own lock on it.
// chance.go makes a client's runs repeatable, and never.go lets them run in a bubble.
package etcd
