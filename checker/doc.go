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
// lost. A Hold is one that won: it has a belief [From, Gone), in which its client goes on as holder, and a validity, in
// which it is entitled to. A Renewal is one extension of a hold. The validity of a hold is made of the windows
// [From, Valid) of the hold and [At, Valid) of each renewal that succeeded. They may overlap, touch, or leave a gap, in
// which the client is not entitled; a validity window of a hold means a maximal interval of what they cover together.
//
// A Span is the life of one lock key on one node. An Update is a write that reached storage, and a Change what it did to
// one register. A Strike is a fault that struck. An Outage is an interval in which a client and a node were out of touch.
// A client reaches a majority when so many nodes are in touch with it: when no Outage of the two is open. Where one service
// grants the lock, it is whoever gathers the evidence who says when the service was in order and in reach: in an Outage of
// the client and each of its nodes it was not. A Probe is one more acquire, made after the run.
//
// A Property is a named question. Its Verdict is Holds, Unknown or Violated. A Violated one comes with a Witness: two
// things in conflict and the interval in which it is plain. Evidence.Explain puts the Witness into a sentence, and
// Evidence.Argument says in a paragraph which step of the algorithm was defeated, and by what.
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
//   - continuity: for no renewal that succeeded, and no hold of another client than its hold's, did that hold's acquire
//     return strictly after that of the renewal's hold and strictly before the renewal (From < From < At).
//   - deadlock-free: the probe won no later than its Bound after it asked. Without a probe (Bound 0) it is Unknown.
//   - fault-tolerant: no acquire waits for longer than Bound at a stretch while its client reaches a majority and no other
//     client holds the lock, and no release waits for longer than Bound at a stretch while its client reaches a majority.
//     A call waits from its invoke to what closes it, or to End if nothing does. Here a client holds the lock from From
//     until the latest of Gone, the end of the last validity window, and the Left of the try that won it. Without a Bound,
//     or the numbers of clients and nodes, it is Unknown.
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
//   - acquired: there is a hold.
//   - fault-struck: at least one fault was planned, and each has a strike.
//   - expired-while-held: some instant of a belief before End lies in no validity window of its hold.
//   - quorum-lost: a hold's token lacks a majority at some instant before End of its belief or its validity.
//   - refused-too-late: a try ended TooLate.
//   - stale-write-refused: an update was applied to the plain register and refused by the fenced one.
//   - late-write: an update was applied at or after the Gone of the hold that its client had when it invoked the write.
//   - extended: a renewal succeeded.
//   - extension-failed: a renewal returned without success.
//   - unavailable: the figure of that name is not 0.
//   - split-vote: at some instant before End, two tries [From, To) of different clients, both of which ended NoQuorum, have
//     a span with their token on some node, and no token has a majority.
//   - overtaken: the figure of that name is not 0.
//   - crashed-while-held: a hold is Crashed.
//   - wanted-after-fault: a try of another client than that of the latest hold by then ends after the first strike that
//     touched anything.
//
// # Figures
//
// Figures are numbers that are no verdicts: integers, exact, and nothing but what was seen. Durations are in nanoseconds
// of true time.
//
//   - unavailable: the time before End in which no client holds by belief or validity, and each is shut out: fewer than a
//     majority of nodes are in touch with it and without a span, whosesoever token that has. A client that has come to its
//     end still counts as one that might ask; one that crashed is out of touch.
//   - unavailable-longest, unavailable-longest-from: the longest stretch of that, the first of several, and its beginning.
//   - held: the time before End in which some hold is valid.
//   - wait-median, wait-max: of the acquires that succeeded, from invoke to ok. Of an even number of waits the median is
//     the lesser of the two in the middle.
//   - first-winner: from the first invoke of an acquire to the first ok of one.
//   - attempts, attempts-lost: tries, and those that are neither Won nor Pending.
//   - split-votes: tries that ended NoQuorum and overlap no belief or validity.
//   - overtaken: pairs of acquires that succeeded, of which one was invoked strictly before the other and its ok came
//     strictly after the other's. A lock need not be fair, so this breaks no promise.
//   - updates-lost-plain, updates-lost-fenced: updates that the register applied, and that its last version does not
//     contain. A version contains the update that made it and all that its base contains. It is 0 if and only if the
//     promise storage, or fenced, is kept.
//   - writes-refused: updates that the fenced register refused.
//   - overlaps: holds that began while a client other than their own still went on as holder.
//   - overstayed: holds whose client went on as holder after its last validity had passed.
//   - renewals, renewals-failed: renewals, and those that returned without success.
//   - first-violation: the earliest From of the witnesses of the promises that are Violated. It may lie beyond End, for
//     the probe comes after the run.
//   - end: End. Until then a run without a first violation is known to have gone without one.
//
// # Histories from elsewhere
//
// A History recorded elsewhere has no Evidence beside it: package codec reads it, and package blackbox holds it to a model
// of a lock or a register. The History of a run can be held to a model as well. That is no Property: belief and tokens ask
// the same of true time, which tells when a client gave up or crashed, as a history does not. A test in scenarios compares
// the two on runs of the catalogue.
//
// # A run cut short
//
// When Evidence.Cut says that the run was cut short, what was seen still counts, and the rest was never seen: a promise
// that broke is Violated and a thing that happened Holds, but everything else is Unknown. Only deadlock-free is as it is:
// its probe was made after the run.
//
// # What the caller owes
//
// What follows is checked by Evidence.Check, as far as evidence can show it. A Judge refuses what does not pass.
//
// Instants are not negative. Lists are in the order their comments say; where an order is by time, equal instants may
// fall either way. Clients are single threads. A fencing token is asked for, Asked, strictly before the acquire returns,
// From. Versions of a register count its changes from 1. The History is well formed (History.Check), and the client of a
// process is what is left of it when divided by Clients. When a client crashes, its open Try has Left, and its Hold has
// Gone, at that instant; it is out of touch from then on. A renewal that never returned did not succeed. When a run is not
// cut, it has come to its own end: every client has finished or is dead.
package checker
