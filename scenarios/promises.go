package scenarios

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios/internal/yamlform"
)

func (s *Scenario) checkExpectations(w *problems) {
	for _, p := range checker.Properties {
		n := 0
		for _, e := range s.Expect {
			if e.Property == p.Name {
				n++
			}
		}
		w.must(n < 2, "expect", "%s stands there twice", p.Name)
	}
	for _, e := range s.Expect {
		if !isPromise(e.Property) { // to look for similar names each time would cost as much as a run
			w.must(false, "expect."+e.Property, "%s", noPromise(e.Property))
		}
	}
	for i, name := range s.Sometimes {
		if p, known := checker.Lookup(name); !known || !p.Sometimes {
			w.must(false, yamlform.Item("sometimes", i), "%s", noHappening(name))
		}
	}
}

const struck = "fault-struck"

// sometimesProblem returns why a run in which nothing happened would pass; "" if it would not. A fault that waits for a mark
// proves that a client did something.
func (s *Scenario) sometimesProblem() string {
	breaks := slices.ContainsFunc(s.Expect, func(e Expectation) bool { return e.Verdict == checker.Violated })
	waits := slices.ContainsFunc(s.Faults, func(f faults.Fault) bool { return f.When.Host != "" })
	switch {
	case len(s.Sometimes) == 0:
		return "a run in which nothing happened would pass; name something that must have happened"
	case len(s.Faults) > 0 && !slices.Contains(s.Sometimes, struck):
		return "there is a schedule, so fault-struck must stand here too; a run in which no fault struck proves nothing"
	case !breaks && !waits && !slices.ContainsFunc(s.Sometimes, func(name string) bool { return name != struck }):
		return "a run in which nobody had the lock would pass; name what must have happened besides, such as acquired"
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
		w.must(len(m.Set) > 0, key, "it sets nothing, so it is the reference itself")
		w.must(len(m.Breaks) > 0, key, "it breaks nothing; name the properties that it breaks")
		w.mustRange(key+".within", ranges["mutants.within"], reflect.ValueOf(m.Within))
		for k, name := range m.Breaks {
			at := yamlform.Item(key+".breaks", k)
			w.must(isPromise(name), at, "%s", noPromise(name))
			w.must(!isPromise(name) || s.Expected(name) == checker.Holds, at,
				"the scenario expects %s to break without any mutant, so nothing is shown by it", name)
		}
		if _, err := s.Mutate(m); err != nil {
			w.must(false, key+".set", "%s", oneLine(err))
		}
	}
}

// Mutate returns the scenario with the mutant's settings, and without mutants and bounds, which are those of the reference.
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
		mustName(w, key+".formula", b.Formula, FormulaNames)
		w.must(isPromise(b.Property), key+".property", "%s", noPromise(b.Property))
		settings := Settings(s)
		k, known := lookupIn(settings, s, b.Setting)
		if !known {
			w.must(b.Setting != "", key+".setting", "it names no setting; give one such as lock.ttl")
			w.must(b.Setting == "", key+".setting", "%v", UnknownSetting(s, b.Setting))
			continue
		}
		if _, number := k.Number(s); !number {
			w.must(false, key+".setting", "%s is not a number, so nothing lies between two values of it", b.Setting)
			continue
		}
		w.must(int(b.Formula) >= len(laws) || b.Formula.fits(k, s), key+".formula", "%s is a law for something else than %s, "+
			"which is a %s", yamlform.Name(FormulaNames, b.Formula), b.Setting, k.Form)
		s.checkEnd(w, key+".from", settings, Assignment{b.Setting, b.From})
		s.checkEnd(w, key+".to", settings, Assignment{b.Setting, b.To})
		w.must(b.From != b.To, key+".to", "%s is both ends, so nothing lies between", b.To)
	}
}

// checkEnd refuses an end of a bound at which the scenario is not sound.
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

// noPromise returns what would be right in place of a name that is no promise.
func noPromise(name string) string {
	if slices.Contains(happenings(), name) {
		return name + " is not a promise; what should happen stands under sometimes"
	}
	return unknownName("property", name, promises())
}

// noHappening returns what would be right in place of a name that is no happening.
func noHappening(name string) string {
	if isPromise(name) {
		return name + " is a promise; the verdict on it stands under expect"
	}
	return unknownName("happening", name, happenings())
}

// unknownName returns the error about a name: with the nearest known names, or with all if none is near.
func unknownName(what, name string, known []string) string {
	all, hint := "; there are "+strings.Join(known, ", "), Suggest(name, known)
	switch {
	case name == "":
		return "it names no " + what + all
	case hint == "":
		hint = all
	}
	return fmt.Sprintf("there is no %s %q%s", what, name, hint)
}

func promises() []string { return propertyNames(checker.Properties) }

func happenings() []string { return propertyNames(checker.Sometimes) }

func propertyNames(list []checker.Property) []string {
	all := make([]string, len(list))
	for i, p := range list {
		all[i] = p.Name
	}
	return all
}

func isPromise(name string) bool {
	p, known := checker.Lookup(name)
	return known && !p.Sometimes
}
