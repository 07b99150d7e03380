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
// what the commands of its text do; every other script is interpreted. [Config.Interpret] makes all of them so: a test holds
// the two against each other. Interpreted scripts find a random generator that starts anew each time, as in Redis, no
// clock but the node's, and nothing that shows in which process they run. Their errors begin as those of Redis. There is
// no limit to how long a script runs: one that never ends hangs the run.
//
// # Persistence
//
// [None] forgets everything when the node goes off. [AOFAlways] forgets nothing. [AOFEverySecond] writes its log to disk
// at each whole second of its monotonic clock: on a power failure it loses what came after the last of them, and on a
// clean shutdown nothing. A key that ends is logged as deleted, as Redis does. The log is replayed at the times it was
// written, with the same draws. Deadlines are absolute, so lives run on while the node is off.
//
// In the record of a key's life ([Span]), a key on a node that is off counts as living until the node is on again without
// it, or until its deadline: meanwhile the node gives it to nobody else.
//
// # What it does not do
//
// Replication, waiting and publishing are not miniredis's to give, and a connection has no state here: commands for
// them (and all that miniredis lacks) are answered as Redis answers a command it does not know. The list stands beside
// the function that gives that answer.
//
// # What the caller owes
//
// Requests are non-empty []string, as a client would send them. A reply is a string, an int64, nil, a []any of these,
// or an [Error].
package redis
