// Package faults holds what goes wrong in a run, as data.
//
// A [Fault] is a thing that goes wrong for an interval and heals itself. So any part of a [Schedule] is a Schedule, and
// a shrinker may drop lines as it likes. Faults of one kind add up where they overlap: a host that two faults pause goes
// on when both are over.
//
// A fault strikes at an instant of true time, or when a proc passes a mark, such as the moment when a client has acquired
// the lock. Its text is one line:
//
//	at 1.2s for 300ms pause c2
//	at 2s for 4s partition c1 n1 n2 | n3 n4 n5
//	at 3.1s drift n4 +800ppm
//	at 3.5s jump n3 +11s
//	when c1 acquired pause c1 for 15s
//	when c1 acquired restart n3 for 11s on n3
//	when c1 before-write 2nd +10ms hold c1>s for 15s
//
// A fault lasts for a time of true time, or of what one host's wall clock counts: "for 11s on n3" is over when that clock
// shows eleven seconds more, which it may do at once if it jumps.
//
// [Parse] reads that text, and Parse(s.String()) gives s again.
//
// What the caller owes: a Schedule is injected only after Check has found no fault with it.
package faults
