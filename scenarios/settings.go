package scenarios

import (
	"cmp"
	"fmt"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios/internal/yamlform"
	"github.com/lockstorm/lockstorm/scenarios/locks"
	"github.com/lockstorm/lockstorm/sim"
)

// A Setting is one value of a scenario that a user may change, under a dotted name.
type Setting struct {
	Key   string
	Short string // the key with the fault's kind instead of its number, if there is one fault of that kind
	Label string // its name for people
	Doc   string // its explanation, in sentences
	Form  string // what a value looks like, such as "time" or "true|false"
	Least string // the smallest value, as text; empty where only Check knows it
	Most  string // the greatest
	write func(reflect.Value) string
	read  func(into reflect.Value, text string) error
	place func(*Scenario) reflect.Value
	text  bool     // Number does not know its value, though it is kept as a number
	names []string // what the values of an enum are called
}

func newSetting(key string, w yamlform.Naming, f yamlform.Scalar, place func(*Scenario) reflect.Value) Setting {
	return Setting{Key: key, Label: w.Label, Doc: w.Doc, names: w.Values, Form: f.Form, write: f.Write, read: f.Read,
		place: place}
}

// Get returns the value that the setting has in a scenario.
func (k Setting) Get(s *Scenario) string { return k.write(k.place(s)) }

// InWords returns the value that the setting has in a scenario as people say it: on, 10 s, 1%, or what an enum's value
// is called.
func (k Setting) InWords(s *Scenario) string {
	text := k.Get(s)
	switch k.Kind(s) {
	case "bool":
		return map[string]string{"true": "on", "false": "off"}[text]
	case "enum":
		if i := slices.Index(k.Choices(), text); i >= 0 && i < len(k.names) {
			return k.names[i]
		}
	case "ratio":
		if v := k.place(s); v.CanInt() {
			return writeShare(locks.Share(100*v.Int())) + "%"
		}
	case "duration", "range":
		text = unitsInText.ReplaceAllString(strings.ReplaceAll(text, "m0s", "m"), "$1 $2 ")
		text = strings.ReplaceAll(strings.ReplaceAll(text, " m ", " min "), "..", "to ")
	case "rate":
		return unitsInText.ReplaceAllString(text, "$1 $2")
	}
	return strings.TrimSpace(text)
}

// unitsInText matches a number and its unit.
var unitsInText = regexp.MustCompile(`([0-9])([a-zµ]+)`)

// Settings returns every setting that a user can change in a scenario. Faults are numbered as in its schedule.
func Settings(s *Scenario) []Setting { return slices.Concat(fixedSettings(), ownSettings(s)) }

// fixed holds the settings of every scenario. They are listed once, because a campaign looks settings up for each cell.
var fixed struct {
	once sync.Once
	all  []Setting
}

// fixedSettings returns the settings that every scenario has. The caller must not change the list.
func fixedSettings() []Setting {
	fixed.once.Do(func() {
		for _, f := range format.Table() {
			if f.Type.Kind() != reflect.String { // prose is no setting
				place := func(s *Scenario) reflect.Value { return f.In(reflect.ValueOf(s).Elem()) }
				k := newSetting(f.Key, f.Naming, scalars[f.Type], place)
				k.Least, k.Most = f.Least, f.Most
				fixed.all = append(fixed.all, k)
			}
		}
	})
	return fixed.all
}

// ownSettings returns the settings that only this scenario has: of its clocks and its faults.
func ownSettings(s *Scenario) (all []Setting) {
	for i, r := range s.Clocks {
		w := names["clocks.HOST"]
		w.Doc = strings.ReplaceAll(w.Doc, "HOST", r.Host)
		all = append(all, setting("clocks."+r.Host, w, func(s *Scenario) *clock.Rate { return &s.Clocks[i].By }))
	}
	for i := range s.Faults {
		for _, k := range faultSettings(i, s.Faults[i]) {
			if short := s.Faults[i].Kind.String() + path.Ext(k.Key); len(numberedKeys(s, short)) == 1 {
				k.Short = short
			}
			all = append(all, k)
		}
	}
	return all
}

func setting[T any](key string, w yamlform.Naming, place func(*Scenario) *T) Setting {
	return newSetting(key, w, scalars[reflect.TypeFor[T]()], value(place))
}

func value[T any](place func(*Scenario) *T) func(*Scenario) reflect.Value {
	return func(s *Scenario) reflect.Value { return reflect.ValueOf(place(s)).Elem() }
}

// Number returns the value of a setting as a number: of nanoseconds, of parts per billion, or of things.
func (k Setting) Number(s *Scenario) (n int64, is bool) {
	if v := k.place(s); v.CanInt() && !k.text {
		return v.Int(), true
	}
	return 0, false
}

