// Package arithmetic tests the arithmetic of a lock with properties: how many votes win, how long the lock is valid
// after an attempt, what is allowed for clocks that run at different rates, how far an extension reaches, how long a
// node that lost its data stays away, and what TTL is sent to the servers.
//
// # The idea
//
// [Rules] are a user's functions, each optional. [Laws] are what a lock on independent servers needs of them: each law
// is a property over nodes, times and clock rates. rapid picks these at random, looks for numbers at which the law
// does not hold, and shrinks them to the smallest it finds. A [Flaw] has these numbers, and says in one sentence what
// is wrong, with the arithmetic written out. It becomes a scenario in which a lock with such rules breaks a promise;
// or it says why no run can show it.
//
// # The model
//
// A client reads its clock, sends the TTL to all servers, and reads its clock again: the elapsed time lies between. A
// server sets the key at some moment after the client's first reading, and keeps it for the TTL that was sent, by its
// own clock. The validity counts on the client's clock from the second reading. Any clock may be wrong by
// [Rules].Drift, which the user states: the server's that much fast while the client's is that much slow. So with r for
// that rate,
//
//	(elapsed + validity) / (1 - r) ≤ TTL as sent / (1 + r)
//
// keeps the end of the validity within the life of the first key, whatever the network does. Most laws compute this
// sum. A server that drops a key up to a millisecond early, as miniredis does and Redis does not, needs that much more;
// the laws don't ask for it.
//
// # Rules for callers
//
// The functions are pure: with the same arguments they return the same. A function that panics has a flaw, and its
// message is the sentence.
package arithmetic
