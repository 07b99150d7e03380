package checker

import "cmp"

// A Property is a named question about a run. Take it from Properties, Sometimes or Lookup; its zero value asks
// nothing.
//
// A promise is a property that must always hold. Each is one file: its judge, and the text for its witness.
type Property struct {
	Name      string
	Asks      string // the question, as a plain sentence
	Sometimes bool   // it asks whether a thing ever happened, not whether a promise ever broke
	Conflict  string // what it is called when the promise breaks, in two or three words; empty for Sometimes
	Hint      string // what to change if it should have happened and did not; empty for nothing in particular
	Loses     bool   // the promise breaks only when what the lock protects is damaged
	Liveness  bool   // it asks whether a thing happens in time; explorations don't judge it

	find  func(*Judge) (Witness, bool) // the first break of the promise; or whether the thing happened, without a witness
	after bool                         // it is judged by what came after the run, so a cut leaves nothing open
	needs func(*Evidence) bool         // reports whether the evidence has what it takes to judge; nil for always
	wants string                       // what it takes to judge, for the message that something is missing

	sentence func(*Evidence, Witness) string   // what broke, with its figures, without a full stop; nil: when it broke
	summary  func(*Evidence, Witness) string   // who broke what, in a few words; nil: Conflict
	argument func(*Evidence, Witness) []string // the step that was defeated, and how, in sentences; nil: nothing
	story    func(*Story)                      // the events that led to it; nil: the faults alone
	kept     func(*Evidence) []string          // why it held, in sentences; nil: nothing
	vacuous  func(*Evidence) string            // why it could only hold, in a clause; "" where it could break; nil: always ""
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
