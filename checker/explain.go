package checker

import (
	"cmp"
	"strconv"
	"strings"
)

// Explain puts a finding of this evidence into one plain sentence. For a property that holds it is empty.
func (e *Evidence) Explain(f Finding) string {
	p, _ := Lookup(f.Property)
	switch {
	case f.Verdict == Holds:
		return ""
	case f.Verdict == Unknown:
		return e.unknown(&p)
	case p.Sometimes:
		return strings.TrimSpace("This never happened in the run: " + p.Name + ". " + p.Asks + " " + p.Hint)
	}
	return p.broke(e, f.Witness) + "; " + e.cause(f.Witness) + "."
}

// unknown says why a property was not judged.
func (e *Evidence) unknown(p *Property) string {
	if err := e.Check(); err != nil {
		return "This was not judged, for the evidence is not sound. " + strings.ReplaceAll(err.Error(), "\n", ". ") + "."
	}
	if lacks := p.lacks(e); lacks != "" {
		return "This was not judged: " + lacks + "."
	}
	return "The run was cut short before this could be known: " + e.Cut + "."
}

// Account is Explain and Argument in one. A fault that the argument names is not named before it.
func (e *Evidence) Account(f Finding) string {
	p, _ := Lookup(f.Property)
	argument, first := e.Argument(f), e.Explain(f)
	if w := f.Witness; f.Verdict == Violated && !p.Sometimes && w.Strike >= 0 && strings.Contains(argument, strconv.Quote(e.Strikes[w.Strike].Fault)) {
		first = p.broke(e, w) + "."
	}
	return strings.TrimSpace(first + " " + argument)
}

// broke returns what broke, without a full stop.
func (p *Property) broke(e *Evidence, w Witness) string {
	if p.sentence == nil {
		return interval(w) + " " + cmp.Or(p.Name, "a property") + " was violated"
	}
	return p.sentence(e, w)
}

// cause names the fault that opened the interval. It was the last to strike before, which is as much as can be said.
func (e *Evidence) cause(w Witness) string {
	if w.Strike < 0 {
		return "no fault had struck before"
	}
	s := e.Strikes[w.Strike]
	return "the last fault to strike before was " + strconv.Quote(s.Fault) + " at " + seconds(s.From)
}

// Summary returns in a few words who broke what. It is empty for what is not Violated and for what never happened.
func (e *Evidence) Summary(f Finding) string {
	p, _ := Lookup(f.Property)
	switch {
	case f.Verdict != Violated:
		return ""
	case p.summary == nil:
		return p.Conflict
	}
	return p.summary(e, f.Witness)
}

// Argument says how it could come to a finding: which step of the algorithm was defeated, and by what. It goes on where
// Explain ends, and is built from the evidence alone: what nodes had which key when, who was still entitled for how long,
// and which fault had struck between. What the evidence does not show is not said. It is empty for what is not Violated
// and for what never happened.
func (e *Evidence) Argument(f Finding) string {
	p, _ := Lookup(f.Property)
	if f.Verdict != Violated || p.argument == nil {
		return ""
	}
	return strings.Join(p.argument(e, f.Witness), " ")
}
