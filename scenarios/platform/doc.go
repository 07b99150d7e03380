// Package platform holds what locks run on, a file each: independent Redis nodes, a Redis master with replicas, servers
// that agree by raft, and the database that holds the resource.
//
// A [Platform] knows, before there is a run, which topologies suit it and how long its servers take for things. It
// makes [Servers], which a runner puts into the world of one run after another, and which return the [Evidence] of
// each: when the lock's key was there, and when a client was out of touch with the servers that it needs. It knows
// nothing of the steps of a lock. What it has for one, such as a sentinel to ask for the master, it puts into the
// lock's [locks.Config].
//
// # Servers of one's own
//
// Servers of somebody's own come in from another module: a [Platform] with its [Servers], and a lock on them, which
// scenarios.AddLock makes a kind of lock. From then on all works with it that is made of scenarios: locktest.Run and
// Fuzz (with locktest.On), scenario files that name it as lock.kind, timelines, pages and all other reports, and the
// engines of package campaign, which search, shrink and sweep. The example of this package is a key-value service with
// sessions, its lock and its test, in 150 lines.
//
// [Nodes] and [Alone] answer what is nothing special. Without them the platform owes all of [Platform], and the servers
// owe:
//
//   - The servers themselves: a sim.Service for each node and each of Traits.Others. They read time from their host's clocks,
//     wait by [sim.Host.After], and draw from nothing: a run is a pure function of scenario and seed. One that notices restarts
//     is a sim.Starter.
//   - A fresh start: Attach resets all of it, since servers are kept from run to run.
//   - The lives of keys (AppendKeys): a [checker.Span] for each time in which the servers held the lock for somebody. Its Token
//     is the one by which [Evidence.Token] names the grant. From and To are when the server's mind changed, in true time
//     (World.Now), and not when anybody heard of it; To is clock.Forever while the key lives. Lane is the number of the node
//     that has it, or 0 for one service. No two spans of one lane overlap, unless both are Shared. Why it ended goes into
//     Ended, with the client and the strike to blame, or -1.
//   - Outages (AppendOutages): when a client could not reach a server that its lock asks, for the promises of liveness. Alone
//     finds them, where each server stands for itself; with none reported, a lock is blamed for each wait.
//   - How long a key lives that nobody frees ([Times]): deadlock-free rests on it.
//
// AddLock refuses a platform that contradicts itself. What servers say of a run is checked before it is judged
// (checker.Evidence.Check, and that there is a key for what was had): if it is not sound, the run is unknown, and says
// what is wrong. What can't be checked is whether it is true: servers that report no life of a key that they hold hide
// an overlap.
//
// # What a fault means here
//
// A fault strikes hosts and links, and knows no platform. What comes of it is decided in three places:
//
//   - The server decides what it loses, forgets or delays: Stop, Start and Settle of redis.Node, consensus.Node and sql.Server.
//   - The platform decides when a client could not reach what grants the lock, for the promises of liveness. Independent
//     nodes are reached one by one (links in outage.go); a group of servers has to agree, or to have a master, first (group,
//     there too).
//   - The platform reports why a key went, from what the server has recorded (AppendKeys).
//
// Which events of a run count as trouble at all is decided once, by Trouble of sim.Event.
//
// All hosts of a run stand in one order: nodes, storage, clients, and then the platform's others. The index of a host
// in it is its ID, so that of a node is also its number.
//
// The files, from the ground up: platform.go says what a platform is, outage.go finds outages, and then there is one
// file for each platform: redis.go, replicas.go on the same nodes, raft.go, database.go; own.go has what others begin
// with.
package platform
