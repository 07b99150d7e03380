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

// unknown returns why a property was not judged.
func (e *Evidence) unknown(p *Property) string {
	if err := e.Check(); err != nil {
		return "This was not judged, because the evidence is not sound. " + strings.ReplaceAll(err.Error(), "\n", ". ") + "."
	}
	if lacks := p.lacks(e); lacks != "" {
		return "This was not judged: " + lacks + "."
	}
	return "The run was cut short before this could be known: " + e.Cut + "."
}

// Account returns Explain and Argument in one. A fault that the argument names is not named before it.
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

// cause names the last fault that struck before the interval. More can't be known.
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

// Argument returns why a promise broke: which step of the algorithm was defeated, and by what. It continues Explain, and
// says only what the evidence shows: which lanes had which key when, for how long a client was still entitled, and which
// fault had struck in between. It is empty for what is not Violated and for what never happened.
func (e *Evidence) Argument(f Finding) string {
	p, _ := Lookup(f.Property)
	if f.Verdict != Violated || p.argument == nil {
		return ""
	}
	return strings.Join(p.argument(e, f.Witness), " ")
}
