// Package platform holds what locks run on, a file each: independent Redis nodes, a Redis master with replicas, servers that
// agree by raft, and the database that holds the resource.
//
// A [Platform] knows, before there is a run, which topologies suit it and how long its servers take for things. It makes
// [Servers], which a runner puts into the world of one run after another, and which return the [Evidence] of each: when the
// lock's key was there, and when a client was out of touch with the servers that it needs. It knows nothing of the steps of a
// lock. What it has for one, such as a sentinel to ask for the master, it puts into the lock's [locks.Config].
//
// # What a fault means here
//
// A fault strikes hosts and links, and knows no platform. What comes of it is decided in three places:
//
//   - The server decides what it loses, forgets or delays: Stop, Start and Settle of redis.Node, consensus.Node and sql.Server.
//   - The platform decides when a client could not reach what grants the lock, for the promises of liveness. Independent nodes are
//     reached one by one (outage.go); a group of servers has to agree, or to have a master, first (group.go).
//   - The platform reports why a key went, from what the server has recorded (AppendKeys).
//
// Which events of a run count as trouble at all is decided once, by Trouble of sim.Event.
//
// All hosts of a run stand in one order: nodes, storage, clients, and then the platform's others. The index of a host in it
// is its ID, so that of a node is also its number.
package platform
