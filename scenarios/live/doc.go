// Package live runs scenarios on real servers, with clients that are real processes, in real time. The schedule, the
// workload, the judges and the reports are those of every run.
//
// # The idea
//
// A live run is a run of package scenarios whose world goes by the machine's clock, and whose servers and locks are elsewhere.
// The world ([sim.World]) strikes with the schedule's faults, works, reads and writes in the clients' places, and records.
// What is real is the lock: each client is a process, which acquires, extends and releases when it is told to, and speaks to
// redis-server processes over TCP. In between is a proxy, whose connections are streams of the world: so a message is late,
// lost, cut off or held by the same code as in simulated time.
//
//	client process ──TCP──▶ proxy ──▶ link of the world ──▶ node of the world ──▶ redis-server process
//	      ▲ lines on stdin and stdout                          │ what the key is after each command
//	      └───────────────── workload, faults, evidence ◀──────┘
//
// A master has real replicas, and what servers send each other passes a proxy too. Who promotes one of them is the simulator's
// observer: see replicaGroup. Servers of other kinds, such as etcd and ZooKeeper, are added by the program that has them, with
// [AddServers].
//
// # The law
//
// A live run's true time is CLOCK_MONOTONIC of one machine. What lies within its measured noise is unknown. Nothing in
// a verdict depends on what a client says of itself except the end of its hold, and the times of an answer must lie within
// those of its question.
//
// # What a fault is here
//
// A paused host is a process that was sent SIGSTOP, and is known to stand still (state T) before anything else happens. A
// crash is SIGKILL. Both hold for clients and for servers. A restarted server is a new process in the old directory. A
// lost message stalls its connection for good, as when each retransmission is lost; a link that is cut off is silent. A
// fault at a mark within the lock strikes while the client waits for an answer to that mark, so its moment is exact.
//
// [Check] refuses what real servers can't have, with the reason, before anything starts.
//
// # The lives of keys
//
// A server carries out one command of the proxy's at a time, and behind it, on the same connection, the harness asks for
// the value and the deadline of the lock's key. So each change is dated between two moments of ours, the request's and the
// reply's. A key that expires is dated by its deadline, which the server gave, on the server's wall clock. Each life has
// a narrow and a wide form, and the judges are asked about both: where their verdicts differ, the verdict is unknown.
//
// # Noise
//
// A verdict on which the two forms of lives differ is unknown. One that is not the simulator's is unknown too if the driver was
// later than the margin allows, or if the run took another course: the order of acquisitions and strikes up to the last
// strike. Then the run is made again, up to a bound. A verdict that is the simulator's counts though the course is another,
// and the report says so: what a scenario expects, it expects of each of its courses, and the things that must have happened
// in it still must.
//
// # Times
//
// A live run takes as long as it says. A [Pace] makes times of more than a tenth of a second shorter, and shorter ones longer
// where the machine could not keep their gaps: which pace, follows from how late the machine was when it was watched before the
// run. The scenario is another one then. So it is run in the simulator first, and no pace is taken at which its verdicts are not
// those of the original.
//
// # Processes
//
// Nothing outlives a run. Each process is the head of a group of its own, which is killed at the end; the kernel kills it when
// the driver dies; and a watchdog, which is a process too, then kills the groups and removes the directory. What has left its
// group is found by a mark that stands in the environment of each process and of its children. An end that its caller asks for
// kills all at once, so that nobody waits for a process any more. Servers listen on sockets within that directory, and the proxy
// on ports that the kernel chooses.
//
// # What the caller owes
//
// [Run] starts the caller's own program as its clients and as its watchdog: call [Main] first in it.
//
// # The files, from top to bottom
//
// Each calls only those below it.
//
//	agree        tables of many runs: Agree, Judge
//	live         Main, Run and Doctor
//	result       what a run came to, beside its run in the simulator
//	run          a run: starts servers and clients, and lets processes suffer what happens to hosts
//	remote       a client's lock, as the workload sees it; agent: its process, which is asked; silence: what it does not
//	             answer
//	pace         a scenario with other times; scale: its margin; check: the table of kinds of servers, and what is refused
//	sentinel     Redis Sentinel over them, in place of the simulator's observer
//	replication  a master with replicas; pipe: what they send each other
//	node         a Redis server's place in the world; server: its process; proof: that this goes by the clock that it is given
//	servers      what a kind of servers is, and is given
//	proxy        connections of clients, and the marks that they show
//	driver       the world's time, and what is to be done in it
//	lives        the lives of the lock's key on a server
//	client       our own client process, which shares only wire with the driver
//	process      processes and the watchdog; machine: signals and clocks of the operating system
//	wire         lines between driver and client, and the replies of Redis
//	faults       which faults a process can suffer
package live
