// Package platform holds what locks run on, a file each: independent Redis nodes, a Redis master with replicas, servers that
// agree by raft, and the database that holds the resource.
//
// A [Platform] knows, before there is a run, which topologies suit it and how long its servers take for things. It makes
// [Servers], which a runner puts into the world of one run after another, and which return the [Evidence] of each: when the
// lock's key was there, and when a client was out of touch with the servers that it needs. It knows nothing of the steps of a
// lock. What it has for one, such as a sentinel to ask for the master, it puts into the lock's [locks.Config].
//
// A server of somebody's own comes in here: its module has a [Platform] with its [Servers], and what those give as evidence is
// judged and drawn like any other. [Platform] and [Servers] are all that is asked of it; [LinkOutages] finds its outages if its
// servers stand each for itself. A lock on it needs a kind of its own, for which there is no door yet.
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
// All hosts of a run stand in one order: nodes, storage, clients, and then the platform's others. The index of a host in it
// is its ID, so that of a node is also its number.
//
// The files, from the ground up: platform.go says what a platform is, outage.go finds outages, and then there is one file for
// each platform: redis.go, replicas.go on the same nodes, raft.go, database.go.
package platform
