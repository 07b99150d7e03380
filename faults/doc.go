// Package faults holds what goes wrong in a run, as data.
//
// A [Fault] goes wrong for an interval and heals itself. So any part of a [Schedule] is a Schedule, and a shrinker may
// drop any line. Faults of one kind add up where they overlap: a host that two faults pause continues when both have
// ended.
//
// # The text
//
// A fault is one line. It hits at an instant of true time, or when a client passes a mark, such as the moment when it
// has acquired the lock:
//
//	at INSTANT [for TIME [on HOST]] FAULT
//	when HOST MARK [2nd] [+TIME] FAULT [for TIME [on HOST]]
//
// In both forms, "for TIME" may come before the FAULT or after it. It is true time, unless "on HOST" says that the wall
// clock of a host counts it: "for 11s on n3" ends when that clock shows eleven seconds more, so immediately if it jumps
// that far. A fault without a time lasts for the rest of the run. In place of a mark's HOST, "any" means any client,
// and the marks of all clients are counted together. The FAULT is one of [Kinds].
//
// For example
//
//	at 1.2s for 300ms pause c2
//	at 2s for 4s partition c1 n1 n2 | n3 n4 n5
//	when c1 acquired restart n3 for 11s on n3
//	when c1 before-write 2nd +10ms hold c1>s for 15s
//	when any acquired pause holder for 15s
//
// [Parse] reads that text, and Parse(s.String()) returns s again. Empty lines, and what follows a #, are ignored.
//
// # Roles
//
// A role may replace a host that a fault affects. It is resolved to hosts when the fault hits, and a [Strike] names
// them. If there are several, the fault hits each of them, and each link from one side to the other.
//
//	holder              the client that holds the lock then; if none does, the fault hits nothing
//	a-node, a-client    one of them at random; each use of the word draws again
//	minority            a random minority of the nodes, as large as possible: two of five, one of four
//	majority            a random majority, as small as possible; with a minority in one fault, the rest of the nodes
//	nodes, clients      all of them
//	all                 all hosts, storage too
//
// One fault divides the nodes once. So "partition minority | majority" leaves no node out and names none twice. Each
// line has its own random stream, seeded from its text and its number among equal lines. So no line changes what
// another draws, and two equal lines draw separately.
//
// The host of a mark, and the one after "on", is a single host and never a role.
//
// # Partitions
//
// A partition cuts groups from each other, or each group from later ones:
//
//	partition c1 n1 | c2 n2 n3   no message passes between two groups; a host in no group reaches everybody
//	partition c1 c2 > n1 n2      no message passes from a group to a later one; in the other direction they pass
//	partition isolate HOST       no message passes between it and any other host; of several hosts, none reaches another
//	partition split              a random minority of the nodes and a random half of the clients, against the rest
//	partition ring               each client reaches a majority of the nodes, another one than the client before it
//	partition bridge             two halves, and one node that reaches both
//
// A host that roles bring into two groups stays in the first. A line in which that is certain, such as "nodes | n1", is
// rejected.
//
// Split, ring and bridge are shapes that Jepsen has for clusters whose nodes speak to each other. The nodes of Redlock
// do not: there are only links between clients and nodes to cut, and a client has a majority or not. So each shape cuts
// there. It divides the nodes of a service, which do speak to each other, in the same way:
//
//   - In a split, the greater half of the clients can win the lock, and the others cannot. Half is rounded down: of three
//     clients, one is on the side of the minority.
//   - In a ring, client i of n nodes reaches n/2+1 of them, from node i on and round. Every client can win, each by another
//     majority, and any two of these overlap, which is enough for a quorum. Links between nodes stay whole.
//   - In a bridge, the nodes before the middle one are a half together with the odd clients (c1, c3 …), and those after it
//     with the even ones. Of an odd number of nodes, each half has a majority only with the middle one: so the two sides
//     compete for that node. Of an even number, only the first half can have a majority.
//
// After split, ring and bridge every client still reaches storage: so two clients that both hold the lock can both write.
//
// # Rules for callers
//
// Inject a Schedule only after Check has accepted it, with the [Cast] that Check saw. An [Injection] can be healed
// early, so that a run ends in quiet.
package faults
