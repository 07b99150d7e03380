package checker

import (
	"time"

	"github.com/lockstorm/lockstorm/clock"
)

// Evidence is what one run left for the judges, in true time. A simulator knows all of it. A history from elsewhere
// lacks it, and is judged by models instead.
type Evidence struct {
	Clients  int           // clients in the run; an Op's process is its client's number, plus a multiple of this
	Lanes    []string      // names of the nodes that vote, or of the service that grants the lock: "the database"
	History  History       // what clients and storage saw
	Tries    []Try         // every attempt to acquire, in the order they began
	Holds    []Hold        // every attempt that won, in the order their acquires returned
	Keys     []Span        // the life of every lock key on every lane, in no particular order
	Renewals []Renewal     // every extension of a hold, in the order they were asked for
	Outages  []Outage      // every time in which a client and a lane were out of touch, in no particular order
	Bound    time.Duration // how long a call may wait under the conditions of fault-tolerant; 0: not judged
	Probe    Probe         // the acquire of a fresh client after the run, when every fault was healed
	Guard    Guard         // how the fenced register recognizes a stale write
	Ticks    int           // how many ticks there are, each with a job for one client; 0 for a workload without any
	Writes   []Update      // every write that reached storage, in the order storage handled them
	Strikes  []Strike      // every fault that really hit, in order
	Planned  int           // how many faults the schedule holds
	Stated   int           // how many of these, the first, are stated where others are random; 0 for all
	End      clock.Instant
	Cut      string // why the run was cut short; empty when it ran to its end
}

// A Try is one attempt to acquire the lock, won or lost.
type Try struct {
	Client   int
	Token    string        // the random value that its keys carry
	Votes    int           // nodes that granted it
	Outcome  Outcome       // how it ended
	From, To clock.Instant // from its start until it won, or was given up and cleaned up; Pending: crash, or Forever
	Left     clock.Instant // its owner was done: release or clean-up returned, or its client crashed; Forever if never
	Clean    bool          // its node acknowledged each message of that last act, which was no crash
}

// An Outcome is how a Try ended.
type Outcome uint8

// The outcomes of a Try. TooLate is the third step of Redlock at work: enough votes, but no validity left.
const (
	Pending  Outcome = iota // the run, or its client, ended first
	Won                     // the lock was acquired
	NoQuorum                // too few nodes granted it
	TooLate                 // enough nodes granted it, but its validity had passed
	NoFence                 // the lock was won, but without a fencing token
)

// outcomes are the words for each Outcome.
var outcomes = [...]string{
	Pending: "pending", Won: "won", NoQuorum: "no quorum", TooLate: "too late", NoFence: "no fence",
}

// String returns the outcome in words, such as "no quorum".
func (o Outcome) String() string { return word(outcomes[:], uint8(o), "outcome") }

// A Hold is one successful acquire and what became of it.
type Hold struct {
	Client  int
	Try     int // index of the Try that won it; -1 if it is not known
	Token   string
	Shared  bool          // others may hold the lock meanwhile, if they share it too; else no other may
	Fence   uint64        // its fencing token; 0 where the run draws none
	Asked   clock.Instant // when the fencing token was asked for, or granted with the lock; before From
	From    clock.Instant // the acquire returned
	Gone    clock.Instant // belief ends: the client called release, gave up, or crashed; Forever if the run ended first
	Crashed bool          // it ended because the client crashed
	Valid   clock.Instant // validity ends: the lock's clock reaches the deadline, or release was called earlier
	Slow    time.Duration // how much less than true time that clock counted from the start of the Try until then
	Slowed  int           // index of the fault that changed that clock last; -1 for none
}

// Late reports whether no validity was left when the acquire returned. A release in that instant ends the validity too.
func (h Hold) Late() bool { return h.Valid < h.From || h.Valid == h.From && h.Gone > h.From }

