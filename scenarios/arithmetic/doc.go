// Package arithmetic puts the arithmetic of a lock under property tests: how many votes win, how long the lock is valid
// after an attempt, what is allowed for clocks that run at different rates, how far an extension reaches, how long a
// node that lost its data stays away, and what TTL is sent to the servers.
//
// # The idea
//
// [Rules] are somebody's own functions, each of them optional. [Laws] are what a lock on independent servers needs of
// them: each law is a property over nodes, times and clock rates, and rapid draws these, looks for numbers at which the
// law does not hold, and shrinks them to the smallest that it finds. A [Flaw] has these numbers, says in one sentence
// what is wrong, with the sum written out, and becomes a scenario in which a lock with such rules breaks a promise; or
// it says why no run can show it.
//
// # The model
//
// A client reads its clock, sends the TTL to all servers, and reads its clock again: the elapsed time lies between. A
// server sets the key at some moment from the client's first reading on, and keeps it for the TTL that was sent, by its
// own clock. The validity counts on the client's clock from the second reading. Any clock may be wrong by
// [Rules].Drift, which the user states: the server's that much fast while the client's is that much slow. So with r for
// that rate,
//
//	(elapsed + validity) / (1 - r) ≤ TTL as sent / (1 + r)
//
// keeps the end of the validity within the life of the first key, whatever the network does. It is the sum in most of
// the laws. A server that drops a key up to a millisecond early, as miniredis does and Redis does not, needs that much
// more; it is not asked for here.
//
// # What the caller owes
//
// The functions are pure: called twice with the same arguments they return the same. One that panics has a flaw, and
// its message is the sentence.
package arithmetic
