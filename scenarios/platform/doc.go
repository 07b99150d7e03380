// Package platform holds what locks run on, a file each: independent Redis nodes, a Redis master with replicas, servers
// that agree by raft, the database that holds the resource, and a store with one record.
//
// A [Platform] knows, before any run, which topologies suit it and how long its servers take for things. It makes
// [Servers], which a runner puts into the world of one run after another, and which return the [Evidence] of each: when
// the lock's key was there, and when a client could not reach the servers that it needs. It knows nothing of the steps
// of a lock. What it has for a lock, such as a sentinel to ask for the master, it puts into the lock's [locks.Config].
//
// # User-defined servers
//
// Another module can bring a [Platform] with its [Servers], and a lock on them, which scenarios.AddLock makes a kind of
// lock. From then on everything made of scenarios works with it: locktest.Run and Fuzz (with locktest.On), scenario
// files that name it as lock.kind, all reports, and the engines of package campaign. The example of this package is a
// key-value service with sessions, its lock and its test, in 150 lines.
//
// [Nodes] and [Alone] are defaults to embed. Without them the platform implements all of [Platform], and the servers
// must provide:
//
//   - A sim.Service for each node and each of Traits.Others. They read time from their host's clocks, wait by
//     [sim.Host.After], and use no chance: a run is a pure function of scenario and seed. One that notices restarts is
//     a sim.Starter.
//   - A fresh start: Attach resets everything, since servers are kept from run to run.
//   - The lives of keys (AppendKeys): a [checker.Span] for each time in which the servers held the lock for a client.
//     Its Token is the one by which [Evidence.Token] names the grant. From and To are when the server changed its mind,
//     in true time (World.Now), not when a client heard of it; To is clock.Forever while the key lives. Lane is the
//     number of the node that has it, or 0 for one service. No two spans of one lane overlap, unless both are Shared.
//     Why it ended goes into Ended, with the client and the fault to blame, or -1.
//   - Outages (AppendOutages): when a client could not reach a server that its lock asks, for the promises of liveness.
//     Alone finds them for independent servers; where none is reported, every wait counts against the lock.
//   - How long a key lives that no client frees ([Times]): deadlock-free rests on it.
//
// AddLock rejects a platform that contradicts itself. What servers report of a run is checked before it is judged
// (checker.Evidence.Check, and that every grant has a key): if it is not sound, the run is unknown, and says what is
// wrong. Nothing can check whether it is true: servers that hide the life of a key hide an overlap.
//
// # What a fault means here
//
// A fault hits hosts and links, and knows no platform. Three places decide its effect:
//
//   - The server decides what it loses, forgets or delays: Stop, Start and Settle of redis.Node, consensus.Node and
//     sql.Server.
//   - The platform decides when a client could not reach what grants the lock, for the promises of liveness.
//     Independent nodes are reached one by one (links in outage.go); a group of servers first has to agree, or to have
//     a master (group, there too).
//   - The platform reports why a key went, from what the server has recorded (AppendKeys).
//
// Trouble of sim.Event alone decides which events of a run count as trouble.
//
// The hosts of a run are in one order: nodes, storage, clients, then the platform's others. A host's index in it is its
// ID, so a node's ID is also its number.
//
// The files, from the ground up: platform.go says what a platform is, outage.go finds outages; then one file for each
// platform: redis.go, replicas.go for the same nodes, raft.go, database.go, store.go; own.go has the defaults to embed.
package platform
