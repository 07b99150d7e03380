package checker

import (
	"slices"
	"strconv"
	"strings"

	"github.com/lockstorm/lockstorm/clock"
)

// Explain describes a finding of this evidence in one plain sentence. For a property that holds it is empty.
func (e *Evidence) Explain(f Finding) string {
	p := f.property()
	switch {
	case f.Verdict == Holds:
		return ""
	case f.Verdict == Unknown:
		return e.unknown(&p)
	case p.Sometimes:
		return strings.TrimSpace("It never happened that " + p.Plain + " (" + p.Name + "). " + p.Hint)
	}
	return p.broke(e, f.Witness) + e.behind(f) + "."
}

func (e *Evidence) unknown(p *Property) string {
	if err := e.Check(); err != nil {
		return "This was not judged, because the evidence is not sound. " +
			strings.ReplaceAll(err.Error(), "\n", ". ") + "."
	}
	if lacks := p.lacks(e); lacks != "" {
		return "This was not judged: " + lacks + "."
	}
	return "The run was cut short before this could be known: " + e.Cut + "."
}

// Account returns what broke, and why: which rule of the algorithm failed, and why. It says only what the
// evidence shows: which lanes had which key when, for how long a client was still entitled, and why each key went. It
// names no fault for its time alone, unless nothing else is known.
func (e *Evidence) Account(f Finding) Account { return e.accountOf(f, e.argument(f)) }

// ShortAccount is Account with only the last two sentences of the argument, which name what failed.
func (e *Evidence) ShortAccount(f Finding) Account {
	argument := e.argument(f)
	return e.accountOf(f, argument[max(0, len(argument)-2):])
}

// accountOf returns what broke, followed by an argument. Where there is none, it names the last fault.
func (e *Evidence) accountOf(f Finding, argument []string) Account {
	p := f.property()
	if len(argument) > 0 {
		return e.account(append([]string{p.broke(e, f.Witness) + "."}, argument...))
	}
	a := Account{Text: e.Explain(f)}
	if f.Verdict == Violated && !p.Sometimes && f.Witness.Strike >= 0 {
		a.Strikes = []int{f.Witness.Strike}
	}
	return a
}

// behind names the faults behind a violation, as its account does. Where there is no argument, only the fault that hit
// last is known.
func (e *Evidence) behind(f Finding) string {
	argument := e.argument(f)
	switch named := e.named(e.account(argument).Strikes); {
	case named != "":
		return named
	case f.Witness.Strike < 0:
		return "; no fault had hit before"
	case len(argument) > 0:
		return ""
	}
	return "; the last fault to hit before was " + e.strikeAt(f.Witness.Strike)
}

// named names faults at the end of a sentence.
func (e *Evidence) named(strikes []int) string {
	if len(strikes) == 0 {
		return ""
	}
	var names []string
	for _, s := range strikes {
		names = append(names, e.strikeAt(s))
	}
	last := len(names) - 1
	if last == 0 {
		return "; the fault behind it is " + names[0]
	}
	return "; the faults behind it are " + strings.Join(names[:last], ", ") + " and " + names[last]
}

func (e *Evidence) strikeAt(i int) string {
	return strconv.Quote(e.Strikes[i].Fault) + " at " + seconds(e.Strikes[i].From)
}

// argument returns why a promise broke, in sentences to follow the one that says what broke. It is empty for any
// verdict but Violated and for what never happened.
func (e *Evidence) argument(f Finding) []string {
	p := f.property()
	if f.Verdict != Violated || p.argument == nil {
		return nil
	}
	return p.argument(e, f.Witness)
}

// Summary returns in a few words who broke what. It is empty for any verdict but Violated and for what never happened.
func (e *Evidence) Summary(f Finding) string {
	p := f.property()
	switch {
	case f.Verdict != Violated:
		return ""
	case p.summary == nil:
		return p.Conflict
	}
	return p.summary(e, f.Witness)
}

// Kept returns, in sentences, why a promise of mutual exclusion held in this run, as far as the evidence shows it. It
// is for a run in which the promise was expected to break. For other promises it is empty.
func (e *Evidence) Kept(property string) []string {
	p, _ := Lookup(property)
	if p.kept == nil || e.Check() != nil {
		return nil
	}
	return p.kept(e)
}

// Story returns what led to a violation. For any other finding it has no events.
func (e *Evidence) Story(f Finding) Story {
	p := f.property()
	s := Story{e: e, w: f.Witness}
	if f.Verdict != Violated {
		return s
	}
	if p.story != nil {
		p.story(&s)
	}
	s.strikes(s.w.To)
	return s.inOrder()
}

// Handover returns the story of a run that broke nothing: the first attempt that ended TooLate, if there is one, and
// the first two holds of different clients. For evidence that does not pass Check it has no events.
func (e *Evidence) Handover() Story {
	s := Story{e: e}
	if e.Check() != nil {
		return s
	}
	var until clock.Instant
	if i := slices.IndexFunc(e.Tries, func(t Try) bool { return t.Outcome == TooLate }); i >= 0 {
		t := &e.Tries[i]
		s.try(i)
		s.tell(t.To, tooLate, client(t.Client))
		until = t.To
	}
	first := -1
	for i, h := range e.Holds {
		if first < 0 || h.Client != first {
			s.hold(i)
			until = max(until, min(h.Gone, e.End))
			if first >= 0 {
				break
			}
			first = h.Client
		}
	}
	s.strikes(until)
	return s.inOrder()
}
