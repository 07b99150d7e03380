// Package live runs scenarios on real servers, with clients that are real processes, in real time. Schedule,
// workload, judges and reports are the same as in every run.
//
// # The idea
//
// A live run is a run of package scenarios whose world follows the machine's clock. Its servers and locks are outside
// the world. The world ([sim.World]) applies the schedule's faults, works, reads and writes for the clients, and
// records. The lock is real: each client is a process, which acquires, extends and releases on request, and speaks to
// redis-server processes over TCP. A proxy sits in between. Its connections are streams of the world, so the code
// that delays, loses, cuts off or holds a message is the same as in simulated time.
//
//	client process ──TCP──▶ proxy ──▶ link of the world ──▶ node of the world ──▶ redis-server process
//	      ▲ lines on stdin and stdout                          │ what the key is after each command
//	      └───────────────── workload, faults, evidence ◀──────┘
//
// A master has real replicas, and messages between servers pass a proxy too. The simulator's observer promotes
// replicas: see replicaGroup. The program that contains servers of other kinds, such as etcd and ZooKeeper, adds them
// with [AddServers].
//
// # The law
//
// True time in a live run is CLOCK_MONOTONIC of one machine. Anything within its measured noise is unknown. A verdict
// depends on only one thing that a client says of itself: the end of its hold. The times in an answer must lie within
// the times of its question.
//
// # What a fault is here
//
// A paused host is a process that got SIGSTOP. The driver waits until it has stopped (state T) before anything else
// happens. A crash is SIGKILL. Both apply to clients and to servers. A restarted server is a new process in the old
// directory. A lost message stalls its connection forever, as if each retransmission were lost too. A link that is
// cut off is silent. A fault at a mark within the lock hits while the client waits for an answer to that mark, so its
// moment is exact.
//
// [Check] rejects what real servers can't do, with the reason, before anything starts.
//
// # The lives of keys
//
// A server carries out one command of the proxy at a time. After it, on the same connection, the harness asks for the
// value and the deadline of the lock's key. So each change happens between two known moments: the request's and the
// reply's. A key that expires ends at its deadline, which the server reported, on the server's wall clock. Each life
// has a narrow and a wide form, and the judges see both. Where their verdicts differ, the verdict is unknown.
//
// # Noise
//
// A verdict on which the two forms of lives differ is unknown. A run is judged by itself, whatever course it took: the
// order of acquisitions and faults up to the last fault. If the driver was later than the margin allows, a verdict that
// differs from the simulator's is unknown, and of a run of another course every verdict. A comparison with the
// simulator needs the same course, except that clients that no fault names may change places. An unknown run is
// repeated, up to a limit. An adapter's lock is judged by what our own lock keeps: see reference.go.
//
// # Times
//
// A live run takes as long as it says. A [Pace] shortens times above a tenth of a second, and stretches shorter ones
// where the machine could not keep their gaps. The pace depends on how late the machine was when it was watched
// before the run. Another pace makes another scenario, so that is simulated first. A pace is rejected if its verdicts
// differ from the original's.
//
// # Processes
//
// Nothing outlives a run. Each process heads its own process group, which is killed at the end. The kernel kills the
// process when the driver dies. A watchdog process then kills the groups and removes the directory. A process that
// left its group is found by a mark in its environment, which children inherit. If the caller ends the run early,
// everything is killed immediately, so that no one waits for a process any more. Servers listen on sockets within
// that directory, and the proxy on ports that the kernel chooses.
//
// # Rules for callers
//
// [Run] starts the caller's own program as its clients and as its watchdog, so the program must call [Main] first.
//
// # The files, from top to bottom
//
// Each calls only those below it.
//
//	agree        tables of many runs: Agree, Judge
//	live         Main, Run and Doctor
//	reference    what our own lock keeps, by which an adapter's is judged
//	result       the outcome of a run, next to its run in the simulator
//	run          a run: starts servers and clients, and applies to processes what happens to hosts
//	remote       a client's lock, as the workload sees it; agent: its process, which is asked; silence: questions that
//	             it leaves open
//	pace         a scenario with other times; scale: its margin; check: the kinds of servers, and what is rejected
//	sentinel     Redis Sentinel over the servers, in place of the simulator's observer
//	replication  a master with replicas; pipe: messages between them
//	node         a Redis server's place in the world; server: its process; proof: that it uses the clock that it got
//	servers      what a kind of servers is, and what it receives
//	proxy        connections of clients, and the marks that they show
//	driver       the world's time, and actions to perform in it
//	lives        the lives of the lock's key on a server
//	client       our own client process, which shares only wire with the driver
//	process      processes and the watchdog; machine: signals and clocks of the operating system
//	wire         lines between driver and client, and the replies of Redis
//	faults       which faults a process can suffer
package live
