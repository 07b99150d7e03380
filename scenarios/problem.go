package scenarios

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios/internal/yamlform"
	"github.com/lockstorm/lockstorm/sim"
)

// A problem says what is wrong, under the key of the setting that would mend it.
type problem struct {
	key, text string
	word      string // the wrong one in the line of a fault, if it is known
}

// Error returns the key and what is wrong.
func (p problem) Error() string { return p.key + ": " + p.text }

type problems []problem

func (w problems) joined() error {
	var all []error
	for _, p := range w {
		all = append(all, p)
	}
	return errors.Join(all...)
}

// oneLine returns the text of an error that may join several, on one line.
func oneLine(err error) string { return strings.ReplaceAll(err.Error(), "\n", "; and ") }

func (w *problems) must(ok bool, key, format string, args ...any) {
	if !ok {
		*w = append(*w, problem{key: key, text: fmt.Sprintf(format, args...)})
	}
}

// tooMany rejects a list that is too long to be checked to its end, and reports whether it is.
func (w *problems) tooMany(key string, n, most int) bool {
	w.must(n <= most, key, "there are %d; give up to %d", n, most)
	return n > most
}

// mustCountMillis rejects a time that Redis can't count.
func (w *problems) mustCountMillis(key string, d time.Duration) {
	w.must(d%time.Millisecond == 0, key, "%s is not a whole number of milliseconds, as Redis needs", d)
}

// mustTime rejects a time that is not ok, as wrong says, and one of more than a year.
func (w *problems) mustTime(key string, d time.Duration, ok bool, wrong string) {
	w.must(ok, key, "%s %s", d, wrong)
	w.must(d <= timeMax, key, "%s is out of range; give up to a year", d)
}

func (w *problems) mustTimes(key string, r sim.Range) {
	w.must(0 <= r.Min && r.Min <= r.Max, key,
		"min %s and max %s are not a range; give two times, the smaller first", r.Min, r.Max)
	w.mustTime(key, r.Max, true, "")
}

// checkRanges rejects numbers out of the range of their field, and values without a name.
func (s *Scenario) checkRanges(w *problems) {
	all := reflect.ValueOf(s).Elem()
	for _, f := range format.Table() {
		v := f.In(all)
		if f.Least != "" {
			w.mustRange(f.Key, &f, v)
		}
		if v.Kind() == reflect.Uint8 {
			names := strings.Split(scalars[f.Type].Form, "|")
			w.must(v.Uint() < uint64(len(names)), f.Key, "%d is not one of %s", v.Uint(), strings.Join(names, ", "))
		}
	}
}

func (w *problems) mustRange(key string, f *yamlform.Field, v reflect.Value) {
	end := func(limit string) int64 {
		n := reflect.New(f.Type).Elem()
		if err := scalars[f.Type].Read(n, limit); err != nil {
			panic("scenarios: the limit of a range is not a number: " + limit)
		}
		return n.Int()
	}
	low := v.Int() < end(f.Least)
	switch {
	case f.Most != "":
		w.must(!low && v.Int() <= end(f.Most), key, "%s is out of range; give %s to %s", format.Write(v), f.Least,
			f.Most)
	case f.Least == "1":
		w.must(!low, key, "%s is not positive; give 1 or more", format.Write(v))
	default:
		w.must(!low, key, "%s is negative; give 0 or more", format.Write(v))
	}
}

func counted(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return strconv.Itoa(n) + " " + thing + "s"
}

func isCount(hosts int) bool { return 1 <= hosts && hosts <= hostsMax }

// noPromise returns what would be right in place of a name that is no promise.
func noPromise(name string) string {
	if slices.Contains(happenings(), name) {
		return name + " is not a promise; move it to sometimes"
	}
	return unknownName("promise", name, promises())
}

// noHappening returns what would be right in place of a name that is no happening.
func noHappening(name string) string {
	if isPromise(name) {
		return name + " is a promise; move it to expect"
	}
	return unknownName("event", name, happenings())
}

// unknownName returns the error about a name: with the nearest known names, or with all if none is near.
func unknownName(what, name string, known []string) string {
	all, hint := "; there are "+strings.Join(known, ", "), faults.Suggest(name, known)
	switch {
	case name == "":
		return "the name of the " + what + " is missing" + all
	case hint == "":
		hint = all
	}
	return fmt.Sprintf("there is no %s %q%s", what, name, hint)
}

func promises() []string { return namesOf(checker.Properties, propertyName) }

func happenings() []string { return namesOf(checker.Sometimes, propertyName) }

func propertyName(p *checker.Property) string { return p.Name }

func namesOf[T any](list []T, name func(*T) string) []string {
	all := make([]string, len(list))
	for i := range list {
		all[i] = name(&list[i])
	}
	return all
}

func isPromise(name string) bool {
	p, known := checker.Lookup(name)
	return known && !p.Sometimes
}
