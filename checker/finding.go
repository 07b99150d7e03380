package checker

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/lockstorm/lockstorm/clock"
)

// SchemaVersion is the version of the JSON of results. It rises when a field changes its meaning or goes away.
const SchemaVersion = 1

// A Verdict is the answer to a Property. The order is by severity, so the worst of many is their maximum.
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

// MarshalText returns the verdict in one word, as JSON has it.
func (v Verdict) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// UnmarshalText sets the verdict to the one that a word names.
func (v *Verdict) UnmarshalText(text []byte) error {
	i := slices.Index(verdicts[:], string(text))
	if i < 0 {
		return fmt.Errorf("there is no verdict %q: it is holds, unknown or violated", text)
	}
	*v = Verdict(i)
	return nil
}

// A Finding is what the judge of one Property found.
type Finding struct {
	Property string
	Verdict  Verdict
	Witness  Witness // set when Verdict is Violated
}

// Vacuous returns why a promise could only hold in this run, so that the run proves nothing of it, as a clause; ""
// where it could have broken.
func (e *Evidence) Vacuous(f Finding) string {
	if p, _ := Lookup(f.Property); f.Verdict == Holds && p.vacuous != nil {
		return p.vacuous(e)
	}
	return ""
}

// Untested is the word for a promise that could only hold in a run. It takes the place of the verdict.
const Untested = "not tested"

// Word returns the verdict of a finding in one word, or Untested.
func (e *Evidence) Word(f Finding) string {
	if e.Vacuous(f) != "" {
		return Untested
	}
	return f.Verdict.String()
}

// A Witness names what broke a property by indices into the Evidence. Evidence.Explain describes it, so that judging
// itself makes no text.
type Witness struct {
	First, Second int           // indices of the two things in conflict, in true order; each judge says what they index
	From, To      clock.Instant // the interval of true time in which the promise broke
	Strike        int           // index of the fault that opened the interval; -1 when no fault had hit
}

// interval begins a sentence with the interval of a witness: From 10.204 s to 15.012 s. If both ends would look the same,
// it writes them to the nanosecond.
func interval(w Witness) string {
	if w.To != clock.Forever && w.From != w.To && seconds(w.From) == seconds(w.To) {
		return "From " + decimal(w.From, time.Second, 9) + " s to " + decimal(w.To, time.Second, 9) + " s"
	}
	return "From " + seconds(w.From) + to(w.To)
}

// A Figure is a number about a run that is no verdict. It is exact, and counts only what was seen.
type Figure struct {
	Name  string
	Doc   string // what it counts or measures, as a plain sentence
	Unit  Unit
	Known bool  // false where the run has no such number, such as a wait where no client acquired
	Value int64 // 0 where it is not known
}

// A Unit says what a Figure's value counts.
type Unit uint8

// The units of a Figure.
const (
	Count  Unit = iota // a plain number
	Nanos              // a duration in nanoseconds of true time
	Moment             // an instant, in nanoseconds of true time since the run began
)

// units are the words for each Unit.
var units = [...]string{Count: "count", Nanos: "nanoseconds", Moment: "instant"}

// String returns the unit in one word: count, nanoseconds or instant.
func (u Unit) String() string { return word(units[:], uint8(u), "unit") }

// String returns the value as a sentence would: 12, 0.25 s, or "-" where it is not known.
func (f Figure) String() string {
	switch {
	case !f.Known:
		return "-"
	case f.Unit == Count:
		return strconv.FormatInt(f.Value, 10)
	}
	return seconds(clock.Instant(f.Value))
}

// A Property is a named question about a run. Take it from Properties, Sometimes or Lookup; its zero value asks
// nothing.
//
// A promise is a property that must always hold. Each is one file: its judge, and the text for its witness.
type Property struct {
	Name      string
	Plain     string // its name for people; of Sometimes, what happened, as a clause
	Asks      string // the question, as a plain sentence; empty for Sometimes
	Broken    string // the sentence that says that the promise broke; empty for Sometimes
	Fixed     string // the sentence that says that it holds; empty for Sometimes
	Sometimes bool   // it asks whether a thing ever happened, not whether a promise ever broke
	Conflict  string // what it is called when the promise breaks, in two or three words; empty for Sometimes
	Hint      string // what to change if it should have happened and did not; empty for nothing in particular
	Loses     bool   // the promise breaks only when what the lock protects is damaged
	Ticks     bool   // it is about ticks: a run without any has no finding on it; the last of Properties
	Liveness  bool   // it asks whether a thing happens in time; explorations don't judge it

	find  func(*Judge) (Witness, bool) // the first break of the promise; or whether the thing happened
	after bool                         // it is judged by what came after the run, so a cut leaves nothing open
	needs func(*Evidence) bool         // reports whether the evidence has what it takes to judge; nil for always
	wants string                       // what it takes to judge, for the message that something is missing

	sentence func(*Evidence, Witness) string   // what broke, with its figures, without a full stop; nil: when it broke
	summary  func(*Evidence, Witness) string   // who broke what, in a few words; nil: Conflict
	argument func(*Evidence, Witness) []string // the rule that failed, and how, in sentences; nil: nothing
	story    func(*Story)                      // the events that led to it; nil: the faults alone
	kept     func(*Evidence) []string          // why it held, in sentences; nil: nothing
	vacuous  func(*Evidence) string            // why it could only hold, in a clause; "" or nil: it could break
}

// lacks returns what is missing to judge the property by, or "".
func (p *Property) lacks(e *Evidence) string {
	if p.needs == nil || p.needs(e) {
		return ""
	}
	return p.wants
}

// broke returns what broke, without a full stop.
func (p *Property) broke(e *Evidence, w Witness) string {
	if p.sentence == nil {
		return interval(w) + " " + cmp.Or(p.Name, "a property") + " was violated"
	}
	return p.sentence(e, w)
}
