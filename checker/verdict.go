package checker

import "github.com/lockstorm/lockstorm/clock"

// A Verdict is the answer to a Property. The order is that of severity, so the worst of many is their maximum.
type Verdict uint8

// The verdicts.
const (
	Holds Verdict = iota
	Unknown
	Violated
)

// verdicts are the words for each Verdict.
var verdicts = [...]string{Holds: "holds", Unknown: "unknown", Violated: "violated"}

// String gives the verdict in one word: holds, unknown or violated.
func (v Verdict) String() string { return word(verdicts[:], uint8(v), "verdict") }

// A Finding is what the judge of one Property found.
type Finding struct {
	Property string
	Verdict  Verdict
	Witness  Witness // set when Verdict is Violated
}

// A Witness points at what broke a property, by index into the Evidence, so that nothing is put into words before
// somebody asks. Evidence.Explain says it in a sentence.
type Witness struct {
	Kind          Conflict
	First, Second int           // indices of the two things in conflict, in true order; what they index follows from Kind
	From, To      clock.Instant // the interval of true time in which it is plain that the promise broke
	Strike        int           // index of the fault that opened the interval; -1 when no fault had struck
}

// A Conflict says which promise broke, and so what a Witness points at.
type Conflict uint8

// The conflicts. A Witness of None points at nothing: it belongs to a verdict other than Violated, or to a thing that
// should have happened at least once and never did.
const (
	None        Conflict = iota
	TwoHolders           // First and Second index Holds: both clients went on as holders
	TwoWindows           // First and Second index Holds: both computed validity windows were open
	QuorumShort          // First indexes Holds; Second the entry of Keys with its token that was last to end before, or -1
	UpdateLost           // First and Second index Writes: in the plain register, Second overwrote First unseen
	FencedLost           // First and Second index Writes: the same in the fenced register
	TokenBehind          // First and Second index Holds: Second asked after First had acquired, and got no larger token
	KeyLeaked            // First indexes Keys; Second the entry of Tries that answers for it, or -1 if there is none
	Resurrected          // First and Second index Holds: Second was acquired before an extension of First succeeded
	Deadlocked           // First and Second are -1: the probe had to wait too long
	Starved              // First indexes History, where the call that waited too long was invoked; Second is -1
)

// conflicts are the words for each Conflict.
var conflicts = [...]string{
	None: "none", TwoHolders: "two holders", TwoWindows: "two windows", QuorumShort: "quorum short",
	UpdateLost: "update lost", FencedLost: "fenced update lost", TokenBehind: "token behind", KeyLeaked: "key leaked",
	Resurrected: "resurrected", Deadlocked: "deadlocked", Starved: "starved",
}

// String gives the conflict in words, such as "two holders".
func (c Conflict) String() string { return word(conflicts[:], uint8(c), "conflict") }
