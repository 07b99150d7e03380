// Package guests has adapters to client libraries, so that they run in the simulated world as they are: see package guest
// for how. It is a module of its own, so that nobody else needs the libraries.
//
// Each waits for a node for as long as the scenario says (lock.timeout), and otherwise has its usual options. An attempt is
// one of the library's without its own retries between attempts, which are the scenario's.
//
// # What was measured
//
// Of 50 universes of faults, each repeated 20 times on a busy machine with two cores, so many gave one run, down to the last
// message:
//
//	redsync over redigo       50
//	redsync over go-redis     50
//	redislock over go-redis   50
//	rueidis                   50
//
// Before the timers of connections had a slack of their own it was 41, 39, 50 and 50: Go draws the order of timers that fire at
// one moment. TestHowDeterminedGuestsAre measures it anew.
//
// A run costs less than the library does in a bare bubble with five miniredis, as those interpret each script: redsync makes 4.6 times
// as many cycles a second here over redigo, and 3.3 times over go-redis. Where scripts are interpreted here too it is 0.80 and
// 0.86 times. TestSpeedBesideABareBubble measures it anew.
//
// What leaks from one bubble to the next is in package globals. The resolver of package net is one, which go-redis asks about
// each node: in a second bubble the process died of it. So nodes have numbers for addresses, which nobody looks up. The
// global source of math/rand is seeded anew for each run. That of math/rand/v2 can't be.
package guests
