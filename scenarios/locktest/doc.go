// Package locktest puts a lock of yours on trial in an ordinary Go test: under the faults of a scenario, in simulated time,
// before the judges of Lockstorm.
//
//	func TestMyLock(t *testing.T) {
//		locktest.Run(t, "distlock/blind-delete", mylock.New)
//	}
//
// A lock is a [locks.Lock]: it acquires and releases, and all that it needs of the world it takes from the [locks.Client]
// that it is handed. What else a lock can do (extend a hold, keep a session alive, count how long a grant is valid) are
// optional interfaces of package locks; what a lock can't do is asked of nobody.
//
// # What a lock owes
//
// It uses no clock, no chance and no goroutine but those of its Client: a run must be a pure function of scenario and seed.
// It keeps its key under [locks.Config.Key], with [locks.Grant.Token] as its value (or as the value's beginning, where a
// script of its own counts holds): the judges know its keys by that. It sets [locks.Grant.Deadline] to what the client's
// monotonic clock shows when the lock ends at the latest, or to [locks.NoDeadline]. It need not draw a fencing token from
// [locks.Config.Fence]; then the client does so when it has the lock.
//
// # What is judged
//
// A scenario says what the reference keeps and breaks in it. A test fails if the lock breaks a promise that the reference
// keeps, if a verdict is unknown, or if what the scenario needs in order to prove something never happened. A promise that
// the reference breaks and the lock keeps is no failure. [Expect] says otherwise where a lock has its own promises.
//
// A scenario runs its lock on what its kind of lock runs on: most on five independent Redis nodes. [On] puts the lock on
// something else: a lock for one server belongs on "single". A scenario that is about several nodes is not for such a lock: it is
// skipped where the pattern names others too, and refused where it is named alone.
//
// A lock that waits for its Client only, for ever, ends with the scenario's horizon, as unknown. One that blocks in Go's own ways
// (a channel, select{}), or that loops for [guest.Patience] of the processor's time, is unknown too: the test fails with its stack,
// and leaves it where it is. Only in a search is a loop without end left to go test's -timeout. A lock that panics fails the
// test with its stack and the seed.
//
// [RunGuest] and [FuzzGuest] do the same with a client library, unmodified: see package guest.
//
// Each seed is a subtest. A failure prints the report of its run and the command that repeats it alone.
package locktest