// Kind names the kind of a setting's values: bool, int, duration, range (of durations), rate, ratio, enum or text.
func (k Setting) Kind(s *Scenario) string {
	switch v := k.place(s).Interface().(type) {
	case bool:
		return "bool"
	case time.Duration, clock.Instant:
		return "duration"
	case sim.Range:
		return "range"
	case clock.Rate:
		return "rate"
	case locks.Share:
		return "ratio"
	case int, uint64:
		if _, number := k.Number(s); !number && reflect.TypeOf(v).Kind() == reflect.Int {
			return "ratio"
		}
		return "int"
	}
	if k.Choices() != nil {
		return "enum"
	}
	return "text"
}

// Choices returns the values that a setting may have, where they are a few words; else nil.
func (k Setting) Choices() []string {
	if words := strings.Split(k.Form, "|"); len(words) > 1 {
		return words
	}
	return nil
}

// Shown returns a number as text, in the setting's form.
func (k Setting) Shown(s *Scenario, n int64) string {
	v := reflect.New(k.place(s).Type()).Elem()
	v.SetInt(n)
	return format.Write(v)
}

// Unit returns the smallest step that matters: 1 ms for a TTL, 1 µs, 1 ppm, or one.
func (k Setting) Unit(s *Scenario) int64 {
	if k.Key == "lock.ttl" {
		return int64(time.Millisecond)
	}
	switch k.place(s).Interface().(type) {
	case time.Duration, clock.Instant, clock.Rate:
		return 1000
	}
	return 1
}

// Uses reports whether the scenario's lock, or its platform, uses a setting. A setting that it does not use is
// rejected.
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
	return of == nil || k.place(s).Type() == of
}

// Lookup returns the setting of a key, or says that the scenario has none. If the schedule has one fault of a kind, the
// kind names it too: pause.for is then fault.1.for.
func Lookup(s *Scenario, key string) (Setting, error) {
	if k, known := lookupIn(fixedSettings(), s, key); known {
		return k, nil
	}
	if k, known := lookupIn(ownSettings(s), s, key); known {
		return k, nil
	}
	return Setting{}, unknownSetting(s, key)
}

func lookupIn(settings []Setting, s *Scenario, key string) (Setting, bool) {
	if numbered := numberedKeys(s, key); len(numbered) == 1 {
		key = numbered[0]
	}
	for _, list := range [][]Setting{unlisted, settings} {
		for _, k := range list {
			if k.Key == key {
				return k, true
			}
		}
	}
	return Setting{}, false
}

// numberedKeys returns the key with the number of each fault of a kind in place of that kind.
func numberedKeys(s *Scenario, key string) (all []string) {
	kind, rest, _ := strings.Cut(key, ".")
	for i, f := range s.Faults {
		if f.Kind.String() == kind {
			all = append(all, "fault."+strconv.Itoa(i+1)+"."+rest)
		}
	}
	return all
}

// unknownSetting returns the error about a key that a scenario does not have.
func unknownSetting(s *Scenario, key string) error {
	if several := numberedKeys(s, key); len(several) > 1 {
		return fmt.Errorf("%q may mean %s; say which", key, strings.Join(several, " or "))
	}
	var keys []string
	for _, k := range Settings(s) {
		keys = append(keys, k.Key)
	}
	return fmt.Errorf("there is no setting %q%s", key, faults.Suggest(key, keys))
}

func faultSettings(i int, f faults.Fault) (all []Setting) {
	key := "fault." + strconv.Itoa(i+1) + "."
	what := "“" + f.What() + "”: "
	fault := func(s *Scenario) *faults.Fault { return &s.Faults[i] }
	words := func(part string) yamlform.Naming {
		w := names["fault.N."+part]
		w.Doc = what + w.Doc
		return w
	}
	if !f.Kind.EndsItself {
		all = append(all,
			setting(key+"for", words("for"), func(s *Scenario) *time.Duration { return &fault(s).For }),
			newSetting(key+"on", words("on"), hostForm, value(func(s *Scenario) *string { return &fault(s).On })))
	}
	if f.When.Host == "" {
		all = append(all, setting(key+"at", words("at"), func(s *Scenario) *clock.Instant { return &fault(s).At }))
	} else {
		all = append(all,
			setting(key+"after", words("after"), func(s *Scenario) *time.Duration { return &fault(s).When.After }))
	}
	for _, amount := range f.Amounts() {
		all = append(all, amountSetting(key+amount.Name, words(amount.Name), amount, fault))
	}
	return all
}

// amountSetting returns the setting of an amount of a fault. An amount without a unit is a share.
func amountSetting(
	key string, w yamlform.Naming, amount *faults.Amount, fault func(*Scenario) *faults.Fault,
) Setting {
	where := func(s *Scenario) reflect.Value { return reflect.ValueOf(amount.At(fault(s))).Elem() }
	t := reflect.TypeOf(amount.At(&faults.Fault{})).Elem()
	if t.Kind() != reflect.Int {
		return newSetting(key, w, scalars[t], where)
	}
	k := newSetting(key, w, millionths, where)
	k.text = true
	return k
}

