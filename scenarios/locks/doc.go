// Package locks holds lock protocols, one in each file, written as their papers read. They know nothing of the
// simulator: a [Client] is all they use, and the same files run unchanged against real servers.
//
// # The words
//
// A [Lock] is one client's way to acquire and release. One attempt to acquire ends in a [Grant]; a [Retry] makes
// attempts until one wins. Other abilities are optional interfaces: an [Extender] can let a hold last longer than its
// grant, and a [Renewal] does so again and again. [Rules] hold every rule as a field. [Reference] follows them all, and
// a mutant is the reference with one field changed. A [Protocol] describes a kind of lock, in the file of its steps.
//
// # The rules, and the flaw of the field that each keeps out
//
//	quorum, a majority          two groups of half the nodes each grant the lock
//	timeout, small              with one node down, asking in sequence takes longer than the lock lives: it is never acquired
//	clock, monotonic            a wall clock that is set back, or a clock that misses a suspension, shows ended validity
//	drift_factor, _constant     two holders, when clocks run at different rates
//	take, set-nx-px             get-then-set: two clients both see no key, and both set it
//	                            setnx-then-expire: a client that dies in between leaves a key for ever
//	                            set-nx-pxat: a client whose clock is behind sets keys that end too early
//	                            set-nx-ex: a part of a second is cut off, and a key ends before its holder's validity
//	value, random               a client whose clock shows the same time twice: as with a token that is not fresh
//	fresh_token                 a late release of one attempt frees what a later one won
//	validity_check              a lock is returned that has expired
//	deduct_elapsed              two holders, for as long as the replies took
//	counted, at-the-end         the lock was valid when it was checked, and then came a slow last reply
//	tolerate_errors             no client acquires while a minority of nodes is down
//	free, compare-and-delete    another client's lock is freed: always (delete), or when it changes hands (get-then-delete)
//	cleanup, all                a node that granted the lock and whose answer was lost keeps the key: others wait for the TTL
//	own_time                    the same, when the caller's patience ends before the attempt is cleaned up
//	renew.attempts              a client that never lets go
//	renew.compare               a key that expired is set again, over another client's hold: it looks like one long hold
//	extends, 1                  an extension by 0, or by less than a millisecond, deletes the key, and reports success
//	renew.adds, false           a hold that outlives its last extension is thought valid after its keys have expired
//	renew.quorum                a lock is thought extended that others can acquire
//	renew.check                 an extension counts that returned when its validity had passed
//	renew.confirm               the new deadline counts while keys still have the old expiry
//	renew.keep_failed           a lock that had time left is lost
//	renew.stop_at_release       a lock that was released only in part is never freed
//
// # Locks on a session
//
// A [Queue] follows the recipe of etcd ([NewEtcd]) or of ZooKeeper ([NewZooKeeper]), on a service that keeps its
// promises whatever happens to its servers ([Keys]). A client has a session there, kept alive by a separate thread
// ([Session.Keep]), and a key in a queue that ends with the session. The client of the first key holds the lock, and
// the key's revision is the fencing token. The rules are [SessionRules]; [SessionReference] follows them all:
//
//	keep_alive, a third of the TTL   a session ends because of one lost message
//	margin                           two holders, when clocks run at different rates
//	confirm                          a client that is cut off takes its session for valid for ever
//	sent                             so does one that was paused before it read an old answer, for a TTL more
//	check, both                      granted after expiry: a waiter with an ended session learns that it is first
//	compare                          a release that comes late frees the client's next hold (etcd's issue 22082)
//	give_up                          a key is left, or comes late, under a session that lives on: no client gets the lock
//	own_node                         the same, with a node that the client has created twice: it waits for itself
//	watch, predecessor               all waiters wake at each change: it is safe, and slow
//
// The recipes do not define the deadline of such a lock. The service ends a session when it has heard nothing from the
// client for the TTL. It heard from the client at the earliest when the client sent the last keep-alive that was
// answered. From then on the client may count on the TTL, less a margin for clocks that run at different rates, by its
// monotonic clock. That is the deadline of everything it holds, and each keep-alive moves it. etcd's client counts from
// the answer (sent: false), and its lock does not check the deadline: it notifies a listener that the session has
// ended. With check: key only the service is asked after the wait, as etcd's lock does. Only the fencing token stops a
// client that works on beyond its session.
//
// With this deadline no two holds are valid together, whatever happens to the servers, as long as no clock gains more
// on another than the margin allows. Steps of wall clocks do not matter.
//
// A [Consul] is one key that a session acquires, without a queue. Its session lives for up to twice the TTL (late), and
// then its key can't be acquired for the lock-delay. So a holder that was paused or cut off may be late by that much
// and still do no harm. With own_clock: false the holder works until a server answers that its session has ended, as
// the Lock of Consul's Go package api does.
//
// # The lock with failover
//
// [OnMaster] is the single-instance lock on a master with replicas; when the master fails, one of them is promoted. The
// theorem does not hold for it: the key reaches the replicas after the client's answer, and assumption 2, that a server
// loses no data, is false for a master that is replaced. [FailoverRules] has two further rules.
//
//	wait, one replica           the master fails with what it has not sent yet: the next one grants the lock again
//	check_wait                  the same, though the replicas were waited for: it is ignored that they have not answered
//
// With both, a grant still does not survive: the promotion of a replica that did not acknowledge; a replica that
// acknowledged from memory, and restarted; a master that restarts empty before it is replaced; and a split brain, in
// which an old master with a replica on its side grants what the new one grants. A lock that waits for all replicas is
// never granted once one of them is promoted.
//
// # The lease record
//
// A [RecordLock] is one [Record] in a store with compare-and-set: a row, an object, a key. Nothing ends there by itself;
// the clients judge when a record has expired. [RecordRules] are its own rules, and each keeps out a flaw:
//
//	writer, server       a client whose clock is wrong writes a record that ends too early, or keeps all others out
//	judge, change        by its own clock a reader takes over a record that still counts; by the server's it is enough
//	                     that this clock is stepped
//	within, 0            a reader with a shorter timeout than the owner's takes over between two renewals
//	from_answer          the wait for a change counts from before the record was written
//	compare              two clients read the free record, and both write theirs
//	match, owner         a version or number that is known no more, or begins again, is taken for the owner's
//	release, clear       numbers begin again, so that they are no fencing tokens
//	reread               a client whose answer was lost has written a record that it does not know
//
// It has the rules of Redlock for tokens, deadlines and renewals too.
//
// # The theorem
//
// Redlock's promise, stated so that it can be tested. Let N servers be asked for a key with a TTL of T; let the grant
// need q votes; let its validity be V = T − elapsed − drift, with drift = T × factor + constant, and elapsed counted on
// the client's clock from before the first request to after the last reply. Assume
//
//  1. q > N/2,
//  2. from the moment a server grants the key until the grant's deadline, no step takes its wall clock forward, and it
//     loses no data,
//  3. from before the first request until the deadline, the clock that the client counts on is not stepped back: the
//     monotonic one never is,
//  4. clocks run at steady rates, a server's at (1 + s) and the client's at (1 + c), and the allowance covers what the
//     fastest server gains on the client within the TTL: T × (s − c) / (1 + s) ≤ drift,
//  5. tokens are unique to the attempt, and releases and extensions compare them.
//
// Then from the return of acquire until the client's clock shows the deadline, or until it releases, each server that
// granted the key still holds it (the property quorum), and no other client has a valid grant (the property validity).
// Messages may be delayed, lost and reordered without bound, and the client may be paused anywhere: neither appears
// among the assumptions.
//
// Proof. Let the client read its clock at true time a, before its first request. A server grants the key at g ≥ a, and
// its deadline lies at least T later on the server's clock: by (2) and (4) the key lives at least until a + T/(1+s).
// The client's clock shows the deadline, by (3) and (4), at a + (T − drift)/(1+c), at the latest. By (4) that is no
// later. So every voter holds the key through the whole window; that is q servers, and by (1) no q others, or the same,
// can grant it to another client within it.
//
// An extension asks every server to reset the key's life to T if it still has the token. It is granted if q servers
// did, if V = T − elapsed − drift is left, with elapsed counted from before its own first request, and if the old
// deadline has not passed by then. The deadline is then V away. Under the same assumptions, from the return of acquire
// until the last deadline that was granted, or until it releases, there are at every instant q servers that hold the
// key, and no other client has a valid grant.
//
// Proof. What was said of servers that grant the key at g ≥ a holds of those that extend it at g ≥ a, where a is now
// before the extension's first request: from the return of the extension until the new deadline q servers hold the key.
// Until the old deadline others did, or the same; and the client has seen that the extension returned before that. So
// no instant lies between the two, and at none are there q servers for another client. A failed extension takes nothing
// away: a key that it did extend lives for T from then on, which is past the old deadline. (It may be less than the key
// had left, if the server's clock was stepped back in between.)
//
// The old deadline must not have passed, although it seems that a key which still has the token was there all the time.
// A request to take the key may have been late: it arrives when the key has expired and another client has acquired and
// released the lock, and sets the token again.
//
// It does not promise that a client stops at its deadline. A client that acts on a grant without validity (step three
// rejects those), or that is paused after the check, wrongly takes itself for the holder (the property belief). A write
// that it sent in time may arrive late (the property storage). And a request that arrives at a server after the release
// of its attempt leaves a key there for the length of the TTL (the property leak-free, if the release was acknowledged
// everywhere; otherwise a key that ends by its TTL is what a TTL is for).
//
// Redis keeps a key to the end of its deadline's millisecond, which leaves up to one millisecond to spare. The test of
// the theorem therefore breaks each bound by a little more than that, and finds a counterexample.
//
// # The source
//
// lock.go defines a lock and its client, config.go its rules, round.go a request to all servers. Each protocol on Redis
// has a file: redlock.go, single.go, fenced.go, failover.go, redisson.go. Redisson's other kinds are in
// redissonkinds.go: read-write, fair, and on a master. rowlock.go is the one in a database, record.go the one in a
// store. etcd.go, zookeeper.go and consul.go are those on a service, on top of session.go; the first two also of
// queue.go.
package locks
