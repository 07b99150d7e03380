// Package faults holds what goes wrong in a run, as data.
//
// A [Fault] goes wrong for an interval and heals itself. So any part of a [Schedule] is a Schedule, and a shrinker may
// drop any line. Faults of one kind add up where they overlap: a host that two faults pause continues when both have
// ended.
//
// # The text
//
// A fault is one line. It starts at an instant of true time, or when a client passes a mark, such as
// the moment when it has acquired the lock:
//
//	at INSTANT [for TIME [on HOST]] FAULT
//	when HOST MARK [2nd] [+TIME] FAULT [for TIME [on HOST]]
//
// In both forms, "for TIME" may come before or after the FAULT. It is true time, unless "on HOST"
// names the host whose wall clock counts it: "for 11s on n3" ends when that clock shows eleven
// seconds more, so immediately if it jumps that far. A fault without a time lasts until the run ends.
// "any" in place of a mark's HOST means any client; the marks of all clients are then counted
// together. The FAULT is one of [Kinds].
//
// For example
//
//	at 1.2s for 300ms pause c2
//	at 2s for 4s partition c1 n1 n2 | n3 n4 n5
//	when c1 acquired restart n3 for 11s on n3
//	when c1 before-write 2nd +10ms hold c1>s for 15s
//	when any acquired pause holder for 15s
//
// Empty lines, and text after a #, are ignored.
// [Parse] reads that text, and Parse(s.String()) returns s again.
//
// # Roles
//
// A role may replace a host that a fault hits. When the fault hits, the role becomes hosts, and
// [Injection] reports them. If there are several, the fault hits each of them, and each link from
// one side to the other.
//
//	holder              the client that holds the lock then; if none does, the fault hits nothing
//	a-node, a-client    one of them at random; each use of the word draws again
//	minority            a random minority of the nodes, as large as possible: 2 of 5, 1 of 4
//	majority            a random majority, as small as possible; next to a minority, the other nodes
//	nodes, clients      all of them
//	all                 all hosts, storage too
//
// One fault divides the nodes once. So "partition minority | majority" leaves no node out and names
// none twice. Each line has a separate random stream, seeded from its text and its number among equal
// lines. So no line changes what another draws, and two equal lines draw separately.
//
// The host of a mark, and the host after "on", is a single host and never a role.
//
// # Partitions
//
// A partition stops messages between groups, or from each group to later ones:
//
//	partition c1 n1 | c2 n2 n3   none passes between two groups; a host in no group reaches all
//	partition c1 c2 > n1 n2      none passes from a group to a later one; the other way they pass
//	partition isolate HOST       none passes between it and any other host, isolated or not
//	partition split              a random minority of nodes and half of the clients against the rest
//	partition ring               each client reaches a majority, and the next client another one
//	partition bridge             two halves, and one node that reaches both
//
// A host that roles put into two groups stays in the first. A line in which that is certain, such as
// "nodes | n1", is rejected.
//
// Split, ring and bridge are Jepsen's shapes for clusters whose nodes talk to each other. Redlock's
// nodes don't: there are only links between clients and nodes to cut, and a client reaches a majority
// or not. So each shape cuts those links. It divides the nodes of a service, which do talk to each
// other, in the same way:
//
//   - In a split, the greater half of the clients can win the lock, and the others can't. Half is
//     rounded down: of three clients, one is on the side of the minority.
//   - In a ring, client i of n nodes reaches n/2+1 of them, starting with node i. Every client can
//     win, each by another majority. Any two of these overlap, which is enough for a quorum. Links
//     between nodes stay whole.
//   - In a bridge, the nodes before the middle one form a half with the odd clients (c1, c3 …), and
//     the nodes after it form a half with the even ones. If the number of nodes is odd, each half
//     needs the middle node for a majority, so the two sides compete for it. If it is even, only the
//     first half can have a majority.
//
// After split, ring and bridge every client still reaches storage. So two clients that both hold the
// lock can both write.
//
// # Rules for callers
//
// Inject a Schedule only after Check has accepted it, with the [Cast] that Check saw. An [Injection] can be healed
// early, so that a run ends in quiet.
package faults
