package scenarios

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios/internal/yamlform"
	"github.com/lockstorm/lockstorm/scenarios/locks"
)

// A Setting is one value of a scenario that a user may change, under a dotted name.
type Setting struct {
	Key  string
	Form string // what a value looks like, such as "time" or "true|false"
	Doc  string
	get  func(*Scenario) string
	set  func(*Scenario, string) error
	at   func(*Scenario) reflect.Value // nil if the value has no form of its own
}

// Get returns the value that the setting has in a scenario.
func (k Setting) Get(s *Scenario) string { return k.get(s) }

// Settings returns all that can be changed in a scenario. Faults are numbered as in its schedule.
func Settings(s *Scenario) []Setting { return slices.Concat(fixedSettings(), ownSettings(s)) }

// fixed holds the settings that every scenario has. They are listed once, because reflection is slow and a campaign looks
// settings up for each cell.
var fixed struct {
	once sync.Once
	all  []Setting
}

// fixedSettings returns the settings that every scenario has. The caller must not change the list.
func fixedSettings() []Setting {
	fixed.once.Do(func() {
		format.EachScalar(reflect.TypeFor[Scenario](), func(key string, f yamlform.Field) {
			if f.Type.Kind() == reflect.String { // prose is no setting
				return
			}
			k := settingOf(key, f.Doc, f.Type, func(s *Scenario) reflect.Value { return f.In(reflect.ValueOf(s).Elem()) })
			if key == kindKey {
				k.set = setKind
			}
			fixed.all = append(fixed.all, k)
		})
	})
	return fixed.all
}

func ownSettings(s *Scenario) (all []Setting) {
	for i, r := range s.Clocks {
		all = append(all, setting("clocks."+r.Host, "by how much the clocks of "+r.Host+" run fast",
			func(s *Scenario) *clock.Rate { return &s.Clocks[i].By }))
	}
	for i := range s.Faults {
		all = append(all, faultSettings(i, s.Faults[i])...)
	}
	return all
}

// kindKey is the setting of the lock's kind. It changes others with it, because a lock needs its platform.
const kindKey = "lock.kind"

func setKind(s *Scenario, name string) error {
	kind := slices.Index(KindNames, name)
	if kind < 0 {
		return strconv.ErrSyntax
	}
	s.ChangeKind(Kind(kind))
	return nil
}

// KindFirst sorts assignments so that the lock's kind comes first: other settings may belong to that kind only.
func KindFirst[T any](all []T, text func(T) string) []T {
	later := func(a T) int {
		if strings.HasPrefix(text(a), kindKey+"=") {
			return 0
		}
		return 1
	}
	return slices.SortedStableFunc(slices.Values(all), func(a, b T) int { return later(a) - later(b) })
}

// settingOf returns the setting of a value of a type that has a form.
func settingOf(key, doc string, t reflect.Type, at func(*Scenario) reflect.Value) Setting {
	f := scalars[t]
	return Setting{key, f.Form, doc,
		func(s *Scenario) string { return f.Write(at(s)) },
		func(s *Scenario, v string) error { return f.Read(at(s), v) }, at}
}

// Number returns the value of a setting as a number: of nanoseconds, of parts per billion, or of things.
func (k Setting) Number(s *Scenario) (n int64, is bool) {
	if k.at == nil || !k.at(s).CanInt() {
		return 0, false
	}
	return k.at(s).Int(), true
}

// Shown returns a number as text, in the setting's form.
func (k Setting) Shown(s *Scenario, n int64) string {
	v := reflect.New(k.at(s).Type()).Elem()
	v.SetInt(n)
	return format.Write(v)
}

// Unit returns the least step of the number that matters: a microsecond, one part per million, or one; for a TTL a
// millisecond.
func (k Setting) Unit(s *Scenario) int64 {
	if k.Key == "lock.ttl" {
		return int64(time.Millisecond)
	}
	switch k.at(s).Interface().(type) {
	case time.Duration, clock.Instant, clock.Rate:
		return 1000
	}
	return 1
}

// Uses reports whether the scenario's lock, or its platform, uses a setting. One that it does not use is refused.
func (s *Scenario) Uses(k Setting) bool { return !s.Lock.Kind.lacks(k.Key) }

