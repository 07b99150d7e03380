// Package consensus is a replicated key-value service for the simulator, such as etcd or ZooKeeper: some servers that
// agree on one log by the raft of go.etcd.io/raft, each with a disk and a clock of its own.
//
// # The law
//
// What the service has acknowledged stays done, and every read that is not asked to be local sees it: the service is
// linearizable, whatever becomes of messages, of clocks, and of any of its servers. Only its leases hang on a clock. While
// more than half of the servers are up and can speak to each other, it answers.
//
// # The words
//
// A [Cluster] is the group, a [Node] one of its servers. A [Txn] is put into the log by the leader, is committed once a
// majority has it on disk, and is then applied by each server, in the order of the log. Whatever changes a key moves the
// revision up by one. A key has the revision at which it came to be (its create revision), that of its latest put, and
// the number of its puts. A lease is a name with a TTL; keys hang on it and go with it. A [Watch] is a long poll.
//
// # What is modelled, and how
//
// Elections are raft's, with pre-vote and check-quorum. Raft draws the jitter of its timeouts from a source that nobody can
// seed, so none of its own timeouts is in play: only leaders tick, and a follower stands for election by a timer on its
// host's monotonic clock, with a draw of the run. A leader that has not heard of a majority for an election timeout steps
// down. One that is paused does not know better when it goes on; so reads ask a majority first (the read index), and
// what it proposes is never committed.
//
// Any server may be asked. A follower hands writes on to the leader, asks it for the read index, and answers once it has
// applied the log so far itself. As in etcd, a write that is lost on its way is not sent again, and nobody hears of it: a
// request that timed out has an unknown outcome. As in etcd, too, a request that a client sends twice is done twice,
// unless it has a name ([Once]).
//
// A disk keeps what was written through a crash, and what was synced through a loss of power. A server syncs before it
// sends what others will count on. Now and then a snapshot takes the place of the log.
//
// A lease ends when the leader says so, by its own monotonic clock, and then through the log. The leader renews one only
// once a majority has confirmed that it leads, as etcd does since its issue 15247. A new leader gives each lease its full TTL and an
// election timeout more. So, if no clock gains on another: a lease whose holder had a keep-alive answered lives for at
// least its TTL from the moment at which that was sent.
//
// A client that holds a lock by a key may guard what it writes here: a transaction that compares the create revision of
// that key with the one it was granted is refused once the lock has changed hands. Then lock and data are one system,
// and no clock is asked at all.
//
// # How etcd and ZooKeeper map onto it
//
//	etcd                                          here
//	lease, key, revision, transaction, watch      the same
//	linearizable read                             Read
//	serializable read                             Read, Local
//	lease keep-alive by way of a follower         handed on to the leader
//
//	ZooKeeper                                     here
//	session, and its timeout                      lease, and its TTL
//	ephemeral node                                a key that hangs on a lease
//	sequential node                               Op.Sequential: the number is its parent's cversion
//	zxid, czxid, mzxid                            revision, create revision, mod revision
//	getChildren, exists: local to a server        Read, Local; Since is the last zxid that the client has seen
//	sync                                          Sync: a read index instead of a pass through the log, which is no weaker
//	watch on a node, or on children               Watch, or Watch with Prefix
//
// # What is not
//
// Members do not change. Only the latest value of a key is there, and no history: a watch tells that something happened,
// not what. Syncing takes no time but that of serving. What entries and snapshots hold is not written as bytes; the
// servers share one table of it, in which nothing is ever changed. etcd looks for ended leases twice a second, here they
// end on time; it compares strings, too. ZooKeeper's sessions time out by ticks of half a session and more; here by TTL.
//
// # What the caller owes
//
// All hosts of the world are there before Attach. Requests are pointers to the types of this package, and a reply is a
// *[Reply] or an [Error]. What nobody can answer is not answered: clients have timeouts.
package consensus
