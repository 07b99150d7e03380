// Package guest runs Go client libraries, unmodified, beside a simulated world: with their goroutines, contexts, timers and
// connection pools, and under the world's faults.
//
// # One time
//
// A run takes place in a bubble of testing/synctest, whose clock is the world's true time. Before the world takes its next
// event, it waits until every goroutine of the guests is durably blocked, takes what they have sent, and lets the bubble's
// time pass until its next event or until a guest acts, whichever comes first. What several guests do at one moment is taken in
// an order that depends on nothing but client, node, which of the connections between the two, and position in it.
//
// What a guest computes takes no time, and so no fault falls between two lines of a library; faults fall between its
// messages and its timers, and at the marks of the workload.
//
// # Their network
//
// A guest dials through [Client.Dial]. What it writes is read as commands of Redis, or as what [Kind.Wire] reads, which travel
// the links of the world as any message does: late, lost, cut, held or slow. A connection keeps its messages in order. One
// that is lost, or cut off, takes with it all that follow it the same way, as when each retransmission of TCP were lost too:
// nothing arrives any more, and the guest finds out by its own timeouts. A host that is off refuses a dial, and a node that
// goes off ends its connections, which the guest learns after the latency. A library that looks into the socket of an idle
// connection (go-redis does) finds none, and learns of its end by using it.
//
// No name is looked up: a look-up fails, and says what to do instead. A dial past Client.Dial reaches nobody: the nodes'
// addresses have a port that no network has, so that it fails at once. A run in which no guest ever dialed in the world is
// unknown, and says so. An adapter that dials an address of its own choice beside is not noticed; but a lock from there is no
// key on a node, so that quorum breaks.
//
// # Marks
//
// A library shows no step of its own. So the harness passes the marks around what its calls ask the nodes, on the client's
// host: "asking" before the first request of an attempt that names the lock's key, "answered" before the library has the reply
// with which each node has answered; and the like around an extension. A library that tries several times in one call passes
// them once. The other marks within a lock ("between", "quorum" …) are passed by no guest.
//
// # A pause
//
// A client host that is paused sends nothing and receives nothing, and its workload stands still. A timer of a guest may fire
// meanwhile. Every run made so is a possible one: it is the run in which the pause was interrupted for a moment, for as long as
// the guest took to note that its timer had passed, and to queue what it sends for that in its host's kernel, which sends it
// when the pause is over. A pause that nothing interrupts is one of several shorter ones where nothing was due between them.
//
// # A crash
//
// A client host that crashes ends its guest: its connections and its context end, and what it does from then on has no
// effect on the world. After a restart the client begins anew with a guest of its own.
//
// # What is believed
//
// The judges go by the lives of the keys on the nodes, and know a hold's key by the value that the library says it has set. The
// end of a hold is the library's word. Whether all servers acknowledged a release is what its connections saw.
//
// # Clocks
//
// All guests share the bubble's clock, so the clock of one client can't be wrong by itself: faults that change or suspend a
// client's clock are refused, and a search does not draw them. A shift of the clocks of all servers against the clients does
// the same, and can be had.
//
// A program that is built with an overlay of package time (the command in the folder overlay writes it) gives each guest the
// clock of its client's host. Then the clocks of clients may run at other rates from the beginning, and jumps and strobes may
// strike them: time.Now, time.Sleep and timers go by the client's clock. A goroutine is known by its profiler labels, so that
// one which sets labels of its own goes by the true time again. A timer goes by the rate of when it was set, which is why
// drifts and slews during a run are refused still, and so is a suspended host.
//
// # Determinism
//
// A run with guests is not a pure function of scenario and seed: the Go scheduler and select have chance of their own. What
// can be had is had (one processor, crypto/rand and math/rand seeded, connections with streams of their own, ties in an order
// of their own), and the rest is measured: see the tests of the module scenarios/guests. A run that breaks a promise is
// repeated three times before it is reported, and the report says how often it repeats.
//
// # A guest that fails
//
// A call that is under way when the run reaches its horizon, and has been for more than ten TTLs, hangs: that is a finding of
// its own, with its time and its stacks, and the rest is judged as it was until then. Of an acquire only the time counts in
// which no client held the lock: one that waits behind a live holder waits rightly. The finding does not say what the call
// waited for: a server, a key that nobody holds any more, or nothing.
//
// A library that panics in a call, whose call does not return before the run is over although it was not made long ago, or that
// leaves goroutines behind ends the run as unknown, with its stacks: what broke before is broken, what held is not known to
// hold, and nobody who waited is held against the lock. A panic in a goroutine that a library has started ends the process, as
// in any Go program, with Go's exit code 2, which is that of unknown here too. The program makes rows in processes of their
// own: there such a run counts as unknown, and the next process goes on.
//
// So does one that never rests: it waits in steps of a microsecond, say, so that the world's next event is millions of steps
// away. The bound is [MostTurns]: how often goroutines are put on the processor between two events of the world, which Go's
// runtime counts (/sched/latencies in runtime/metrics). One that only lets others run (runtime.Gosched) lets no time pass at
// all, so that nobody in the bubble can act: then the process ends, with the stacks and exit code 2, after four times as many
// turns.
//
// A goroutine that waits for a mutex is at rest for nobody: in a bubble no time passes meanwhile (testing/synctest says why).
// Where the mutex's holder itself waits for time, or for an answer, nothing goes on any more, and the process ends in the same
// way.
//
// For a goroutine that never leaves the processor nothing can be counted: the world takes no event, the runtime counts no
// turn, a profiling signal counts the processor's time, and a stack does not say whether a loop will end. So there the
// processor's time is the bound: after 30 seconds of it without an event the process ends in the same way. That a machine is
// busy does not count, as time that others use is not the process's.
//
// # A program of guests
//
// Go makes bubbles in tests only. [Main] lets a plain program be a test from its beginning to its end; outside of go test
// crypto/rand is seeded only for those who ask for rand.Reader each time.
//
// # What the caller owes
//
// Runs with guests are made one at a time in a process: each sets the number of processors and the random sources of all of it.
// Those that are asked for at one moment wait for each other.
//
// # The source, from the ground up
//
// wire.go is how a library and its servers speak, clocks.go gives guests their clocks, patience.go finds goroutines that never
// rest or are left behind, bubble.go is where guests live, conn.go what they dial, lock.go what a client's lock is, run.go
// makes a run, and kind.go makes a library a kind of lock.
package guest