// Compute returns the bound for a scenario's lock as text, in the form of the setting that varies.
func (f Formula) Compute(k Setting, s *Scenario) string {
	if laws[f].of == nil {
		return "none"
	}
	return k.Shown(s, f.Bound(s.FormulaRules()))
}

func (f Formula) fits(k Setting, s *Scenario) bool {
	of := laws[f].of
	return of == nil || k.at(s).Type() == of
}

// Lookup returns the setting of a key. If the schedule has one fault of a kind, the kind names it too: pause.for is then
// fault.1.for.
func Lookup(s *Scenario, key string) (Setting, bool) {
	if k, known := lookupIn(fixedSettings(), s, key); known {
		return k, true
	}
	return lookupIn(ownSettings(s), s, key)
}

// lookupIn is Lookup in a list of the scenario's settings.
func lookupIn(settings []Setting, s *Scenario, key string) (Setting, bool) {
	switch key {
	case searchFaults.Key:
		return searchFaults, true
	case searchSpare.Key:
		return searchSpare, true
	}
	numbered := numberedKey(s, key)
	for _, k := range settings {
		if k.Key == key || k.Key == numbered {
			return k, true
		}
	}
	return Setting{}, false
}

// numberedKey returns the key with the number of a fault in place of its kind; "" unless exactly one is of that kind.
func numberedKey(s *Scenario, key string) (numbered string) {
	kind, rest, _ := strings.Cut(key, ".")
	for i, f := range s.Faults {
		switch {
		case f.Kind.String() != kind:
		case numbered != "":
			return ""
		default:
			numbered = "fault." + strconv.Itoa(i+1) + "." + rest
		}
	}
	return numbered
}

// UnknownSetting returns the error about a key that a scenario does not have.
func UnknownSetting(s *Scenario, key string) error {
	kind, rest, _ := strings.Cut(key, ".")
	var several []string
	for i, f := range s.Faults {
		if f.Kind.String() == kind {
			several = append(several, "fault."+strconv.Itoa(i+1)+"."+rest)
		}
	}
	if len(several) > 1 {
		return fmt.Errorf("%q may mean %s; say which", key, strings.Join(several, " or "))
	}
	return fmt.Errorf("there is no setting %q%s", key, faults.Suggest(key, keysOf(s)))
}

func keysOf(s *Scenario) (keys []string) {
	for _, k := range Settings(s) {
		keys = append(keys, k.Key)
	}
	return keys
}

// setting is settingOf for a type that is known at compile time.
func setting[T any](key, doc string, at func(*Scenario) *T) Setting {
	return settingOf(key, doc, reflect.TypeFor[T](), func(s *Scenario) reflect.Value { return reflect.ValueOf(at(s)).Elem() })
}

func faultSettings(i int, f faults.Fault) []Setting {
	key := "fault." + strconv.Itoa(i+1)
	what := "“" + f.What() + "”: "
	at := func(s *Scenario) *faults.Fault { return &s.Faults[i] }
	var all []Setting
	if !f.Kind.EndsItself {
		all = append(all, setting(key+".for", what+"how long it lasts; 0s for the rest of the run", func(s *Scenario) *time.Duration { return &at(s).For }),
			hostSetting(key+".on", what+"the host whose wall clock counts that; - for true time", func(s *Scenario) *string { return &at(s).On }))
	}
	if f.When.Host == "" {
		all = append(all, setting(key+".at", what+"when it strikes", func(s *Scenario) *clock.Instant { return &at(s).At }))
	} else {
		all = append(all, setting(key+".after", what+"how long after its mark it strikes", func(s *Scenario) *time.Duration { return &at(s).When.After }))
	}
	for _, amount := range f.Amounts() {
		all = append(all, amountSetting(key+"."+amount.Name, what+amount.About, amount, at))
	}
	return all
}

// amountSetting returns the setting of an amount of a fault. An amount without a unit is a share.
func amountSetting(key, doc string, amount *faults.Amount, at func(*Scenario) *faults.Fault) Setting {
	t := reflect.TypeOf(amount.At(&faults.Fault{})).Elem()
	if t.Kind() == reflect.Int {
		return shareSetting(key, doc, func(s *Scenario) *int { return amount.At(at(s)).(*int) })
	}
	return settingOf(key, doc, t, func(s *Scenario) reflect.Value { return reflect.ValueOf(amount.At(at(s))).Elem() })
}

