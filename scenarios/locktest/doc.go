// Package locktest tests your lock in an ordinary Go test: under the faults of a scenario, in simulated time, with the
// judges of Lockstorm.
//
//	func TestMyLock(t *testing.T) {
//		locktest.Test(t, mylock.New)
//	}
//
// [Test] runs all scenarios that fit the lock, and searches random faults. [Run] runs the scenarios that a pattern
// names, and [Fuzz] searches one of them.
//
// A lock is a [locks.Lock]: it acquires and releases, and reaches the world only through its [locks.Client]. Further
// abilities (extend a hold, keep a session alive, count how long a grant is valid) are optional interfaces of package
// locks; no test asks a lock for what it can't do.
//
// # Rules for a lock
//
// It uses only its Client's clocks, chance and goroutines: a run must be a pure function of scenario and seed. It keeps
// its key under [locks.Config.Key], with [locks.Grant.Token] as its value (or as the value's beginning, where its
// script counts holds): the judges recognize its keys by that. A library with another name for its key is right too,
// once [Key] says which. It sets [locks.Grant.Deadline] to what the client's monotonic clock shows when the lock ends
// at the latest, or to [locks.NoDeadline]. It doesn't have to draw a fencing token from [locks.Config.Fence]; then the
// client does so when it has the lock. It passes no marks: the test passes those around its requests to servers
// (asking, answered, extending, extension-answered). A grant that it rejects because no validity is left has the
// outcome [locks.TooLate].
//
// # What is judged
//
// A scenario says what the reference keeps and breaks in it. A test fails if the lock breaks a promise that the
// reference keeps, if a verdict is unknown, or if no client ever has the lock. A promise that the reference breaks and
// the lock keeps is no failure; [Expect] overrides this. In a scenario that [On] moves to another kind of lock, no test
// asks for what the catalogue's lock of that kind does not keep there. A user-defined kind (scenarios.AddLock) is
// compared with single there, or with redlock where it asks several nodes.
//
// # What is skipped
//
// What a lock can't do is no bug, and what never happened proves nothing. A scenario is skipped, with the reason, where
// its servers don't grant this lock even without a fault, where holds are extended and this lock can't extend, where
// the TTL is shorter than it takes ([Shortest]), and where the lock itself counts fencing tokens and this one returns
// none. A seed is skipped if something did not happen that the scenario is about, such as a grant that comes too late
// and is rejected. The lock may have that very bug: so 60 more seeds are tried, and the first with which a promise
// breaks is reported. A test in which every scenario was skipped fails: it would pass with any lock.
//
// The promises are judged by the true time. The report of a run that fails also says what a linearizability checker
// sees, which has the operations of the clients alone (package checker/blackbox, with porcupine). [Arithmetic] puts
// functions of yours under property tests, with rapid.
//
// # A grant after its deadline
//
// A lock must refuse a grant if its own deadline has passed by the time the servers have answered. This fails any test,
// in scenarios, searches and [Check], without a reference: one run proves it. A grant is late if, by the clock that the
// lock counts on, the deadline had passed when the last reply came, and if no look at a clock since the first reply
// showed the lock otherwise. So a client that is paused between its last look and the return accuses no lock. Locks
// with a session, whose deadline moves, and client libraries are not judged by this.
//
// # What a search judges
//
// [Fuzz] draws universes, and no scenario says what the reference keeps in each. Comparing a lock with the reference
// run by run is impossible too: they draw other numbers and ask at other times. So under a restart or a pause it is a
// matter of luck which of the two breaks with one seed. So by default a lock must keep what its kind keeps:
// promises.txt has, for each kind of lock, which faults never broke which promise of the catalogue's own lock of that
// kind, alone and together, in the many universes that it was measured in. A promise counts only in universes whose
// faults all leave it whole. A lock is called broken only if it breaks the promise markedly more often than the
// reference in the same universe: with 200 seeds against 2,000, by Fisher's exact test, one-sided. The level is 1 in
// 1,000, divided by the number of violations and promises that may be tried. Both counts are in the failure. A client
// library is tried in the same way, with as many seeds; its reference is the catalogue's lock.
//
// The assumption: the table was measured on the scenarios that it names, with their timeouts, waits between attempts,
// margins for drift and work. A scenario that works on past its deadline, say, breaks belief without any fault; there
// the reference does so too, and only the comparison clears the lock. A lock that keeps more than the reference gets no
// failure when it loses that: where no lock of its kind keeps a promise under some faults, the test must name the
// promise, with [Everything], [Promises] or [Expect]. The failure then says how often the reference breaks it. A right
// lock may be slower than the reference. How long it may take is computed from the scenario's TTL, timeout and waits,
// and from the longest time that it sleeps between its own tries; a lost message costs no more than the client's
// timeout, lock.timeout, because a Client's call ends with it. A search finds what some of its universes show: the page
// of this package has locks with planted bugs, in how many universes each was found, and one that was not.
//
// [AnyTTL] also tries a lock with TTLs that no scenario has: 0, below 0, below a millisecond and of weeks.
//
// A scenario runs its lock on what its kind of lock runs on: most on five independent Redis nodes. [On] puts the lock
// on something else: a lock for one server belongs on "single". A scenario that can't be moved there, because it is
// about several nodes or about hosts that are not there, is skipped where the pattern names others too, and rejected
// where it is named alone.
//
// A lock that waits for its Client only, for ever, ends with the scenario's horizon, as unknown. One that blocks in
// Go's own ways (a channel, select{}), or that loops for 30 seconds of the processor's time, is unknown too: the test
// fails with its stack, and leaves it where it is. Only in a search is a loop without end left to go test's -timeout. A
// lock that panics fails the test with its stack and the seed.
//
// # In your own property
//
// [Check] tries a lock in one universe, as a case of your rapid.Check: the property draws the universe, with the
// generators of package scenariostest or otherwise, and may ask more of it. It judges as a search does; rapid shrinks
// the universe, and each smaller universe breaks the promise by the same comparison.
//
// Test and Fuzz of package guest, in the module scenarios/guests, try a client library unmodified. They call
// [RunHosted] and [FuzzHosted].
//
// Each seed is a subtest. A failure prints the report of its run and the command that repeats it alone. A search prints
// everything about a violation: its scenario, its seed, the settings that differ and its faults. The command has the
// same in LOCKSTORM_FIND, so it needs no file. If LOCKSTORM_FIND names a missing file, the test fails.
//
// # The words of the source
//
// A trial is what a test asks of a lock. A universe is a scenario with settings and faults that a seed chooses; in a
// placed universe, the faults begin while a client asks. An adversity is a class of faults and its targets. A ledger
// lists the adversities that broke a promise of the reference. It says what a lock must keep in a universe. A
// search judges in three steps: it screens candidates, tries the worst again next to the reference, and calls a promise
// broken if the lock breaks it markedly more often.
package locktest
