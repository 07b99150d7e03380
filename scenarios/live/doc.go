// Package live runs scenarios on real servers, with clients that are real processes, in real time. The schedule, the
// workload, the judges and the reports are those of every run.
//
// # The idea
//
// A live run is a run of package scenarios whose world goes by the machine's clock, and whose servers and locks are elsewhere.
// The world ([sim.World]) is the driver: it strikes with the schedule's faults, works, reads and writes in the clients'
// places, and records. What is real is the lock: each client is a process, which acquires, extends and releases when it is
// told to, and speaks to redis-server processes over TCP. In between is a proxy, whose connections are streams of the
// world: so a message is late, lost, cut off or held by the same code as in simulated time.
//
//	client process ──TCP──▶ proxy ──▶ link of the world ──▶ node of the world ──▶ redis-server process
//	      ▲ lines on stdin and stdout                          │ what the key is after each command
//	      └───────────────── workload, faults, evidence ◀──────┘
//
// A master has real replicas, and what servers send each other passes a proxy too. Who promotes one of them is the simulator's
// observer: see group. Where the lock is on etcd or in PostgreSQL, the clients are the world's, and what is real is the
// servers: see service. Those of an adapter are processes all the same, with tunnels to the servers.
//
// # The law
//
// A live run's true time is CLOCK_MONOTONIC of one machine. What lies within its measured noise is unknown. Nothing in
// a verdict depends on what a client says of itself but for the end of its hold, and the times of an answer must lie within
// those of its question.
//
// # What a fault is here
//
// A paused host is a process that was sent SIGSTOP, and is known to stand still (state T) before anything else happens. A
// crash is SIGKILL. Both hold for clients and for servers. A restarted server is a new process in the old directory. A
// lost message stalls its connection for good, as when each retransmission is lost; a link that is cut off is silent. A
// fault at a mark within the lock strikes while the client waits for an answer to that mark, so its moment is exact.
//
// What can't be had is refused by [Check], with the reason, before anything starts.
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
// A verdict is unknown on which the two forms of lives differ. One that is not the simulator's is unknown too if the driver was
// later than the margin allows, or if the run took another course, which is the order of acquisitions and strikes up to
// the last strike. Then the run is made again, up to a bound. A verdict that is the simulator's stands though the
// course is another, which is said: what a scenario expects, it expects of each of its courses, and the things that must
// have happened in it still must.
//
// # Times
//
// A live run takes as long as it says. [Scaled] makes times of a tenth of a second and more shorter. As shorter ones
// stay, the scaled scenario is another one: it is run in the simulator first, and refused if its verdicts are not those of the
// original.
//
// # Processes
//
// Nothing outlives a run. Each process is the head of a group of its own, which is killed at the end; the kernel kills it
// when the driver dies; and a watchdog, which is a process too, then kills the groups and removes the directory. Servers listen on
// sockets within that directory, and the proxy on ports that the kernel chooses.
//
// # What the caller owes
//
// [Run] starts the caller's own program as its clients and as its watchdog: [Main] is to be called first in it.
package live
