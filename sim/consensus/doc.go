// Package consensus is a replicated key-value service for the simulator, such as etcd or ZooKeeper: servers that agree
// on one log by the raft of go.etcd.io/raft. Each has a disk and a clock.
//
// # The law
//
// What the service has acknowledged stays done, and every read sees it unless it asks to be local: the service is
// linearizable, whatever happens to messages, clocks and servers. Only its leases depend on a clock. It answers while
// more than half of the servers are up and reach each other.
//
// # The words
//
// A [Cluster] is the group, a [Node] one of its servers. The leader puts a [Txn] into the log. It is committed once a
// majority has it on disk, and then each server applies it, in the order of the log. Each change of a key raises the
// revision by one. A key has the revision of its creation (its create revision), the revision of its latest put, and
// the number of its puts. A lease is an ID with a TTL; keys are put under it and deleted with it. A [Watch] is a long
// poll.
//
// # What is modelled, and how
//
// Elections are raft's, with pre-vote and check-quorum. Raft draws the jitter of its timeouts from a source that can't
// be seeded, so its own timeouts are not used. Only leaders tick. A follower starts an election by a timer on its
// host's monotonic clock, with a draw of the run. A leader that has not heard from a majority for an election timeout
// steps down. A leader that was paused still acts as leader when it continues. But reads ask a majority first (the read
// index), and its proposals are never committed.
//
// Clients can ask any server. A follower forwards writes to the leader, asks it for the read index, and answers once it
// has applied the log so far itself. As in etcd, a write that is lost on its way is not sent again or reported: a
// request that timed out has an unknown outcome. Also as in etcd, a request that a client sends twice is done twice,
// unless it has a name ([Once]).
//
// Written data survives a crash, and synced data survives a loss of power. A server syncs before it sends anything that
// others rely on. From time to time a snapshot replaces the log.
//
// A lease ends when its time has passed by the leader's monotonic clock, and then through the log. The leader extends
// one only once a majority has confirmed that it leads, like etcd since issue 15247. A new leader extends each lease by
// its full TTL plus an election timeout. So, if no clock gains on another, a lease whose keep-alive was answered lives
// for at least its TTL after the keep-alive was sent.
//
// A client that holds a lock by a key can guard its writes here. A transaction compares the create revision of that key
// with the granted one, and fails once the lock has changed hands. Then lock and data are one system, and no clock
// matters.
//
// # How etcd and ZooKeeper map onto it
//
//	etcd                                          here
//	lease, key, revision, transaction, watch      the same
//	linearizable read                             Read
//	serializable read                             Read, Local
//	lease keep-alive by way of a follower         forwarded to the leader
//
//	ZooKeeper                                     here
//	session, and its timeout                      lease, and its TTL
//	ephemeral node                                a key under a lease
//	sequential node                               Op.Sequential: the number is its parent's cversion
//	zxid, czxid, mzxid                            revision, create revision, mod revision
//	getChildren, exists: local to a server        Read, Local; Since is the last zxid that the client has seen
//	sync, and then getChildren or exists          Read: a read index instead of an entry of the log; no weaker
//	watch on a node, or on children               Watch, or Watch with Prefix
//
//	Consul                                        here
//	session, its TTL and lock-delay               lease, twice the TTL as in Consul's leader, and Grant.Delay
//	acquire, release, LockIndex                   a put under the lease if there is no key, a delete, create revision
//	blocking query                                Watch
//
// # What is missing
//
// Members do not change. Only the latest value of a key is kept: a watch reports that something happened, not what.
// Syncing takes no time. Entries and snapshots are not written as bytes; the servers share one table of values that
// never change. etcd checks leases twice a second; here they end on time. etcd compares strings, too. ZooKeeper's
// sessions time out by ticks of half a session and more; here by TTL. In Consul each server counts a lock-delay from
// when it ended the session; here the leader does, and a new leader begins again. Health checks end no session here.
//
// # Rules for callers
//
// The world has all its hosts before Attach. Requests are pointers to the types of this package, and a reply is a
// *[Reply] or an [Error]. A request that no server can answer gets no answer: clients have timeouts.
package consensus
