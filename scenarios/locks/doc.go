// Package locks holds lock protocols, one a file, written as their papers read. They know nothing of the simulator: what
// a client may do is the interface [Client], and against real servers the same files run unchanged.
//
// # The words
//
// A [Lock] is one client's way to acquire and release. One attempt to acquire comes to a [Grant]; a [Retry] makes
// attempts until one wins. A [Config] holds every rule of the protocol as a field. [Reference] follows them all, and a
// mutant is the reference with one field turned.
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
//  5. tokens are unique to the attempt, and releases compare them.
//
// Then from the return of acquire until the client's clock shows the deadline, each server that granted the key still
// holds it (the property quorum), and no other client has a valid grant (the property validity). Messages may be
// delayed, lost and reordered without bound, and the client may be paused anywhere: neither appears among the
// assumptions.
//
// Proof. Let the client read its clock at true time a, before its first request. A server grants the key at g ≥ a, and
// its deadline lies at least T later on its own clock: by (2) and (4) the key lives at least until a + T/(1+s). The
// client's clock shows the deadline, by (3) and (4), at a + (T − drift)/(1+c), at the latest. By (4) that is no later. So every voter
// holds the key through the whole window; that is q servers, and by (1) no q others, or the same, can grant it to
// somebody else within it.
//
// What it does not promise is that a client stops at its deadline. One that acts on a grant without validity (step three
// refuses those), or that is paused after the check and goes on when it wakes, believes wrongly in being the holder (the
// property belief). A write that it sent in time may arrive late (the property storage). And a request that arrives after
// the release of its own attempt leaves a key behind for the length of the TTL (the property leak-free).
//
// Redis keeps a key to the end of its deadline's millisecond, which leaves up to one millisecond to spare. The test of
// the theorem therefore breaks each bound by a little more than that, and finds a counterexample.
package locks
