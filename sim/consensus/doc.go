// Package consensus is a replicated key-value service for the simulator, such as etcd or ZooKeeper: some servers that
// agree on one log by the raft of go.etcd.io/raft, each with a disk and a clock of its own.
//
// # The law
//
// What the service has acknowledged stays done, and every read that is not asked to be local sees it: the service is
// linearizable, whatever happens to messages, clocks and servers. Only its leases depend on a clock. While more than half
// of the servers are up and reach each other, it answers.
//
// # The words
//
// A [Cluster] is the group, a [Node] one of its servers. A [Txn] is put into the log by the leader, is committed once a
// majority has it on disk, and is then applied by each server, in the order of the log. Each change of a key raises the
// revision by one. A key has the revision of its creation (its create revision), that of its latest put, and the number of
// its puts. A lease is an ID with a TTL; keys are put under it and are deleted with it. A [Watch] is a long poll.
//
// # What is modelled, and how
//
// Elections are raft's, with pre-vote and check-quorum. Raft draws the jitter of its timeouts from a source that can't be
// seeded, so its own timeouts are not used: only leaders tick, and a follower stands for election by a timer on its
// host's monotonic clock, with a draw of the run. A leader that has not heard from a majority for an election timeout steps
// down. One that was paused still takes itself for leader when it goes on; but reads ask a majority first (the read index),
// and what it proposes is never committed.
//
// Any server can be asked. A follower forwards writes to the leader, asks it for the read index, and answers once it has
// applied the log so far itself. As in etcd, a write that is lost on its way is not sent again, and nobody is informed: a
// request that timed out has an unknown outcome. As in etcd, too, a request that a client sends twice is done twice,
// unless it has a name ([Once]).
//
// A disk keeps what was written through a crash, and what was synced through a loss of power. A server syncs before it
// sends what others will count on. From time to time a snapshot replaces the log.
//
// A lease ends when its time has passed by the leader's monotonic clock, and then through the log. The leader renews
// one only once a majority has confirmed that it leads, as etcd does since its issue 15247. A new leader renews each
// lease for its full TTL and an election timeout more. So, if no clock gains on another, a lease whose keep-alive was
// answered lives for at least its TTL from the moment at which that was sent.
//
// A client that holds a lock by a key may guard what it writes here: a transaction that compares the create revision of
// that key with the one it was granted is refused once the lock has changed hands. Then lock and data are one system,
// and no clock matters.
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
//	sync, and then getChildren or exists          Read: a read index instead of an entry of the log, which is no weaker
//	watch on a node, or on children               Watch, or Watch with Prefix
//
// # What is not
//
// Members do not change. Only the latest value of a key is kept, and no history: a watch reports that something happened,
// not what. Syncing takes no time of its own. What entries and snapshots hold is not written as bytes; the
// servers share one table of it, in which nothing is ever changed. etcd checks leases twice a second, here they end on
// time; it compares strings, too. ZooKeeper's sessions time out by ticks of half a session and more; here by TTL.
//
// # What the caller owes
//
// All hosts of the world are there before Attach. Requests are pointers to the types of this package, and a reply is a
// *[Reply] or an [Error]. A request that no server can answer gets no answer: clients have timeouts.
package consensus