// A Renewal is one extension of a hold.
type Renewal struct {
	Hold  int           // index of the Hold
	Asked clock.Instant // it was called
	At    clock.Instant // it returned; Forever if never
	OK    bool          // it succeeded: from At on the hold is valid until Valid
	Valid clock.Instant // where this validity ends, placed as Hold.Valid is

	Deadline clock.Instant // the deadline that it set, even where the hold ended before; 0 for none, or not known
}

// An Outage is an interval in which a client and a lane were out of touch: one of them did not run, or a fault affected
// the link between them. At all other times they were in touch. Outages may overlap.
type Outage struct {
	Client, Lane int
	From, To     clock.Instant // To is Forever for one that did not heal
}

// A Probe is the acquire of a fresh client after the run, when every fault has healed. It shows whether the lock can
// still be acquired.
type Probe struct {
	Asked clock.Instant // when it began
	Won   clock.Instant // when it had the lock; Forever if never
	Bound time.Duration // how long it may take; 0 where no probe was made
}

// A Span is the life of one lock key with one token on one lane.
type Span struct {
	Lane     int // an index into Lanes
	Token    string
	From, To clock.Instant // To is Forever for a key that never ends; for one alive at End, when it would, or End
	Endless  bool          // the key had no TTL when the span ended
	Shared   bool          // it is one of several that share the lock on the lane
	Ended    Ending        // why it ended, as its lane recorded it
}

// An Ending is why a key went. Its zero value is for a key that lives, or whose end is not on record.
type Ending struct {
	Cause  Cause
	Client int           // Deleted, Overwritten, Failed: the client whose command did it; -1 if not known
	Strike int           // for one that a fault may be behind: the last that hit its lane so; -1 for none
	Gained time.Duration // Expired, Stepped: how much its clock had gained on true time since the deadline was set
}

// A Cause is what ended a key.
type Cause uint8

// The causes.
const (
	Unrecorded  Cause = iota
	Expired           // its deadline passed, on its lane's clock
	Stepped           // its lane's clock jumped over its deadline
	Deleted           // a command removed it
	Overwritten       // a command set another key in its place
	Failed            // a command failed, and that ended the session that the key belonged to
	Lost              // its lane went off, or had disks that forget, and came back without it
	Copied            // a replica did what its master had done
	Superseded        // another server became master, which did not have it
	Evicted           // its lane needed room
)

// An Update is one write that reached storage, and what it did to each register.
type Update struct {
	Client int
	Op     int           // the index of its invoke in the history
	Fence  uint64        // the fencing token it carried
	Tick   int           // the tick whose job it is, from 1; 0 for none
	Asked  bool          // its client had asked before if the fenced register would take it, which did not look again
	At     clock.Instant // when storage handled it
	Plain  Change        // in the register that applies every write
	Fenced Change        // in the register that rejects stale fencing tokens
}

// A Guard is how the fenced register recognizes a stale write.
type Guard uint8

// The guards.
const (
	ByOrder    Guard = iota // its fencing token is lower than one that the register has seen
	ByEquality              // its random token is not the one that the last read brought
	ByVersion               // it is not based on the current version
)

// A Change is what an Update did to one register. Versions count a register's changes from 1; version 0 is its first
// state.
type Change struct {
	Base uint64 // the version that its client had read
	Made uint64 // the version that it made; 0 when it was rejected
}

// A Strike is a fault that hit, and the interval it lasted.
type Strike struct {
	Index    int      // the place of its fault in the schedule, from 0; one fault may hit more than once
	Kind     string   // of fault, such as "pause"
	Fault    string   // in the words of the schedule, such as "pause c1"
	Hosts    []string // the hosts it hit, by name; both ends of a link
	Idle     bool     // it changed nothing: it met no message, lost none, or its target was gone
	Slight   bool     // it hit its target without effect: a short pause, or a clock that was hardly wrong
	From, To clock.Instant
	Step     time.Duration // by how much a wall clock is stepped at From, and back at To; 0 of other faults
	Strobe   bool          // it repeats such steps, to and fro
}
