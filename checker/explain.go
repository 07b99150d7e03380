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

// Account returns what broke, and why: which step of the algorithm was defeated, and by what. It says only what the
// evidence shows: which lanes had which key when, for how long a client was still entitled, and why each key went. No fault
// is named for its time alone, unless nothing else is known.
func (e *Evidence) Account(f Finding) Account { return e.accountOf(f, e.argument(f)) }

// ShortAccount is Account with the last two sentences of the argument only, which name what was defeated.
func (e *Evidence) ShortAccount(f Finding) Account {
	argument := e.argument(f)
	return e.accountOf(f, argument[max(0, len(argument)-2):])
}

// accountOf returns what broke, followed by an argument. Where there is none, it names the last fault.
func (e *Evidence) accountOf(f Finding, argument []string) Account {
	if len(argument) > 0 {
		p, _ := Lookup(f.Property)
		return e.account(append([]string{p.broke(e, f.Witness) + "."}, argument...))
	}
	a := Account{Text: e.Explain(f)}
	if p, _ := Lookup(f.Property); f.Verdict == Violated && !p.Sometimes && f.Witness.Strike >= 0 {
		a.Strikes = []int{f.Witness.Strike}
	}
	return a
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

// argument returns why a promise broke, in sentences to follow that of what broke. It is empty for what is not Violated and
// for what never happened.
func (e *Evidence) argument(f Finding) []string {
	p, _ := Lookup(f.Property)
	if f.Verdict != Violated || p.argument == nil {
		return nil
	}
	return p.argument(e, f.Witness)
}
