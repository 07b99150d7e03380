package scenarios

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/faults/size"
	"github.com/lockstorm/lockstorm/scenarios/internal/yamlform"
)

// Check returns everything that is wrong with the scenario; nil if nothing is.
func (s *Scenario) Check() error { return s.problems().joined() }

func (s *Scenario) problems() problems {
	w := s.valueProblems()
	s.checkLock(&w)
	s.checkFencing(&w)
	s.checkPlatform(&w)
	if isCount(s.Clients) && 0 <= s.Nodes && s.Nodes <= hostsMax { // else there is no list of hosts to check names against
		s.checkClocks(&w)
		s.checkFaults(&w)
		s.checkGuests(&w)
	}
	if len(w) == 0 { // else each mutant would repeat it
		s.checkSearch(&w)
		s.checkExplore(&w)
		s.checkMutants(&w)
		s.checkBounds(&w)
	}
	return w
}

// valueProblems returns what is wrong with single values. It is asked even if a part of the file could not be read.
func (s *Scenario) valueProblems() (w problems) {
	s.checkRanges(&w)
	s.checkTopology(&w)
	s.checkWork(&w)
	s.checkExpectations(&w)
	s.checkClaim(&w)
	return w
}

func (s *Scenario) checkExpectations(w *problems) {
	for _, p := range checker.Properties {
		n := 0
		for _, e := range s.Expect {
			if e.Property == p.Name {
				n++
			}
		}
		w.must(n < 2, "expect", "%s is there twice", p.Name)
		w.must(n == 0 || !p.Ticks || s.Work.Tick > 0, "expect."+p.Name,
			"no run has a finding on it, because work.tick is 0s; leave it out")
	}
	for i, e := range s.Expect {
		if isView(e.Property) {
			s.checkView(w, "expect."+e.Property, e.Property)
			w.must(!slices.ContainsFunc(s.Expect[:i], func(o Expectation) bool { return o.Property == e.Property }),
				"expect."+e.Property, "%s is there twice", e.Property)
		} else if !isPromise(e.Property) { // to look for similar names each time would cost as much as a run
			w.must(false, "expect."+e.Property, "%s", noPromise(e.Property))
		}
	}
	for i, name := range s.Sometimes {
		if isView(name) {
			s.checkView(w, yamlform.Item("sometimes", i), name)
		} else if p, known := checker.Lookup(name); !known || !p.Sometimes {
			w.must(false, yamlform.Item("sometimes", i), "%s", noHappening(name))
		}
	}
}

const struck = "fault-struck"

// sometimesProblem returns why a run in which nothing happened would pass; "" if it would not. A fault that waits for a
// mark proves that a client did something.
func (s *Scenario) sometimesProblem() string {
	breaks := slices.ContainsFunc(s.Expect, func(e Expectation) bool { return e.Verdict == checker.Violated })
	waits := slices.ContainsFunc(s.Faults, func(f faults.Fault) bool { return f.When.Host != "" })
	switch {
	case len(s.Sometimes) == 0:
		return "a run in which nothing happened would pass; name under sometimes what must happen, such as acquired"
	case len(s.Faults) > 0 && !slices.Contains(s.Sometimes, struck):
		return "there is a schedule, but a run in which no fault hits proves nothing; add fault-struck"
	case !breaks && !waits && !slices.ContainsFunc(s.Sometimes, func(name string) bool { return name != struck }):
		return "a run in which no client acquired the lock would pass; add what must happen, such as acquired"
	}
	return ""
}

func (s *Scenario) checkMutants(w *problems) {
	if w.tooMany("mutants", len(s.Mutants), mutantsMax) {
		return
	}
	for i, m := range s.Mutants {
		key := yamlform.Item("mutants", i)
		twice := slices.ContainsFunc(s.Mutants[:i], func(o Mutant) bool { return o.Name == m.Name })
		w.must(m.Name != "", key, "it has no name")
		w.must(!twice, key+".name", "there are two mutants named %s", m.Name)
		w.must(len(m.Set) > 0, key, "it changes no setting; add one under set")
		w.must(len(m.Breaks) > 0, key, "it names no promise to break; list them under breaks")
		w.must(m.Within >= 1, key+".within", "%d is not positive; give 1 or more", m.Within)
		for k, name := range m.Breaks {
			at := yamlform.Item(key+".breaks", k)
			w.must(isPromise(name), at, "%s", noPromise(name))
			w.must(!isPromise(name) || s.Expected(name) == checker.Holds, at,
				"%s already breaks without the mutant, so this shows nothing; name another promise", name)
		}
		if _, err := s.Mutate(m); err != nil {
			w.must(false, key+".set", "%s", oneLine(err))
		}
	}
}

// Mutate returns the scenario with the mutant's settings. It has no mutants and bounds, which belong to the reference.
func (s *Scenario) Mutate(m Mutant) (Scenario, error) {
	out := *s
	out.Mutants, out.Bounds = nil, nil
	settings := Settings(s)
	for _, a := range m.Set {
		if err := out.assign(settings, a); err != nil {
			return out, err
		}
	}
	return out, out.Check()
}

