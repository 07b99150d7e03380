package scenarios

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios/internal/yamlform"
	"github.com/lockstorm/lockstorm/scenarios/locks"
	"github.com/lockstorm/lockstorm/scenarios/platform"
)

// lockOptions are the options of all locks, as declared: the settings below lock, except kind. Callers must not change
// it.
var lockOptions = sync.OnceValue(func() (all []yamlform.Field) {
	for _, f := range format.Table() {
		if option, is := strings.CutPrefix(f.Key, "lock."); is && f.Key != kindKey {
			f.Name = option
			all = append(all, f)
		}
	}
	return all
})

// kindKey is the setting of the lock's kind. It changes others with it, because a lock needs its platform.
const kindKey = "lock.kind"

func isLockOption(key string) bool {
	return slices.ContainsFunc(lockOptions(), func(f yamlform.Field) bool { return f.Name == key })
}

// lacks reports whether the lock's kind and its platform both ignore a dotted key. A platform uses its whole section.
func (k Kind) lacks(key string) bool {
	r := k.registered()
	section, option, _ := strings.Cut(key, ".")
	switch {
	case r == nil:
		return false
	case section == "lock":
		return isLockOption(option) && !r.Has(option)
	}
	ofSection := func(p platform.Platform) bool { return p.Traits().Section == section }
	return slices.ContainsFunc(platform.All, ofSection) && !ofSection(r.on)
}

// ParseKind returns the kind of lock with a name. Its error has the nearest names, or all.
func ParseKind(name string) (Kind, error) {
	if i := slices.Index(KindNames, name); i >= 0 {
		return Kind(i), nil
	}
	hint := faults.Suggest(name, KindNames)
	if hint == "" {
		hint = "; there are " + strings.Join(KindNames, ", ") + scalars[reflect.TypeFor[Kind]()].Hint
	}
	return 0, fmt.Errorf("there is no kind %q%s", name, hint)
}

// ChangeKind replaces the lock by one of another kind, on the platform of that kind. Options that the new kind does
// not have get their usual values, and a search no longer varies them. The number of nodes stays if it suits. Mutants
// and bounds are removed, because they belong to the old lock. The schedule may then name hosts or marks that are
// gone; Check reports them.
func (s *Scenario) ChangeKind(kind Kind) {
	if kind == s.Lock.Kind {
		return
	}
	k, usual := kind.registered(), Scenario{Lock: Lock{Rules: locks.Reference()}}
	s.Lock.Kind, s.Mutants, s.Bounds = kind, nil, nil
	for _, f := range lockOptions() {
		if !k.Has(f.Name) {
			f.In(reflect.ValueOf(s).Elem()).Set(f.In(reflect.ValueOf(&usual).Elem()))
			s.unvary(f.Key)
		}
	}
	s.Sections, s.Storage.Idle = platform.Reference(), 0
	s.settleFencing(k)
	s.settleTopology(k)
	if k.Complete != nil {
		k.Complete(&s.Lock.Rules)
	}
}

// settleFencing chooses the lock's own fencing tokens if it has them, and the perfect counter if the old source is gone.
func (s *Scenario) settleFencing(k *registered) {
	switch f := &s.Fencing; {
	case s.countsTokens():
		f.Source = OfLock
	case f.Source == OfLock, f.Source != NoFencing && !k.on.Traits().NodeCount:
		f.Source = Ideal
	}
}

func (s *Scenario) settleTopology(k *registered) {
	t := s.topology()
	for _, setting := range k.on.Settle(&t) {
		s.unvary(setting)
	}
	if s.Nodes, s.Persistence, s.Expiry, s.Storage.Idle = t.Nodes, t.Persistence, t.Expiry, t.Idle; t.SQL {
		s.Storage.Engine = SQL
	}
}

// FormulaRules returns the rules for formulas. The drift allowance of a lock on a session is its margin.
func (s *Scenario) FormulaRules() locks.Rules {
	r := s.Lock.Rules
	if k := s.Lock.Kind.registered(); k != nil && k.Has("session.margin") {
		r.DriftFactor, r.DriftConstant = r.Session.Margin, 0
	}
	return r
}

// unvary keeps a search from drawing the setting of a whole key.
func (s *Scenario) unvary(key string) {
	s.Search.Vary = slices.DeleteFunc(slices.Clone(s.Search.Vary), func(c Choice) bool { return c.Setting == key })
}
