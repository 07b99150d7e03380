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

// String returns the verdict in one word: holds, unknown or violated.
func (v Verdict) String() string { return word(verdicts[:], uint8(v), "verdict") }

// A Finding is what the judge of one Property found.
type Finding struct {
	Property string
	Verdict  Verdict
	Witness  Witness // set when Verdict is Violated
}

// Loses reports whether what the lock protects was damaged: an update was lost.
func (f *Finding) Loses() bool {
	p, _ := Lookup(f.Property)
	return f.Verdict == Violated && p.Loses
}

// A Witness names what broke a property by indices into the Evidence. Evidence.Explain puts it into a sentence, so that
// judging itself makes no text.
type Witness struct {
	First, Second int           // indices of the two things in conflict, in true order; the comment of each judge says what they index
	From, To      clock.Instant // the interval of true time in which the promise broke
	Strike        int           // index of the fault that opened the interval; -1 when no fault had struck
}