// checkBounds sets each bound's setting to both ends.
func (s *Scenario) checkBounds(w *problems) {
	if w.tooMany("bounds", len(s.Bounds), boundsMax) {
		return
	}
	for i, b := range s.Bounds {
		key := yamlform.Item("bounds", i)
		w.must(int(b.Formula) < len(laws), key+".formula", "%d is not one of %s", b.Formula,
			strings.Join(FormulaNames, ", "))
		w.must(isPromise(b.Property), key+".property", "%s", noPromise(b.Property))
		settings := Settings(s)
		k, known := lookupIn(settings, s, b.Setting)
		if !known {
			w.must(b.Setting != "", key+".setting", "it names no setting; give one such as lock.ttl")
			w.must(b.Setting == "", key+".setting", "%v", unknownSetting(s, b.Setting))
			continue
		}
		if _, number := k.Number(s); !number {
			w.must(false, key+".setting", "%s is not a number; name a setting that is one", b.Setting)
			continue
		}
		w.must(int(b.Formula) >= len(laws) || b.Formula.fits(k, s), key+".formula",
			"%s is a law for something else than %s, "+
				"which is a %s", yamlform.Name(FormulaNames, b.Formula), b.Setting, k.Form)
		s.checkEnd(w, key+".from", settings, Assignment{b.Setting, b.From})
		s.checkEnd(w, key+".to", settings, Assignment{b.Setting, b.To})
		w.must(b.From != b.To, key+".to", "%s is also the other end; give two values", b.To)
	}
}

func (s *Scenario) checkEnd(w *problems, key string, settings []Setting, a Assignment) {
	out := *s
	out.Mutants, out.Bounds = nil, nil
	err := out.assign(settings, a)
	if err == nil {
		err = out.Check()
	}
	if err != nil {
		w.must(false, key, "%s", oneLine(err))
	}
}

// checkSearch rejects unknown words, and values that a setting does not take.
func (s *Scenario) checkSearch(w *problems) {
	if _, err := faults.KindsOf(s.Search.Faults); err != nil {
		w.must(false, "search.faults", "%v", err)
	}
	x := &s.Search
	w.must(0 <= x.Most && x.Most <= faultsMost, "search.most", "%d is not a number of faults; give 0 to %d", x.Most,
		faultsMost)
	w.must(0 <= x.Within && x.Within <= s.Horizon, "search.within", "%s is not within the horizon of %s", x.Within,
		s.Horizon)
	w.must(0 <= x.Away && x.Away <= s.Horizon, "search.away", "%s is not within the horizon of %s", x.Away, s.Horizon)
	w.must(x.Most > 0 || len(x.Faults) == 0, "search.most",
		"it is 0, so no fault of search.faults would ever hit; give 1 or more")
	for i, who := range s.Search.Spare {
		known := who == faults.Nodes || who == faults.Clients
		w.must(known, yamlform.Item("search.spare", i), "%q can't be spared; give nodes or clients", who)
	}
	s.checkDraw(w)
	for i := range s.Search.Vary {
		if _, err := s.Search.Vary[i].prepare(s); err != nil {
			w.must(false, yamlform.Item("search.vary", i), "%v", err)
		}
	}
}

// checkDraw rejects lines that can't be read, and lines that no hosts of this scenario can suffer with any amounts.
func (s *Scenario) checkDraw(w *problems) {
	if w.tooMany("search.draw", len(s.Search.Draw), faultsMost) {
		return
	}
	for i, text := range s.Search.Draw {
		key := yamlform.Item("search.draw", i)
		l, err := size.ParseLine(text)
		var wrong *faults.SyntaxError
		if errors.As(err, &wrong) {
			*w = append(*w, problem{key, wrong.Error(), wrong.Found})
			continue
		}
		w.must(l.Expected(s.Search.Within) > 0, key,
			"search.within is 0s, so it would never hit; give a time such as 30s")
		if n := l.Expected(s.Search.Within); n > faultsMost {
			w.must(false, key, "it hits %d times within %s on average; give a rate of at most %d faults", n,
				s.Search.Within,
				faultsMost)
			continue
		}
		for _, f := range l.Ends() {
			trial := *s
			if trial.Faults = append(slices.Clip(s.Faults), f); trial.faultsProblem() == "" {
				continue
			}
			w.must(false, key, "%q may be drawn, and %s", f, trial.faultsProblem())
			break
		}
	}
}

func (s *Scenario) faultsProblem() string {
	for _, c := range s.Faults.Complaints(s.Cast(), s.Horizon) {
		return c.Err.Error()
	}
	return ""
}

// faultsMost is how many faults a search may draw for one run.
const faultsMost = 100

// A preparedChoice is a choice whose setting and values have been looked up.
type preparedChoice struct {
	Setting
	from, to, unit int64   // in a range
	of             []Value // else
}

// prepare looks up the choice's setting and values, or returns what is wrong with them.
func (c *Choice) prepare(s *Scenario) (p preparedChoice, err error) {
	k, err := Lookup(s, c.Setting)
	switch {
	case err != nil:
		return p, err
	case strings.HasPrefix(c.Setting, "search."):
		return p, errors.New("a search can't vary itself")
	}
	p = preparedChoice{Setting: k, of: c.Of}
	for _, v := range c.Of {
		if trial := *s; err == nil {
			err = k.change(&trial, string(v))
		}
	}
	if len(c.Of) > 0 || err != nil {
		return p, err
	}
	p.unit = 1
	if _, is := k.Number(s); is {
		p.unit = k.Unit(s)
	}
	p.from, p.to, err = c.ends(s, k)
	return p, err
}

func (c *Choice) ends(s *Scenario, k Setting) (from, to int64, err error) {
	number := func(v Value) int64 {
		trial := *s
		if bad := k.change(&trial, string(v)); bad != nil && err == nil {
			err = bad
		}
		n, is := k.Number(&trial)
		if !is && err == nil {
			err = fmt.Errorf("%s is not a number; list its values with of", c.Setting)
		}
		return n
	}
	from, to = number(c.From), number(c.To)
	if err == nil && from > to {
		err = fmt.Errorf("%s lies above %s; give the lower end first", c.From, c.To)
	}
	return from, to, err
}
