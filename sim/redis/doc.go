// Package redis is a Redis server for the simulator: miniredis for what commands do, and a model of its own for what
// miniredis leaves to the real thing: a clock that may be wrong, persistence, power failures and restarts.
//
// # Expiry
//
// As in real Redis, the truth about a key's life is an absolute deadline in milliseconds, and a key is gone when the
// node's wall clock shows more than that. (miniredis, asked to count by itself, lets it go at the deadline; real Redis
// keeps it for the rest of that millisecond, and so do we: a key never lives shorter than its TTL on its node's clock.)
// A step forward therefore ends keys, and a step back lengthens their lives. Keys end at the very moment the clock
// passes their deadline, as if the active expiry of real Redis were never late.
//
// The deadlines are kept here. miniredis is told how much is left of them just before a command that could look, and is
// asked again afterwards. The few commands that locks are made of need neither, and cost little more than miniredis.
//
// Redis measures an absolute deadline to the millisecond, and so does TIME here. No life may be longer than a hundred
// years; a longer one is refused, as Redis refuses one that overflows.
//
// # Scripts
//
// The script cache is the node's, and is lost when it goes off. A script of [Scripts] runs natively, in Go, and does
// what the commands of its text do; every other script is interpreted. [Config.Interpret] makes all of them so: a test
// holds the two against each other. Interpreted scripts find a random generator that starts anew each time, as in
// Redis, no clock but the node's, and nothing that shows in which process they run. Their errors begin as those of
// Redis. There is no limit to how long a script runs: one that never ends hangs the run.
//
// # Persistence
//
// [None] forgets everything when the node goes off. [AOFAlways] forgets nothing. [AOFEverySecond] writes its log to disk
// at each whole second of its monotonic clock: on a power failure it loses what came after the last of them, and on a
// clean shutdown nothing. A key that ends is logged as deleted, as Redis does. The log is replayed at the times it was
// written, with the same draws. Deadlines are absolute, so lives run on while the node is off.
//
// In the record of a key's life ([Span]), a key on a node that is off counts as living until the node is on again
// without it, or until its deadline: meanwhile the node gives it to nobody else.
//
// # Replication
//
// Nodes of one group ([Replication]) copy their data asynchronously, as Redis does. The master puts what a command did
// on a stream, and answers its client; each write then waits in the master for its drawn lag, as in an output buffer,
// before it is sent. A master that fails takes along what still waits. What a command did goes as the state of the keys
// that it changed, with their deadlines as moments in time: what SET … PXAT, INCR, DEL and the commands of a script
// come to. A key that ends on the master is sent as deleted. A replica ends none by itself; it hides from its clients
// what is overdue by its own clock, and takes no writes. Once promoted, its own clock counts. Hyperloglogs and the
// consumer groups of streams are not copied. PUBLISH is.
//
// The stream has a name and an offset. A message that is lost stands for a connection that broke: the next one, a
// second later at most, does not follow on what the replica has, and it asks where to go on (PSYNC). It gets what it
// missed, if the master still has that and the names agree, or else all data, which here takes no longer than any
// message. A promoted replica begins a new name, and knows the old one as far as it had come: what others, or the old
// master, have beyond that they lose. A restart begins a new name too, so that after it there is always a full copy. A
// node that restarts takes the part that it had. If that is the master's, and it has lost its data, its replicas copy
// that it has none.
//
// WAIT is answered late, with the number of replicas that have acknowledged what its own connection had written.
// Replicas acknowledge when asked for it, and each second; they do so from memory, whatever reaches their disk.
// min-replicas-to-write counts those that were heard of lately by the master's wall clock, in whole seconds, as Redis
// does. REPLICAOF takes the name of a host. ROLE tells of it all. On a node that is in no group these are unknown
// commands.
//
// An [Observer] is a lone Sentinel: it pings all nodes, promotes the replica with the greatest offset when a ping of
// the master has been unanswered for too long, remembers the new master, tells every other node to follow it, and
// answers clients that ask who is master. It counts on its monotonic clock. (Sentinel counts on the wall clock, and
// takes a rest when that jumps.) Until the old master hears of it, it goes on serving those who reach it.
//
// Who judges a run may take [Lives] for the life of the key as clients see it; [Node.Reigns] says when a node took
// itself for master.
//
// # Publishing
//
// SUBSCRIBE and UNSUBSCRIBE take one channel, PUBLISH answers with the number of receivers, also in scripts. In the wire
// protocol messages come unasked for. A call here has one reply; so a subscriber asks for the next message with
//
//	RECEIVE channel [milliseconds]
//
// and is answered late: with ["message", channel, text], or with nil when so many milliseconds have passed on the
// server's clock. What is published while it does not ask is kept for its connection, in order, as a socket's buffer
// would. All of it is lost with the connection: when the server goes off, when the client does, or when a call on that
// connection has no reply in time. Then RECEIVE fails with NOSUB, and the client must subscribe anew; what was
// published in between it never sees. A message that was sent to a client that cannot be reached is lost, and counts as
// received.
//
// Three things differ from the real protocol. A message needs a request to be under way, which takes nothing from its
// latency as long as the client asks before it is published. A subscribed connection may send any command, for a proc
// has just one connection to each server: so a call of another command that has no reply in time takes the subscription
// along, where a client with a connection of its own for it would keep it. And the server learns at once when a
// connection is given up, so that PUBLISH may count fewer receivers than a real one, which learns it later.
//
// # What it does not do
//
// Transactions, blocking commands, other databases and whatever else miniredis lacks or cannot do truly are answered as
// Redis answers a command it does not know. The list stands beside the function that gives that answer.
//
// # What the caller owes
//
// Requests are non-empty []string, as a client would send them. A reply is a string, an int64, nil, a []any of these,
// or an [Error].
package redis
