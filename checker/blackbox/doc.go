// Package blackbox judges a history by what its clients saw alone. Linearizable checks it against a Model: what a lock
// or a register may do when its operations come one at a time.
//
// # The law
//
// A verdict is exact, or Unknown. Only a well-formed history gets one (checker.History.Check). Indices set the order,
// never times. An operation with an unknown outcome may have taken effect at any moment after its invoke, or never.
// Where a judge is known that needs no search it decides. Elsewhere porcupine searches, within a budget of steps and
// bytes that are counted, not measured. A budget that runs out is Unknown.
//
// # Words
//
// A Model is the rules of one kind of lock or register. A Result is the outcome of checking a history against a Model.
// An Excerpt is the part of a history that shows a violation by itself.
//
// # Which judge decides
//
// Each lock is judged alone, by its name (checker.Op.Lock). Linearizable says why that is exact.
//
//   - mutex: no search, unless a hold may have had a gap: released and acquired again with both outcomes unknown.
//   - fenced-mutex: the same, and unless a token belongs to a hold that may have lasted no longer than a moment.
//   - register: no search.
//   - fenced-register: no search, unless it is not known whether a read of version 0 was rejected, or a call with an
//     unknown outcome may explain what is illegal without it.
//   - lease: no search, unless a lease may have had a gap: lost, and granted again by an acquire with an unknown
//     outcome.
//   - reentrant-mutex, reentrant-fenced-mutex, semaphore, rwlock: no search, unless an outcome is unknown and the order
//     with the shortest holds is not legal.
//   - lease-timed: a search, unless that order is legal.
//   - cas-register: no search, if each value that shows was written once, or if what is known of such values shows a
//     violation.
//   - plain-mutex: a search.
//
// # What a black box sees of a run
//
// The simulator knows the true time, and judges a run by it (package checker). A test of a real lock knows what its
// clients did and saw, and has a linearizability checker. To compare the two, a Judge checks the history of each run
// against the Views:
//
//   - mutex: a hold lasts from some moment of its acquire to some moment of its release. A client that acts as holder
//     too long looks like one that stops at its deadline: the mutex is Violated as soon as another acquires before the
//     release is called.
//   - lease: a hold may end by itself at any moment, at its deadline at the latest, and no operation says so. It is
//     Violated only if a release, which every node acknowledged, shows that the hold had lasted over another's.
//   - fenced-mutex: the mutex, and each acquire brings back a larger token than those before.
//   - register: plain storage applies each write. It does not know what a write was based on, so a lost update is
//     legal.
//   - fenced-register: the same for storage that rejects tokens that fall.
//
// A search of a view may take a few thousand steps, so that a campaign can judge each run. Minimize returns the
// smallest part of the history that shows a violation, and has porcupine confirm it. It takes longer than the judge, so
// campaigns leave it out.
//
// # The files
//
// Operations is what every judge reads. Model lists the models; locks, lease and register have their tables. Register,
// uniquewrites, lease, mutexjudge and shortestholds have the judges without a search. Linearizable chooses the judge,
// or searches. Groups says what may be left out of a history, and why, and minimize leaves it out. Failedrelease
// rewrites a history in which a failed release ends a hold. Judge judges runs, one after another.
//
// # What an outcome means
//
// To a lease, an ok of a release means that the lease had not expired; to all others, that the hold has ended. To a
// lease, a fail of a release or a renewal means that the lease had ended; to all others, that it did not take place. An
// ok of a renewal means that its client held the lock at that moment, and to a timed lease that it lasts for its least
// duration from then on.
//
// # Rules for callers
//
// Say how many clients there are (Model.Clients) where one client has several processes. Don't judge a recording by a
// model that asks about what it lacks: Model.Suits says so.
package blackbox
