// Package guest runs unmodified Go client libraries next to a simulated world: with their goroutines, contexts,
// timers and connection pools, and under the world's faults.
//
// # One time
//
// A run takes place in a bubble of testing/synctest, whose clock is the world's true time. Before the world takes its
// next event, it waits until every goroutine of the guests is durably blocked, and takes their messages. Then it lets
// the bubble's time pass until its next event or until a guest acts, whichever comes first. Actions of several guests
// at one moment have an order that depends only on client, node, connection between the two, and position in it.
//
// A guest's computation takes no time, so no fault falls between two lines of a library. Faults fall between its
// messages and its timers, and at the marks of the workload.
//
// # Their network
//
// A guest dials through [Client.Dial]. Its bytes are parsed as commands of Redis, or by [Kind.Wire]. These travel the
// links of the world like any message: late, lost, cut, held or slow. A connection keeps its messages in order. After
// a lost or cut-off message, every later one in that direction is lost, as if TCP lost each retransmission too:
// nothing arrives any more, and the guest finds out by its timeouts. A host that is off refuses a dial. A node that
// goes off ends its connections, which the guest learns after the latency. A library that looks into the socket of an
// idle connection (go-redis does) finds none, and learns of its end by using it.
//
// Name look-ups fail, with an error that says what to do instead. A dial past Client.Dial reaches no host: the nodes'
// addresses have a port that no network has, so the dial fails immediately. A run in which no guest ever dialed in
// the world is unknown, and says so. If an adapter also dials an address of its choice, the harness doesn't notice.
// But a lock from there is not a key on a node, so quorum breaks.
//
// # Marks
//
// A library shows none of its steps. So the harness passes the marks around its requests to the nodes, on the
// client's host. "asking" comes before the first request of an attempt that names the lock's key. "answered" comes
// before the library gets the reply with which each node has answered. An extension has similar marks. A library that
// tries several times in one call passes them once. Guests pass no other marks within a lock ("between", "quorum" …).
//
// # A pause
//
// A paused client host sends nothing and receives nothing, and its workload stops. A timer of a guest may fire
// meanwhile. Every such run is possible. It is the run in which the pause was interrupted for a moment. In that
// moment the guest noted that its timer had passed, and queued its messages in its host's kernel, which sends them
// after the pause. A pause without interruptions equals several shorter ones with nothing due between them.
//
// # A crash
//
// A crash of a client host ends its guest: its connections and its context end, and its later actions have no effect
// on the world. After a restart the client starts with a new guest.
//
// # What is believed
//
// The judges use the lives of the keys on the nodes, and find a hold's key by the value that the library says it has
// set. They trust the library about the end of a hold. The connections show whether all servers acknowledged a release.
//
// # Clocks
//
// All guests share the bubble's clock, so one client's clock can't be wrong alone. Faults that change or suspend a
// client's clock are rejected, and a search does not draw them. A shift of all servers' clocks against the clients
// has the same effect, and is available.
//
// A program that is built with an overlay of package time (the command in the folder overlay writes it) runs each
// guest with the clock of its client's host. Then clients' clocks may run at other rates from the beginning, and
// jumps and strobes may hit them: time.Now, time.Sleep and timers use the client's clock. Goroutines are recognized
// by their profiler labels, so one that sets other labels uses true time again. A timer keeps the rate of the moment
// when it was set. That is why drifts and slews during a run are still rejected, and so is a suspended host.
//
// # Determinism
//
// A run with guests is not a pure function of scenario and seed: the Go scheduler and select are random. The harness
// removes most chance: one processor, seeded crypto/rand and math/rand, a random stream for each connection, and a
// fixed order of ties. The rest is measured: see the tests of the module scenarios/guests. A run that breaks a
// promise is repeated three times before it is reported, and the report says how often it repeats.
//
// # A guest that fails
//
// A call hangs if it is under way when the run reaches its horizon, and has been for more than ten TTLs. A hang is a
// separate finding, with its time and its stacks; the rest is judged as it was until then. For an acquire only the
// time counts in which no client held the lock, because waiting behind a live holder is right. The finding does not
// say what the call waited for: a server, a key without a holder, or nothing.
//
// Three failures end the run as unknown, with stacks: a library panics in a call, a recent call does not return
// before the end of the run, or goroutines are left behind. Promises that broke before are broken, the others are
// unknown, and no one's wait counts against the lock. A panic in a goroutine that a library has started ends the
// process, as in any Go program, with Go's exit code 2, which means unknown here too. The program computes rows in
// separate processes, so such a run counts as unknown, and the next process continues.
//
// A guest that never rests also ends the run as unknown. For example, it waits in steps of a microsecond, so that the
// world's next event is millions of steps away. The bound is [MostTurns]: how often goroutines are put on the
// processor between two events of the world, which Go's runtime counts (/sched/latencies in runtime/metrics). A guest
// that only yields (runtime.Gosched) lets no time pass, so nothing in the bubble can act. Then the process ends after
// four times as many turns, with the stacks and exit code 2.
//
// In a bubble no time passes while a goroutine waits for a mutex (testing/synctest says why). If the mutex's holder
// itself waits for time, or for an answer, nothing can continue, and the process ends in the same way.
//
// A goroutine that never leaves the processor has nothing to count: the world takes no event, the runtime counts no
// turn, a profiling signal counts the processor's time, and a stack does not show whether a loop will end. There the
// processor's time is the bound: after 30 seconds of it without an event the process ends in the same way. A busy
// machine does no harm, because the time of other processes does not count.
//
// # A program of guests
//
// Go makes bubbles in tests only. [Main] turns a plain program into a test from its beginning to its end. Outside of
// go test crypto/rand is seeded only for code that reads the variable rand.Reader each time.
//
// # Rules for callers
//
// A process runs guests one run at a time, because each run sets the process's number of processors and random
// sources. Concurrent runs wait for each other.
//
// # The source, from the ground up
//
// wire.go is the protocol between a library and its servers, clocks.go has the guests' clocks, patience.go finds
// goroutines that never rest or are left behind, bubble.go is where guests live, conn.go is their connections,
// lock.go is a client's lock, run.go performs a run, and kind.go makes a library a kind of lock.
package guest
