// Package redis is a Redis server for the simulator: miniredis for what commands do, and a model of its own for what
// miniredis does not have: a clock that may be wrong, persistence, power failures and restarts.
//
// # Expiry
//
// As in real Redis, a key's life ends at an absolute deadline in milliseconds: the key is gone when the node's wall clock
// shows more than that. (miniredis by itself removes it at the deadline; real Redis keeps it for the rest of that
// millisecond, and so does this package: a key never lives shorter than its TTL on its node's clock.) So a step forward
// ends keys, and a step back lengthens their lives. Keys end at the moment the clock passes their deadline, as if the
// active expiry of real Redis were never late.
//
// With [MonotonicExpiry] no step moves a deadline: the clock of expiry then shows what the wall clock showed when the node began,
// and what has passed since on the host's monotonic clock, also while the machine was off. All that Redis asks of its wall
// clock goes by it, such as PXAT and TIME. Redis has no such setting; antirez proposed it.
//
// The deadlines are kept here. Remaining lives are set in miniredis just before a command that could look, and read back
// afterwards. The few commands that locks use need neither, and cost little more than miniredis.
//
// TIME has the resolution of a deadline, a millisecond. No life may be longer than a hundred years; a longer one is refused,
// as Redis refuses one that overflows.
//
// # Scripts
//
// The script cache is the node's, and is lost when it goes off. A script of [Scripts] runs natively, in Go, and does what the
// commands of its text do; a script that differs from a known one in blanks, quotes, comments and the case of commands alone
// runs so too, and every other is interpreted. With [Config.Interpret] all are: a test compares the two. Interpreted scripts
// find a random generator that starts anew each time, as in Redis, no clock but the node's, and nothing that shows in which
// process they run. Their errors begin as those of Redis. There is no limit to how long a script runs: one that never ends hangs
// the run.
//
// A node compiles a script once, and keeps its Lua machine from call to call, and from run to run, unless a script may have
// left something in it: then the next one gets a new machine, as it would from miniredis, whose EVAL makes one for each call.
// A test has machines that have run anything do what that EVAL does.
//
// # Persistence
//
// [None] loses everything when the node goes off. [AOFAlways] loses nothing. [AOFEverySecond] syncs its log at most
// once in each second of its wall clock, as Redis does: the first write of a second at once, which takes a moment, and
// what follows when the next second begins. On a power failure it loses what was not synced, and on a clean shutdown
// nothing. Where the wall clock was stepped back, it syncs nothing until that shows the time of the last sync again;
// what is older than 35 s the kernel has written back. A paused node's disk goes on. A key that ends is logged as deleted,
// as Redis does. The log is replayed at the times it was written, with the same draws. Deadlines are absolute, so lives
// run on while the node is off.
//
// A disk that stalls completes no sync. A node with AOFAlways stands still from its next change of data until the disk
// goes on, and answers nobody: Redis syncs in the thread that serves all clients, before it sends their replies. One
// with AOFEverySecond answers, and stands still only when it has something to log while a sync has been under way until
// two more seconds of its wall clock began: for one to two seconds (flushAppendOnlyFile in aof.c of Redis 7.0; "Latency
// due to AOF and disk I/O" in the Redis documentation). What a power failure cuts off in the middle of a sync is kept
// with AOFAlways, and lost with AOFEverySecond. A clean shutdown waits for no disk here.
//
// In the record of a key's life ([Span]), a key on a node that is off counts as living until the node is on again
// without it, or until its deadline: meanwhile the node grants it to nobody else.
//
// # Replication
//
// Nodes of one group ([Replication]) copy their data asynchronously, as Redis does. The master puts what a command did
// on a stream, and answers its client; each write then waits in the master for its drawn lag, as in an output buffer,
// before it is sent. If the master fails, the writes that still wait are lost. What a command did goes as the state of the keys
// that it changed, with their deadlines as moments in time: what SET … PXAT, INCR, DEL and the commands of a script
// come to. A key that ends on the master is sent as deleted. A replica ends none by itself; it hides from its clients
// the keys that are overdue by its own clock, and takes no writes. Once promoted, its own clock counts. Hyperloglogs and the
// consumer groups of streams are not copied. PUBLISH is.
//
// The stream has a name and an offset. A lost message stands for a broken connection: the next one, a second
// later at most, does not continue what the replica has, so the replica asks for the rest (PSYNC). It gets what it
// missed, if the master still has that and the names agree, or else all data, which here takes no longer than any
// message. A promoted replica begins a new name, and knows the old one up to its offset: what others, or the old
// master, have beyond that they lose. A restart begins a new name too, so that after it there is always a full copy. A
// node that restarts keeps its role. If that is the master's, and it has lost its data, its replicas lose theirs, too.
//
// WAIT is answered late, with the number of replicas that have acknowledged what its own connection had written. Its time
// is up by the wall clock, as that of every command that blocks a client of Redis (timeout.c, handleBlockedClientsTimeout: a
// deadline in mstime, gettimeofday in 7.0): a step forward ends it early, a step back lengthens it. Redis looks ten
// times a second at the least, a node here at once.
// Replicas acknowledge when asked for it, and each second; they do so from memory, whatever reaches their disk.
// min-replicas-to-write counts those that were heard of lately by the master's wall clock, in whole seconds, as Redis
// does. REPLICAOF takes the name of a host. ROLE reports the role. On a node that is in no group these are unknown
// commands.
//
// An [Observer] is a lone Sentinel: it pings all nodes, promotes the replica with the greatest offset when a ping of
// the master has been unanswered for too long, remembers the new master, makes every other node follow it, and
// answers clients that ask who is master. It counts on its monotonic clock. (Sentinel counts on the wall clock, and pauses
// when that jumps.) Until the old master learns of it, it goes on serving those who reach it.
//
// For a judge, [Lives] is the life of the key as clients see it; [Node.Reigns] is when a node took itself for master.
//
// # Publishing
//
// SUBSCRIBE and UNSUBSCRIBE take one channel, PUBLISH answers with the number of receivers, also in scripts. In the wire
// protocol messages come unrequested. A call here has one reply; so a subscriber asks for the next message with
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
// has just one connection to each server: so a call of another command that has no reply in time ends the
// subscription, where a client with a connection of its own for it would keep it. And the server learns at once when a
// connection is given up, so that PUBLISH may count fewer receivers than a real one, which learns it later.
//
// # The wire
//
// A client library speaks bytes: a [Request] comes by a [Wire] and is answered with what Redis 7.2 would write, in RESP2 or
// RESP3 as HELLO has agreed. HELLO, CLIENT and SELECT are answered there. The scripts of some libraries run natively.
//
// # What it does not do
//
// Transactions, blocking commands, other databases and whatever else miniredis lacks or does wrongly are answered as Redis
// answers an unknown command. The list stands beside the function that gives that answer.
//
// # What the caller owes
//
// Requests are non-empty []string, as a client would send them. A reply is a string, an int64, nil, a []any of these,
// or an [Error].
//
// # The files
//
//	node         a server: its settings, what it keeps when it goes off and on, its keys
//	command      what a command goes through; guard: what is answered otherwise than miniredis would, and times in commands
//	expiry       deadlines, and the clock that counts them; change: what a command did to a key
//	log          the log of AOFEverySecond, and what of it is on disk
//	machine      scripts that are interpreted
//	script       scripts that run natively, and those of locks; hashlock, library, task: those of Redisson and of libraries
//	replication  master and replicas; wait: WAIT; observer: who promotes; messages: what they say to each other, for a trace
//	publish      PUBLISH and RECEIVE; wire: the bytes of the protocol, for client libraries
package redis
