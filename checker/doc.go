// Package checker judges runs. A run leaves Evidence, which is plain data. A Judge answers questions about it, called
// Properties, each with a Finding. The package does not know how the run was made. Package checker/blackbox judges the
// history alone, with porcupine, as a linearizability checker sees it.
//
// # The law
//
// A verdict is exact: by the definitions below no kept promise counts as broken and no broken one as kept, even where
// events happen at the same instant. Each judge says in its comment why it is exact. A test compares its verdict and
// its witness with an oracle that follows the definition instant by instant. Judging takes O(n log n) time and, after
// the first run, allocates nothing. The same evidence always has the same findings.
//
// # Words
//
// An Op is one end of an operation as its client saw it: an invoke, or the ok, fail or info that closes it. A History
// lists them. Evidence is the History and what is known only in true time. A Try is one attempt to acquire. A Hold is
// one that won. It has a belief [From, Gone), in which its client acts as holder, and a validity, in which its client
// is entitled to. A hold of a lock for readers and writers may be Shared: two holds of different clients exclude each
// other unless both are. A Renewal is one extension of a hold. The validity of a hold is the window [From, Valid) of
// the hold together with the windows [At, Valid) of its successful renewals. They may overlap, touch, or leave a gap,
// in which the client is not entitled. A validity window is a maximal interval that they cover.
//
// A Lane is what can have the lock's key: each node that votes, or the one service that grants the lock, such as a
// database. A majority is ⌊Lanes/2⌋+1 of them, so a service is its own majority. A Span is the life of one key on one
// lane, and its Ended says why the key went, as the lane recorded it. An Outage is an interval in which a client and a
// lane were out of touch. A client reaches a majority while it is in touch with a majority of lanes.
//
// An Update is a write that reached storage, and a Change is what it did to one register. A Strike is a fault that hit.
// A Probe is one more acquire, made after the run.
//
// A Property is a named question. Its Verdict is Holds, Unknown or Violated. A Violated one has a Witness: two things
// in conflict and the interval in which they conflict. Four methods of Evidence describe it: Explain in a sentence,
// Summary in a few words, Account in a paragraph that says which rule of the algorithm failed and why, and
// Story in a list of events. The other lists of a Story say what a picture should show.
//
// All intervals are half-open, [from, to): two that touch do not overlap. An interval that ends where it starts, or
// earlier, is empty.
//
// # The files
//
// Each file uses only those before it. What a run left: history, evidence; words names clients, lanes and instants;
// check finds contradictions in evidence. Judging: interval, finding, judge. Telling: facts looks things up in
// evidence, account names causes, story lists events. Then the promises, one file each or one for two of a
// kind: exclusion (belief and validity), quorum, storage (with fenced), tokens, continuity, liveness (deadlock-free and
// fault-tolerant), leak. Then figures and sometimes. At the top, properties has every list and what a Judge can be
// asked, and explain describes findings.
//
// # The promises
//
//   - belief: no two holds of different clients that exclude each other have beliefs that overlap.
//   - validity: no two holds of different clients that exclude each other have validity windows that overlap.
//   - quorum: at every instant before End of every validity window, a majority of lanes have a span with the token of
//     that hold. A lane counts once.
//   - storage: in the order in which storage handled them, every update of the plain register is based on the version
//     just before it. An update based on an older version overwrites those in between, and they are lost.
//   - fenced: the same for the register that rejects stale fencing tokens. Rejected updates do nothing.
//   - tokens: for any two holds with fencing tokens, if one had returned before the other asked (From <= Asked), the
//     other's token is larger.
//   - continuity: between the acquire of a hold and a successful renewal of it, no acquire of another client's hold
//     that excludes it returned with validity left (From < From < At, and the other is not Late).
//   - deadlock-free: the probe won no later than its Bound after it asked. Without a probe (Bound 0) it is Unknown.
//   - fault-tolerant: no acquire waits for longer than Bound at a stretch while its client reaches a majority and no
//     other client holds the lock (for a shared acquire: no other client holds it alone). No release waits for longer
//     than Bound at a stretch while its client reaches a majority. A call waits from its invoke to what closes it, or
//     to End. Here a client holds the lock from From until the latest of Gone, the end of the last validity window, and
//     the Left of the try that won it. Without a Bound, a client or a lane it is Unknown.
//   - leak-free: no key outlives the Left of its owner if it has no TTL, or if every lane had acknowledged the owner's
//     release. The owner is the last try with the key's token that began before the key ended. In a run that was not
//     cut short, no key without TTL outlives End.
//   - once: no two updates that the register applied have the same Tick. It is about a workload in which several
//     clients come for the job of each tick; without Ticks there is no Finding on it.
//
// Two holds of one client never conflict in belief or validity: a client is one thread of control, and acquires again
// only after it has stopped acting as holder.
//
// # At least sometimes
//
// A run in which nothing happened proves nothing. The list Sometimes asks whether the interesting things happened:
//
//   - tick-missed: no update that the register applied has some Tick from 1 to Ticks.
//   - contended: a try [From, To) overlaps the belief of another client's hold.
//   - acquired, acquired-by-two: there is a hold; two different clients have holds.
//   - fault-struck: at least one fault was planned, and each hit; if some were stated, each of those.
//   - expired-while-held: some instant of a belief before End lies in no validity window of its hold.
//   - quorum-lost: a hold's token lacks a majority at some instant before End of its belief or its validity.
//   - refused-too-late: a try ended TooLate.
//   - stale-write-refused: an update was applied to the plain register and rejected by the fenced one.
//   - late-write: an update was applied at or after the Gone of the hold that its client had when it invoked the write.
//   - extended, extension-failed: a renewal succeeded; one returned without success.
//   - unavailable, overtaken: the figure of that name is not 0.
//   - split-vote: at some instant before End, two tries [From, To) of different clients that ended NoQuorum each have a
//     span with their token on some lane, and no token has a majority.
//   - crashed-while-held: a hold is Crashed.
//   - shared: two holds of different clients, both Shared, have beliefs that overlap.
//   - holder-refused: an update was applied to the plain register and rejected by the fenced one, at an instant at
//     which a hold of its client is a belief and no hold of another is.
//   - kept-out: an acquire, from invoke to what closes it or End, overlaps the belief of one hold of another client for
//     longer than the Bound of the probe.
//   - written: the plain register applied an update.
//   - wanted-after-fault: after the first fault that affected anything, a try ends whose client does not have the
//     latest hold by then.
//
// # Figures
//
// Figures are exact integers that are no verdicts. They count only what was seen. Durations are in nanoseconds of true
// time.
//
//   - unavailable: the time before End in which no client holds by belief or validity, and each is shut out: fewer than
//     a majority of lanes are in touch with it and without a span of any token. A client that has finished still counts
//     as one that might ask; one that crashed is out of touch.
//   - unavailable-longest, unavailable-longest-from: the longest such stretch, and its start; of several, the first.
//   - held: the time before End in which some hold is valid.
//   - wait-median, wait-max: how long the successful acquires took, from invoke to ok. The median of an even number is
//     the smaller of the two in the middle.
//   - first-winner: from the first invoke of an acquire to the first ok of one.
//   - attempts, attempts-lost: tries, and those that are not Won or Pending.
//   - split-votes: tries that ended NoQuorum and overlap no belief or validity.
//   - overtaken: pairs of successful acquires where the one invoked strictly earlier succeeded strictly later. A
//     lock does not have to be fair, so this breaks no promise.
//   - updates-lost-plain, updates-lost-fenced: updates that the register applied and that its last version does not
//     contain. A version contains the update that made it and everything that its base contains. The figure is 0 if and
//     only if storage, or fenced, holds.
//   - writes-refused: updates that the fenced register rejected.
//   - overlaps: holds that began while another client still acted as holder, unless both are Shared.
//   - overstayed: holds whose client acted as holder after its last validity had ended.
//   - granted-late: holds whose validity had ended when the acquire returned.
//   - renewals, renewals-failed: renewals, and those that returned without success.
//   - struck-while-held: faults that affected something, at an instant at which some hold is a belief or valid.
//   - forward-while-held, back-while-held: steps of a wall clock at such an instant, at From of a fault or at its To
//     before End.
//   - strobe-while-held: strobes that hit at such an instant. Each steps a clock to and fro.
//   - first-violation: the earliest From of the witnesses of the promises that are Violated. It may lie beyond End,
//     because the probe comes after the run.
//   - end: End. A run without a first violation is known to have had none until then.
//
// # Histories from elsewhere
//
// A History that was recorded elsewhere has no Evidence. Package codec reads it, and package blackbox compares it with
// a model of a lock or a register. The History of a run can be judged in that way too, but the result is no Property:
// belief and tokens ask the same in true time, which shows when a client gave up or crashed. A test in scenarios
// compares the two on runs of the catalogue.
//
// # A run cut short
//
// When Evidence.Cut says that the run was cut short, only what was seen counts: a promise that broke is Violated, a
// thing that happened Holds, and everything else is Unknown. Deadlock-free alone is judged as usual, because its probe
// is made after the run.
//
// # Rules for callers
//
// Evidence.Check checks these rules as far as evidence can show them. A Judge rejects what does not pass.
//
// Instants are not negative. Lists are in the order that their comments say; entries with equal times may be in either
// order. Clients are single threads. A fencing token is asked for, Asked, strictly before the acquire returns, From.
// Versions of a register count its changes from 1. The History is well-formed (History.Check), and the client of a
// process is its number modulo Clients. When a client crashes, that instant is the Left of its open Try and the Gone of
// its Hold, and it is out of touch from then on. A renewal that never returned did not succeed. In an Outage of a
// client and a service, the service was out of order or out of reach. At the end of a run that was not cut, every
// client has finished or is dead.
package checker
