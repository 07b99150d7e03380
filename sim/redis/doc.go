// Package redis is a Redis server for the simulator. Commands run in miniredis; this package adds what miniredis lacks:
// a clock that may be wrong, persistence, power failures and restarts.
//
// # Expiry
//
// As in real Redis, a key's life ends at an absolute deadline in milliseconds: the key is gone when the node's wall
// clock shows more than that. (miniredis removes it at the deadline. Real Redis keeps it for the rest of that
// millisecond, and so does this package: on its node's clock a key never lives shorter than its TTL.) So a step forward
// ends keys, and a step back lengthens their lives. A key ends at the moment the clock passes its deadline, as if
// Redis's active expiry were never late.
//
// With [MonotonicExpiry] no step moves a deadline. The clock of expiry then shows what the wall clock showed when the
// node began, plus what has passed since on the host's monotonic clock, even while the machine was off. Everything that
// Redis asks of its wall clock, such as PXAT and TIME, goes by it. Redis has no such setting; antirez proposed it.
//
// This package keeps the deadlines. It sets remaining lives in miniredis just before a command that could look, and
// reads them back afterwards. The few commands that locks use need neither, and cost little more than miniredis.
//
// TIME has the resolution of a deadline, a millisecond. A life longer than a hundred years is rejected, as Redis
// rejects one that overflows.
//
// # Scripts
//
// The node has its own script cache, which is lost when it goes off. A script of [Scripts] runs natively, in Go, with
// the effect of its text. So does a script that differs from a known one only in blanks, quotes, comments and the case
// of commands. Every other script is interpreted, and with [Config.Interpret] all are: a test compares the two.
// Interpreted scripts find a random generator that starts again each time, as in Redis, no clock except the node's, and
// nothing that depends on the process. Their errors begin like Redis's. A script may run forever, and then the run
// hangs.
//
// A node compiles a script once, and keeps its Lua machine from call to call and from run to run. If a script may have
// left something in the machine, the next one gets a new machine. In miniredis every EVAL does. A test runs anything in
// machines and compares them with that EVAL.
//
// # Persistence
//
// [None] loses everything when the node goes off. [AOFAlways] loses nothing. [AOFEverySecond] syncs its log at most
// once in each second of its wall clock, like Redis: the first write of a second immediately, which takes a moment, and
// later ones when the next second begins. A power failure loses what was not synced; a clean shutdown loses nothing.
// After a step back of the wall clock the node syncs nothing until the clock shows the time of the last sync again, but
// the kernel writes back what is older than 35 s. The disk of a paused node continues. A key that ends is logged as
// deleted, as in Redis. The log is replayed at the times it was written, with the same draws. Deadlines are absolute,
// so lives run on while the node is off.
//
// A disk that stalls completes no sync. A node with AOFAlways stops at its next change of data until the disk
// continues, and answers no client: Redis syncs in the thread that serves all clients, before it sends their replies. A
// node with AOFEverySecond answers. It stops only if it has something to log while a sync lasts until two more seconds
// of its wall clock have begun, so for one to two seconds (flushAppendOnlyFile in aof.c of Redis 7.0; "Latency due to
// AOF and disk I/O" in the Redis documentation). If a power failure interrupts a sync, its data is kept with AOFAlways,
// and lost with AOFEverySecond. A clean shutdown waits for no disk here.
//
// In the record of a key's life ([Span]), a key on a node that is off lives until the node is on again without it, or
// until its deadline: meanwhile the node grants it to no other client.
//
// # Replication
//
// Nodes of one group ([Replication]) copy their data asynchronously, like Redis. The master puts the effect of a
// command on a stream, and answers its client. Each write then waits in the master for a random lag, as in an output
// buffer, before it is sent. If the master fails, the writes that still wait are lost. The effect of a command is the
// state of the keys that it changed, with absolute deadlines, as after SET … PXAT, INCR, DEL and the commands of a
// script. A key that ends on the master is sent as deleted. A replica ends no keys itself. It hides keys that are
// overdue by its own clock from its clients, and takes no writes. Once promoted, its own clock counts. Hyperloglogs and
// the consumer groups of streams are not copied. PUBLISH is.
//
// The stream has a name and an offset. A lost message is like a broken connection: the next message, at most a second
// later, does not continue the replica's data, so the replica asks for the rest (PSYNC). It gets what it missed, if the
// master still has that and the names agree, or else all data, which here takes no longer than any message. A promoted
// replica begins a new name, and knows the old one up to its offset: other nodes lose what they have beyond that. A
// restart begins a new name too, so a full copy always follows. A node that restarts keeps its role. If it is the
// master and has lost its data, its replicas lose theirs too.
//
// WAIT is answered late, with the number of replicas that have acknowledged the writes of its connection. Its time is
// up by the wall clock, like the time of every command that blocks a client of Redis (timeout.c,
// handleBlockedClientsTimeout: a deadline in mstime, gettimeofday in 7.0): a step forward ends it early, a step back
// lengthens it. Redis looks at least ten times a second, a node here immediately. Replicas acknowledge when asked, and
// each second, from memory: their disks don't matter. min-replicas-to-write counts the replicas that were heard of
// lately by the master's wall clock, in whole seconds, as in Redis. REPLICAOF takes the name of a host. ROLE reports
// the role. A node outside a group does not know these commands.
//
// An [Observer] is a lone Sentinel. It pings all nodes, and promotes the replica with the greatest offset when the
// master has left a ping unanswered for too long. It remembers the new master, makes every other node follow it, and
// answers clients which node is master. It counts on its monotonic clock. (Sentinel counts on the wall clock, and
// pauses when that jumps.) Until the old master learns of the change, it serves the clients that reach it.
//
// For a judge, [Lives] is the life of the key as clients see it.
//
// # Publishing
//
// SUBSCRIBE and UNSUBSCRIBE take one channel. PUBLISH answers with the number of receivers, also in scripts. In the
// wire protocol messages come unrequested. A call here has one reply, so a subscriber asks for the next message with
//
//	RECEIVE channel [milliseconds]
//
// The late answer is ["message", channel, text], or nil after that time on the server's clock. Messages that come
// meanwhile are kept for the connection, in order, as in a socket's buffer. All of this is lost with the connection:
// when the server or the client goes off, or when a call on that connection has no reply in time. Then RECEIVE fails
// with NOSUB, and the client must subscribe again, and never sees what was published in between. A message to a client
// that can't be reached is lost, and counts as received.
//
// Three things differ from the real protocol. A message needs a waiting request, but has the same latency if the client
// asks before it is published. A subscribed connection may send any command, because a proc has just one connection to
// each server. So a call of another command without a reply in time ends the subscription; a client with a separate
// connection would keep it. And the server learns immediately when a connection is given up, so PUBLISH may count fewer
// receivers than a real one, which learns it later.
//
// # The wire
//
// A client library speaks bytes. A [Request] comes by a [Wire] and is answered with what Redis 7.2 would write, in
// RESP2 or RESP3 as HELLO has agreed. Only a wire has HELLO, CLIENT and SELECT. The scripts of some libraries run
// natively.
//
// # What is missing
//
// Transactions, blocking commands, other databases and everything else that miniredis lacks or does wrongly get Redis's
// answer to an unknown command. See the list unsupported in command.go.
//
// # Rules for callers
//
// Requests are non-empty []string, as a client sends them. A reply is a string, an int64, nil, a []any of these, or an
// [Error].
//
// # The files
//
//	node.go         a server: its settings, its keys, and what it keeps when it goes off and on
//	command.go      the way of a command; refuse.go: errors of a faulty server
//	guard.go        answers that differ from miniredis's, and times in commands
//	expiry.go       deadlines, and the clock that counts them; change.go: the effect of a command on a key
//	log.go          the log of AOFEverySecond, and what of it is on disk
//	machine.go      scripts that are interpreted; outline.go: which of them is a known one in other words
//	script.go       scripts that run natively, also of locks; hashlock.go, library.go, task.go: of client libraries
//	replication.go  master and replicas; wait.go: WAIT; observer.go: promotes replicas; messages.go: texts for a trace
//	publish.go      PUBLISH and RECEIVE; wire.go: the bytes of the protocol, for client libraries
package redis
