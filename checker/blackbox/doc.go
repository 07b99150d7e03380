// Package blackbox judges a history by what its clients saw alone. Linearizable holds it to a Model: what a lock or a
// register may do when its operations come one at a time.
//
// # The law
//
// A verdict is exact, or Unknown. Nothing but a well-formed history gets one (checker.History.Check); the order is that of the
// indices, never of the times; and an operation with an unknown outcome may have taken effect at any moment after its
// invoke, or never. Where a judge is known that needs no search it is used; elsewhere porcupine searches, within a budget
// of steps and bytes that are counted, not measured. A budget that runs out is Unknown.
//
// # Words
//
// A Model is the rules of one kind of lock or register. A Result is what came of holding a history to it. An Excerpt is
// the part of a history that shows a violation by itself.
//
// # Which judge decides
//
// Each lock is judged on its own, by its name (checker.Op.Lock): see Linearizable for why that is as good as all at once.
//
//   - mutex: no search, unless a hold may have had a gap: released and acquired again with both outcomes unknown.
//   - fenced-mutex: the same, and unless a token belongs to a hold that may have lasted no longer than a moment.
//   - register: no search.
//   - fenced-register: no search, unless nobody knows whether a read of version 0 was refused, or a call with an unknown
//     outcome may explain what is illegal without it.
//   - lease: no search, unless a lease may have had a gap: lost, and granted again by an acquire with an unknown outcome.
//   - reentrant-mutex, reentrant-fenced-mutex, semaphore: no search, unless an outcome is unknown and one order, that of
//     the shortest holds, is not legal.
//   - lease-timed: a search, unless that order is legal.
//   - plain-mutex, cas-register: a search.
//
// # What a black box sees of a run
//
// A run of the simulator knows the true time, and is judged by it (package checker). A test of a real lock knows what its
// clients did and saw, and has a linearizability checker. To show both side by side, a Judge holds the history of each run to
// the Views:
//
//   - mutex: a hold lasts from some moment of its acquire to some moment of its release. A client that goes on at its peril, or
//     stops at its deadline, looks the same: the mutex is Violated as soon as another acquires before the release is called.
//   - lease: a hold may end by itself at any moment, at its deadline at the latest, and no operation says so. It is Violated
//     only if a release, which every node acknowledged, shows that the hold had lasted over another's.
//   - fenced-mutex: the mutex, and each acquire brings back a larger token than those before.
//   - register: plain storage applies each write. It says nothing of what a write was based on, so a lost update is legal.
//   - fenced-register: the same for storage that refuses tokens that fall.
//
// A view is Violated, Unknown or Holds, as in a Result. Unknown is what a search of a few thousand steps could not settle. The
// verdict is that of an exact judge. Minimize returns the least part of the history that shows a violation, and has porcupine
// confirm it; it takes longer than the judge, so campaigns leave it out.
//
// # The files
//
// Operations are what every judge reads, model lists the models, and locks, lease and register have their tables; register
// and lease have their fast judges too, and mutexjudge and shortestholds those of locks. linearizable chooses the judge, or
// searches. groups says what may be left out of a history, and why, and minimize leaves it out; picture draws the rest.
// failedrelease writes a history anew for those to whom a failed release ends a hold. Judge, in the file of that name, judges
// runs, one after another.
//
// # What an outcome means
//
// An ok of a release means to the lease that the lease had not expired, to all others that the hold has ended. To the
// leases a fail of a release or a renewal means that the lease had ended; to all others that it did not take place. An ok
// of a renewal means that its client held the lock at that moment, and to a timed lease that it lasts for its least
// duration from then on.
//
// # What the caller owes
//
// The number of clients (Model.Clients), where one client has several processes. A recording that lacks what a model asks
// about should not be judged by it: Model.Suits says so.
package blackbox
