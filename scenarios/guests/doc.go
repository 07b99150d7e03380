// Package guests has adapters to client libraries, which run in the simulated world unmodified. Package guest describes
// how, and libraries.md has the results. It is a separate module, so that other modules don't need the libraries.
//
// An adapter names its configurations. In most first configurations, a client waits for a node as long as the
// scenario says (lock.timeout). An attempt is one of the library's without its retries, because the scenario has its
// own. Other configurations use the library's loop, its client's timeouts, or an option that changes its promises.
//
// If a library does not say when a lock's validity ends, the holder counts the TTL from the moment before it asked.
// It subtracts the scenario's drift allowance, as our own locks do. So a verdict shows what the library does, and not
// what its users left out.
//
// Package globals leak from one bubble to the next. One is the resolver of package net, which go-redis asks about
// each node: in a second bubble the process died of it. So nodes have numeric addresses, which need no look-up. The
// global source of math/rand is re-seeded for each run. The source of math/rand/v2 can't be: rueidislock and
// valkeylock draw their values from it. gRPC does too, and etcd's client has one more such global, a channel: package
// etcd describes both.
package guests