// shareSetting returns the setting of a share that is kept as a plain number of millionths.
func shareSetting(key, doc string, at func(*Scenario) *int) Setting {
	return Setting{key, scalars[reflect.TypeFor[locks.Share]()].Form, doc,
		func(s *Scenario) string { return writeShare(locks.Share(*at(s))) },
		func(s *Scenario, v string) error {
			share, err := readShare(v)
			if err == nil {
				*at(s) = int(share)
			}
			return err
		}, nil}
}

// hostSetting returns a setting that names a host; "-" is none. Whether there is a host of that name, Check finds out.
func hostSetting(key, doc string, at func(*Scenario) *string) Setting {
	return Setting{key, "host such as n3, or -", doc,
		func(s *Scenario) string { return cmp.Or(*at(s), "-") },
		func(s *Scenario, v string) error {
			if v != "-" && (v == "" || v[0] < 'a' || v[0] > 'z' || strings.Trim(v[1:], "0123456789") != "") {
				return strconv.ErrSyntax
			}
			*at(s) = strings.TrimPrefix(v, "-")
			return nil
		}, nil}
}

// searchFaults is the setting of what may go wrong in a search. It is in no list of settings, because fuzz has --faults for
// it; matrices use it for their cells.
var searchFaults = Setting{
	Key: "search.faults", Form: "list of classes or kinds of faults such as delay,loss; or none", Doc: "what may go wrong in a search",
	get: func(s *Scenario) string {
		if len(s.Search.Faults) == 0 {
			return "none"
		}
		return strings.Join(s.Search.Faults, ",")
	},
	set: func(s *Scenario, v string) error {
		if v == "none" {
			s.Search.Faults = nil
			return nil
		}
		words := strings.Split(v, ",")
		if _, err := faults.KindsOf(words); err != nil {
			return err
		}
		s.Search.Faults = words
		return nil
	},
}

// searchSpare is the setting of the hosts that a search spares. Like searchFaults it is in no list.
var searchSpare = Setting{
	Key: "search.spare", Form: "nodes|clients|none", Doc: "whom no fault of a search strikes",
	get: func(s *Scenario) string { return cmp.Or(strings.Join(s.Search.Spare, ","), "none") },
	set: func(s *Scenario, v string) error {
		switch v {
		case "none":
			s.Search.Spare = nil
		case faults.Nodes, faults.Clients:
			s.Search.Spare = []string{v}
		default:
			return strconv.ErrSyntax
		}
		return nil
	},
}

// Set changes one value of the scenario, given as KEY=VALUE. Copies of the scenario keep theirs.
func (s *Scenario) Set(assignment string) error {
	key, value, ok := strings.Cut(assignment, "=")
	if !ok {
		return fmt.Errorf("%q is not a setting; write KEY=VALUE, such as lock.ttl=5s", assignment)
	}
	k, known := Lookup(s, key)
	if !known {
		return UnknownSetting(s, key)
	}
	return k.change(s, value)
}

// assign changes one of the listed settings of the scenario. The list stays valid: no change adds a setting.
func (s *Scenario) assign(settings []Setting, a Assignment) error {
	k, known := lookupIn(settings, s, a.Key)
	if !known {
		return UnknownSetting(s, a.Key)
	}
	return k.change(s, string(a.Value))
}

// change sets the setting to a value. Copies of a scenario share its lists, so the two that settings can write to are copied
// first.
func (k Setting) change(s *Scenario, value string) error {
	s.Faults, s.Clocks = slices.Clone(s.Faults), slices.Clone(s.Clocks)
	switch err := k.set(s, value); {
	case err == nil:
		return nil
	case k.Key == kindKey:
		return fmt.Errorf("%s: %w", k.Key, UnknownKind(value))
	}
	return fmt.Errorf("%s: %q is not %s", k.Key, value, k.want())
}

func (k Setting) want() string {
	if words := strings.Split(k.Form, "|"); len(words) > 1 {
		return "one of " + strings.Join(words, ", ")
	}
	return "a " + k.Form
}

// Hold keeps a search from drawing a setting.
func (s *Scenario) Hold(key string) {
	k, _ := Lookup(s, key)
	s.unvary(k.Key)
}
