// Package locktest puts a lock of yours on trial in an ordinary Go test: under the faults of a scenario, in simulated
// time, before the judges of Lockstorm.
//
//	func TestMyLock(t *testing.T) {
//		locktest.Run(t, "distlock/blind-delete", mylock.New)
//	}
//
// A lock is a [locks.Lock]: it acquires and releases, and all that it needs of the world it takes from the
// [locks.Client] that it is handed. What else a lock can do (extend a hold, keep a session alive, count how long a
// grant is valid) are optional interfaces of package locks; what a lock can't do is asked of nobody.
//
// # What a lock owes
//
// It uses no clock, no chance and no goroutine but those of its Client: a run must be a pure function of scenario and
// seed. It keeps its key under [locks.Config.Key], with [locks.Grant.Token] as its value (or as the value's beginning,
// where a script of its own counts holds): the judges know its keys by that. A library that makes another name of it is
// right too, once [Key] says which. It sets [locks.Grant.Deadline] to what the client's monotonic clock shows when the
// lock ends at the latest, or to [locks.NoDeadline]. It need not draw a fencing token from [locks.Config.Fence]; then
// the client does so when it has the lock. It passes no marks: those around what it asks its servers (asking, answered,
// extending, extension-answered) are passed in its place. A grant that it refuses itself, because no validity is left,
// has the outcome [locks.TooLate].
//
// # What is judged
//
// A scenario says what the reference keeps and breaks in it. A test fails if the lock breaks a promise that the
// reference keeps, if a verdict is unknown, or if nobody ever has the lock. A promise that the reference breaks and the
// lock keeps is no failure. [Expect] says otherwise where a lock has its own promises. In a scenario that [On] moves to
// another kind of lock, what the catalogue's lock of that kind does not keep there is asked of nobody. A kind of one's
// own (scenarios.AddLock) is compared with single there, or with redlock where it asks several nodes.
//
// # What is skipped
//
// What a lock can't do is no bug, and what never happened proves nothing. A scenario is skipped, with the reason, where
// its lock is on servers on which this one can't be had even without a fault, where holds are extended and this lock
// can't extend, where the TTL is shorter than it takes ([Shortest]), and where the lock itself counts fencing tokens
// and this one returns none. A seed is skipped with which something did not happen that the scenario is about, such as
// a grant that comes too late and is refused. That may be because the lock has the very bug: so then 60 more seeds are
// tried, and the first with which a promise breaks is told. A grant that has ended when it is given, by the lock's own
// deadline, fails at once where a scenario is about refusing one. A test in which every scenario was skipped fails: it
// would be green whatever the lock is.
//
// The promises are judged by the true time. What a linearizability checker sees, which has the operations of the
// clients alone (package checker/blackbox, with porcupine), stands in the report of a run that fails. [Arithmetic] puts
// functions of yours under property tests, with rapid.
//
// # What a search judges
//
// [Fuzz] draws universes of its own, and no scenario says what the reference keeps in each. A lock and the reference
// can't be compared run by run either: they draw other numbers and ask at other times, so under a restart or a pause it
// is a race which of the two breaks with one seed. So by default a lock is judged by what its kind owes: promises.txt
// has, for each kind of lock, which faults never broke which promise of the catalogue's own lock of that kind, alone
// and together, in the many universes that it was measured in. A promise counts only in universes whose faults all
// leave it whole. And a lock is called broken only if it breaks the promise markedly more often than the reference in
// one and the same universe: with 200 seeds against 2,000, by Fisher's exact test, one-sided. The level is 1 in 1,000,
// divided by the number of finds and promises that may be tried. Both counts are in the failure. A client library is
// tried in the same way, with as many seeds; its reference is the catalogue's lock.
//
// What this assumes: the table was measured on the scenarios that it names, with their timeouts, waits between
// attempts, margins for drift and work. A scenario that works on past its deadline, say, breaks belief without any
// fault; there the reference does so too, and the comparison alone clears the lock. A lock that keeps more than the
// reference is never told what it lost: what no lock of its kind keeps under some faults is judged where the test asks
// for it by name, with [Everything], [Promises] or [Expect], and the failure then says how often the reference breaks
// it. A right lock may be slower than the reference, but one that waits for so long between attempts that the
// scenario's bound passes breaks fault-tolerant. That bound is computed from the scenario's TTL, timeout and waits; a
// lost message costs no more than the client's own timeout, lock.timeout, because a Client's call ends with it. And a
// search finds what some of its universes show: the page of this package has locks with planted bugs, in how many
// universes each was found, and one that was not.
//
// A scenario runs its lock on what its kind of lock runs on: most on five independent Redis nodes. [On] puts the lock
// on something else: a lock for one server belongs on "single". A scenario that can't be moved there, because it is
// about several nodes or about hosts that are not there, is skipped where the pattern names others too, and refused
// where it is named alone.
//
// A lock that waits for its Client only, for ever, ends with the scenario's horizon, as unknown. One that blocks in
// Go's own ways (a channel, select{}), or that loops for 30 seconds of the processor's time, is unknown too: the
// test fails with its stack, and leaves it where it is. Only in a search is a loop without end left to go test's
// -timeout. A lock that panics fails the test with its stack and the seed.
//
// # In a property of one's own
//
// [Check] tries a lock in one universe, as a case of somebody's own rapid.Check: the property draws the universe, with
// the generators of package scenariostest or otherwise, and may ask more of it. What is owed, and what is a find, is as
// in a search; rapid shrinks what it has drawn, and each smaller universe is a find by the same comparison.
//
// A client library is tried unmodified by Test and Fuzz of package guest, in the module scenarios/guests. [RunHosted]
// and [FuzzHosted] are what they call.
//
// Each seed is a subtest. A failure prints the report of its run and the command that repeats it alone. A find of a
// search is printed whole: the scenario it came from, its seed, the settings that differ and its faults, and the
// command has all of that in LOCKSTORM_FIND, so that it needs no file. Where LOCKSTORM_FIND names a file that is not
// there, the test fails.
package locktest
