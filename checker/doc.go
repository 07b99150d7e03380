// Package checker judges runs. A run leaves Evidence, which is plain data; a Judge asks it the questions called
// Properties, and each answer is a Finding. The package knows nothing of how the run was made, so it can judge one that
// was recorded anywhere.
//
// # The law
//
// A verdict is exact. No promise is called broken that was kept, and none is called kept that was broken, under the
// definitions below, whatever the ties. Each judge says in its comment why it is exact, and a test compares it, witness
// and all, with an oracle that follows the definition instant by instant. Judging takes O(n log n) time, no allocation
// once warm, and the same evidence always gives the same findings.
//
// # Words
//
// An Op is one end of an operation as its client saw it: an invoke, or the ok, fail or info that closes it. A History is
// the list of them. Evidence is the History and what only true time can tell. A Try is one attempt to acquire, won or
// lost. A Hold is one that won: it has a belief [From, Gone), in which its client goes on as holder, and a validity
// window [From, Valid), in which it is entitled to. A Span is the life of one lock key on one node. An Update is a write
// that reached storage, and a Change what it did to one register. A Strike is a fault that struck.
//
// A Property is a named question. Its Verdict is Holds, Unknown or Violated. A Violated one comes with a Witness: two
// things in conflict and the interval in which it is plain. Evidence.Explain puts the Witness into a sentence.
//
// All intervals are half-open, [from, to): what ends at an instant at which another thing starts has ended. An interval
// that ends where it starts, or earlier, is empty.
//
// # The promises
//
//   - belief: no two holds of different clients have beliefs that overlap.
//   - validity: no two holds of different clients have validity windows that overlap.
//   - quorum: at every instant before End of every validity window, at least ⌊Nodes/2⌋+1 nodes have a span with the
//     token of that hold. A node counts once.
//   - storage: in the order in which storage handled them, every update of the plain register is based on the version
//     just before it. One based on an older version overwrites those between, and they are lost.
//   - fenced: the same for the register that refuses stale fencing tokens. Refused updates do nothing.
//   - tokens: for any two holds with fencing tokens, if one had returned before the other asked (From <= Asked), the
//     other's token is larger.
//   - leak-free: no key lives on past the Left of its owner if it has no TTL, or if every node had acknowledged the
//     owner's release. The owner is the last try with the key's token that began before the key ended. In a run that was
//     not cut short, no key without TTL lives past End.
//
// Two holds of one client never conflict in belief or validity: a client is one thread of control, and acquires again
// only after it has stopped going on as holder.
//
// # At least sometimes
//
// A run in which nothing happened proves nothing. The list Sometimes asks whether the interesting things happened:
//
//   - contended: a try [From, To) overlaps the belief of another client's hold.
//   - acquired-by-two: two different clients have holds.
//   - fault-struck: at least one fault was planned, and each has a strike.
//   - expired-while-held: a belief, up to End, outlasts its validity.
//   - quorum-lost: a hold's token lacks a majority at some instant before End of [From, max(Gone, Valid)).
//   - refused-too-late: a try ended TooLate.
//   - stale-write-refused: an update was applied to the plain register and refused by the fenced one.
//   - late-write: an update was applied at or after the Gone of the hold that its client had when it invoked the write.
//
// # Models
//
// A History recorded elsewhere has no Evidence beside it. Linearizable holds it to a Model: what a lock or a register may
// do when its operations come one at a time. Nothing but a well-formed history gets a verdict (History.Check), order is
// that of the indices, and an operation with an unknown outcome may have taken effect at any time after its invoke, or
// never. Where a judge is known that needs no search it is used; elsewhere porcupine searches, within a budget of steps
// and bytes that are counted, not measured. A budget that runs out is Unknown.
//
//   - mutex: no search but where a hold may have had a gap, released and acquired again with both outcomes unknown.
//   - fenced-mutex: the same, and where a token belongs to a hold that may have been but a moment.
//   - register: no search.
//   - fenced-register: no search but where a read of version 0 may have been refused or not, or a call with an unknown
//     outcome may explain what is illegal without it.
//   - reentrant-mutex, reentrant-fenced-mutex, semaphore, lease, plain-mutex: a search.
//
// An ok of a release means to the lease that the lease had not expired, to all that the hold has ended. A fail means that
// it did not take place.
//
// # A run cut short
//
// When Evidence.Cut says that the run was cut short, what was seen still counts, and the rest was never seen: a promise
// that broke is Violated and a thing that happened Holds, but everything else is Unknown.
//
// # What the caller owes
//
// Instants are not negative. Lists are in the order their comments say; where an order is by time, equal instants may
// fall either way. Clients are single threads. A fencing token is asked for, Asked, strictly before the acquire returns,
// From. Versions of a register count its changes from 1. When a client crashes, its open Try has Left, and its Hold has
// Gone, at that instant. When a run is not cut, it has come to its own end: every client has finished or is dead.
package checker
