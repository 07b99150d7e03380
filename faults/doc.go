// Package faults holds what goes wrong in a run, as data.
//
// A [Fault] is a thing that goes wrong for an interval and heals itself. So any part of a [Schedule] is a Schedule, and
// a shrinker may drop lines as it likes. Faults of one kind add up where they overlap: a host that two faults pause goes
// on when both are over.
//
// # The text
//
// A fault is one line. It strikes at an instant of true time, or when a proc passes a mark, such as the moment when a
// client has acquired the lock:
//
//	at INSTANT [for TIME [on HOST]] FAULT
//	when HOST MARK [2nd] [+TIME] FAULT [for TIME [on HOST]]
//
// In both, how long it lasts may stand before the FAULT or after it.
//
// A fault lasts for a time of true time, or of what one host's wall clock counts: "for 11s on n3" is over when that clock
// shows eleven seconds more, which it may do at once if it jumps. Without an end it lasts for the rest of the run. In
// place of a mark's host, "any" stands for any client: then the passings of all of them are counted together. The FAULT
// is one of [Kinds].
//
// For example
//
//	at 1.2s for 300ms pause c2
//	at 2s for 4s partition c1 n1 n2 | n3 n4 n5
//	when c1 acquired restart n3 for 11s on n3
//	when c1 before-write 2nd +10ms hold c1>s for 15s
//	when any acquired pause holder for 15s
//
// [Parse] reads that text, and Parse(s.String()) returns s again. Empty lines, and what follows a #, count for nothing.
//
// # Roles
//
// Where a fault names the host that it strikes, a role may stand instead. Who fills it is decided when the fault
// strikes, and a [Strike] names them. If that is several hosts, the fault strikes each of them, and each link between one and another.
//
//	holder              the client that holds the lock then; if none does, the fault strikes nobody and is idle
//	a-node, a-client    a drawn one; each time the word stands there, another draw
//	minority            a drawn greatest minority of the nodes: two of five, one of four
//	majority            a drawn least majority; beside a minority in the same fault, the rest of the nodes
//	nodes, clients      all of them
//	all                 all hosts, storage too
//
// One fault divides the nodes once. So "partition minority | majority" leaves no node out and names none twice. The draws
// come from a chance that is named by the fault's line, and by its number among equal lines. So no other line moves them,
// and two equal lines draw separately.
//
// A mark and the clock after "on" belong to one host, never to a role.
//
// # Partitions
//
// In a partition, groups stand side by side, or one after the other:
//
//	partition c1 n1 | c2 n2 n3   no message passes between two groups; a host in none of them reaches everybody
//	partition c1 c2 > n1 n2      none passes from a group to a later one; the other way they pass
//	partition isolate HOST       none passes between it and anybody; if it is several hosts, not between these either
//	partition split              a drawn minority of the nodes and half of the clients, drawn too, against the rest
//	partition ring               each client reaches a majority of nodes, not the one that the client before it does
//	partition bridge             two halves, and one node that reaches both
//
// A host that roles bring into two groups stays in the first. Where it is plain that one would, as in "nodes | n1", Check
// refuses the line.
//
// The shapes are those that Jepsen has for clusters whose nodes speak to each other. Here nodes may not: in Redlock all
// there is to cut is what lies between clients and nodes, and it is the clients who see a majority or don't. So that is
// where each shape cuts, and the nodes of a service that do speak to each other are parted in the same way:
//
//   - In a split, the greater half of the clients can win the lock, and the others cannot. Half is rounded down: of three
//     clients, one is on the side of the minority.
//   - In a ring, client i of n nodes reaches n/2+1 of them, from node i on and round. Every client can win, each by another
//     majority, and any two of these overlap, which is all that a quorum needs. Links between nodes stay whole.
//   - In a bridge, the nodes before the middle one make a half together with the clients of odd number (c1, c3 …), and those
//     after it with the others. Of an odd number of nodes, each half with the middle makes a majority: so the two sides
//     contend for that one node. Of an even number, only the first does.
//
// Split, ring and bridge leave storage within everybody's reach. That is what endangers it.
//
// # What the caller owes
//
// A Schedule is injected only after Check has found no fault with it, and with the [Cast] that Check saw. An [Injection]
// can be healed before its time, all at once, so that a run may end in quiet.
package faults