// millionths is the form of a share that is stored as a plain number.
var millionths = yamlform.NewScalar(scalars[reflect.TypeFor[locks.Share]()].Form,
	func(v string) (int, error) { share, err := readShare(v); return int(share), err },
	func(n int) string { return writeShare(locks.Share(n)) }, yamlform.Schema{})

// hostForm is the form of the name of a host; "-" means no host. Check finds out whether a host has that name.
var hostForm = yamlform.NewScalar("host such as n3, or -", func(v string) (string, error) {
	if v != "-" && (v == "" || v[0] < 'a' || v[0] > 'z' || strings.Trim(v[1:], "0123456789") != "") {
		return "", strconv.ErrSyntax
	}
	return strings.TrimPrefix(v, "-"), nil
}, func(v string) string { return cmp.Or(v, "-") }, yamlform.Schema{})

// unlisted are settings of a search that Settings leaves out: fuzz has flags for them. Matrices and studies use them.
var unlisted = []Setting{
	listSetting("search.faults", "list of classes or kinds of faults such as delay,loss; or none", ",",
		func(words []string) error { _, err := faults.KindsOf(words); return err },
		func(s *Scenario) *[]string { return &s.Search.Faults }),
	listSetting("search.spare", "nodes|clients|none", ",",
		func(words []string) error {
			if len(words) > 1 || words[0] != faults.Nodes && words[0] != faults.Clients {
				return strconv.ErrSyntax
			}
			return nil
		}, func(s *Scenario) *[]string { return &s.Search.Spare }),
	listSetting("search.draw", "list of lines such as at ~uniform(0s,10s) pause c1 for ~exponential(1s,1m), with ; between them; or none", ";",
		func([]string) error { return nil }, func(s *Scenario) *[]string { return &s.Search.Draw }),
}

// listSetting returns the setting of a list, whose items are divided by separators. An empty text is an empty list.
func listSetting(
	key, form, separator string, check func([]string) error, place func(*Scenario) *[]string,
) Setting {
	return newSetting(key, names[key], yamlform.NewScalar(form, func(v string) ([]string, error) {
		if v == "none" {
			return nil, nil
		}
		all := strings.Split(v, separator)
		return all, check(all)
	}, func(all []string) string { return cmp.Or(strings.Join(all, separator), "none") }, yamlform.Schema{}),
		value(place))
}

// Set changes one value of the scenario, given as KEY=VALUE, and keeps a search from varying it. Copies of the
// scenario keep theirs.
func (s *Scenario) Set(assignment string) error {
	key, value, ok := strings.Cut(assignment, "=")
	if !ok {
		return fmt.Errorf("%q is not a setting; write KEY=VALUE, such as lock.ttl=5s", assignment)
	}
	k, err := Lookup(s, key)
	if err != nil {
		return err
	}
	full := k.Key
	k.Key = key // an error names the key that was given
	if err := k.change(s, value); err != nil {
		return err
	}
	s.unvary(full)
	return nil
}

// SetAll changes values of the scenario as Set does, the lock's kind first: others may belong to that kind.
func (s *Scenario) SetAll(assignments []string) error {
	isKind := func(a string) bool { return strings.HasPrefix(a, kindKey+"=") }
	for _, kinds := range []bool{true, false} {
		for _, a := range assignments {
			if isKind(a) != kinds {
				continue
			}
			if err := s.Set(a); err != nil {
				return err
			}
		}
	}
	return nil
}

// assign changes one of the listed settings of the scenario. The list stays valid: no change adds a setting.
func (s *Scenario) assign(settings []Setting, a Assignment) error {
	k, known := lookupIn(settings, s, a.Key)
	if !known {
		return unknownSetting(s, a.Key)
	}
	k.Key = a.Key
	return k.change(s, string(a.Value))
}

// change sets the setting to a value. It copies first the two lists that scenarios share and settings write to.
func (k Setting) change(s *Scenario, value string) error {
	s.Faults, s.Clocks = slices.Clone(s.Faults), slices.Clone(s.Clocks)
	if k.Key == kindKey {
		kind, err := ParseKind(value)
		if err != nil {
			return fmt.Errorf("%s: %w", k.Key, err)
		}
		s.ChangeKind(kind)
	} else if k.read(k.place(s), value) != nil {
		return fmt.Errorf("%s: %q is not %s", k.Key, value, k.want())
	}
	return nil
}

func (k Setting) want() string {
	if words := k.Choices(); words != nil {
		return "one of " + strings.Join(words, ", ")
	}
	return "a " + k.Form
}

// Hold keeps a search from drawing a setting.
func (s *Scenario) Hold(key string) {
	k, _ := Lookup(s, key)
	s.unvary(k.Key)
}
