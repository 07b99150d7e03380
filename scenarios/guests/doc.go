// Package guests has adapters to client libraries, so that they run in the simulated world as they are: see package guest
// for how, and libraries.md for what came of it. It is a module of its own, so that nobody else needs the libraries.
//
// An adapter names its configurations. In the first of most, a client waits for a node as long as the scenario says
// (lock.timeout), and an attempt is one of the library's without its own retries, which are the scenario's. In others it has
// its own loop, its client's timeouts, or an option that changes what it promises.
//
// Where a library does not say until when a lock is valid, the holder counts the TTL from the moment before it asked, and takes
// off what the scenario says that clocks may run apart, as our own locks do. So a verdict shows what the library does, and not
// what its users left out.
//
// What leaks from one bubble to the next is in package globals. The resolver of package net is one, which go-redis asks about
// each node: in a second bubble the process died of it. So nodes have numbers for addresses, which nobody looks up. The global
// source of math/rand is seeded anew for each run. That of math/rand/v2 can't be: rueidislock and valkeylock draw their values
// from it. So does gRPC, where package etcd says what becomes of it, and of a channel of etcd's client, which is one more global.
package guests
