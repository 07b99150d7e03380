package scenarios

import (
	"encoding/json"
	"math/big"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/scenarios/locks"
	"github.com/lockstorm/lockstorm/sim"
	"github.com/lockstorm/lockstorm/sim/redis"
	"github.com/lockstorm/lockstorm/sim/storage"
)

// A form is how values of one type are written: in files, in settings, and in the schema that editors read.
type form struct {
	says   string // what a value looks like, such as "time such as 300ms or 10s"
	read   func(into reflect.Value, text string) error
	write  func(reflect.Value) string
	schema shape
	most   string // how far values go, where the schema does not say it in numbers
}

// A shape is what the schema says of values: its fields are keywords of JSON Schema, and AnyOf lists types.
type shape struct {
	Type, Pattern                string
	Enum                         []any
	AnyOf                        []string
	Minimum, Maximum, MultipleOf json.Number
}

// limits says what to give in place of a value that is too far out to be read.
func (f form) limits(key string) string {
	in := spans[key]
	switch {
	case f.most != "":
		return "up to " + f.most
	case in.most != "":
		return in.least + " to " + in.most
	case f.schema.Minimum == "0":
		return "0 to " + string(f.schema.Maximum)
	}
	return "up to " + string(f.schema.Maximum)
}

// formOf makes the form of a type.
func formOf[T any](says string, read func(string) (T, error), write func(T) string, schema shape) form {
	return form{says: says, schema: schema,
		read: func(into reflect.Value, text string) error {
			v, err := read(text)
			if err == nil {
				into.Set(reflect.ValueOf(v))
			}
			return err
		},
		write: func(v reflect.Value) string { return write(v.Interface().(T)) },
	}
}

// wordOf is the form of a type with a few named values; their numbers are their places in the list.
func wordOf[T ~uint8](names []string) form {
	all := make([]any, len(names))
	for i, n := range names {
		all[i] = n
	}
	return formOf(strings.Join(names, "|"),
		func(text string) (T, error) {
			for i, name := range names {
				if name == text {
					return T(i), nil
				}
			}
			return 0, strconv.ErrSyntax
		},
		func(v T) string { return named(names, v) },
		shape{Type: "string", Enum: all})
}

// named returns the name of a value, or its number if it has none.
func named[T ~uint8](names []string, v T) string {
	if int(v) < len(names) {
		return names[v]
	}
	return strconv.Itoa(int(v))
}

// The patterns of text forms, for the schema.
const (
	timePattern  = `([0-9]+(\.[0-9]*)?|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h)`
	textPattern  = `[^\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f]*` // no controls but spaces
	timesPattern = `[+-]?(0|(` + timePattern + `)+)`
	ratePattern  = `[+-]?([0-9]+(\.[0-9]{0,3})?|\.[0-9]{1,3})ppm`
)

// far makes a reader tell what is out of range, with strconv.ErrRange, from what is no such value at all.
func far(f form, most string) form {
	pattern, read := regexp.MustCompile(f.schema.Pattern), f.read
	f.most = most
	f.read = func(into reflect.Value, text string) error {
		err := read(into, text)
		if err != nil && pattern.MatchString(text) {
			return strconv.ErrRange
		}
		return err
	}
	return f
}

// forms has the form of each type of value. It is looked up, and never ranged over.
var forms = map[reflect.Type]form{
	reflect.TypeFor[string](): formOf("text", readText, func(v string) string { return v },
		shape{Type: "string", Pattern: "^" + textPattern + "$"}),
	reflect.TypeFor[Value](): formOf("value as --set takes it",
		func(v string) (Value, error) { return Value(v), nil }, func(v Value) string { return string(v) },
		shape{AnyOf: []string{"string", "number", "boolean"}}),
	reflect.TypeFor[bool](): formOf("true|false", readBool, strconv.FormatBool,
		shape{Type: "boolean"}),
	reflect.TypeFor[int](): formOf("whole number", strconv.Atoi, strconv.Itoa,
		shape{Type: "integer", Minimum: "-9223372036854775808", Maximum: "9223372036854775807"}),
	reflect.TypeFor[uint64](): formOf("whole number", readCount, func(v uint64) string { return strconv.FormatUint(v, 10) },
		shape{Type: "integer", Minimum: "0", Maximum: json.Number(strconv.Itoa(fenceMax))}),
	reflect.TypeFor[time.Duration](): far(formOf("time such as 300ms or 10s", time.ParseDuration, time.Duration.String,
		shape{Type: "string", Pattern: "^" + timesPattern + "$"}), "a year"),
	reflect.TypeFor[clock.Instant](): formOf("time such as 300ms or 10s",
		func(v string) (clock.Instant, error) {
			d, err := time.ParseDuration(v)
			return clock.Instant(d), err
		}, clock.Instant.String, shape{}), // no file has one
	reflect.TypeFor[sim.Range](): far(formOf("range of times such as 1ms..20ms", readRange, writeRange,
		shape{Type: "string", Pattern: `^` + timesPattern + `(\.\.` + timesPattern + `)?$`}), "a year"),
	reflect.TypeFor[clock.Rate](): far(formOf("rate such as +800ppm", clock.ParseRate, clock.Rate.String,
		shape{Type: "string", Pattern: "^" + ratePattern + "$"}), rateMax.String()+" either way"),
	reflect.TypeFor[locks.Share](): formOf("share of at most six decimals such as 0.01", readShare, writeShare,
		shape{Type: "number", MultipleOf: "0.000001"}),

	reflect.TypeFor[Kind]():              wordOf[Kind](KindNames),
	reflect.TypeFor[Engine]():            wordOf[Engine](EngineNames),
	reflect.TypeFor[FencingSource]():     wordOf[FencingSource](FencingNames),
	reflect.TypeFor[Formula]():           wordOf[Formula](FormulaNames),
	reflect.TypeFor[locks.Contact]():     wordOf[locks.Contact](locks.ContactNames),
	reflect.TypeFor[locks.Clock]():       wordOf[locks.Clock](locks.ClockNames),
	reflect.TypeFor[locks.Take]():        wordOf[locks.Take](locks.TakeNames),
	reflect.TypeFor[locks.Counted]():     wordOf[locks.Counted](locks.CountedNames),
	reflect.TypeFor[locks.Free]():        wordOf[locks.Free](locks.FreeNames),
	reflect.TypeFor[locks.Watch]():       wordOf[locks.Watch](locks.WatchNames),
	reflect.TypeFor[locks.Check]():       wordOf[locks.Check](locks.CheckNames),
	reflect.TypeFor[locks.Cleanup]():     wordOf[locks.Cleanup](locks.CleanupNames),
	reflect.TypeFor[redis.Persistence](): wordOf[redis.Persistence](redis.PersistenceNames),
	reflect.TypeFor[storage.Check]():     wordOf[storage.Check](storage.CheckNames),
	reflect.TypeFor[checker.Verdict]():   verdictForm,
}

// verdictForm leaves out unknown: no scenario can want that.
var verdictForm = formOf("holds|violated",
	func(text string) (checker.Verdict, error) {
		for _, v := range []checker.Verdict{checker.Holds, checker.Violated} {
			if v.String() == text {
				return v, nil
			}
		}
		return 0, strconv.ErrSyntax
	}, checker.Verdict.String, shape{Type: "string", Enum: []any{"holds", "violated"}})

// readText reads prose, however it was broken into lines. It is printed again, so that a terminal must not take part of it
// for an order.
func readText(v string) (string, error) {
	v = strings.Join(strings.Fields(v), " ")
	if strings.ContainsFunc(v, unicode.IsControl) {
		return "", strconv.ErrSyntax
	}
	return v, nil
}

func readBool(v string) (bool, error) {
	if v != "true" && v != "false" {
		return false, strconv.ErrSyntax
	}
	return v == "true", nil
}

// readCount reads a number that is not negative, and survives JSON readers that count in floating point.
func readCount(v string) (uint64, error) {
	n, err := strconv.ParseInt(v, 10, 64)
	if err == nil && (n < 0 || n > fenceMax) {
		err = strconv.ErrRange
	}
	return uint64(max(n, 0)), err
}

// readRange reads MIN..MAX, or one time for both.
func readRange(v string) (r sim.Range, err error) {
	low, high, two := strings.Cut(v, "..")
	if r.Min, err = time.ParseDuration(low); err != nil || !two {
		return sim.Range{Min: r.Min, Max: r.Min}, err
	}
	r.Max, err = time.ParseDuration(high)
	return r, err
}

func writeRange(r sim.Range) string { return r.Min.String() + ".." + r.Max.String() }

// A share is a decimal number with at most six places. It is kept in millionths, so that nothing hangs on floats.
func readShare(v string) (locks.Share, error) {
	if len(v) > 30 || strings.Trim(v, "+-.0123456789") != "" {
		return 0, strconv.ErrSyntax
	}
	r, ok := new(big.Rat).SetString(v)
	if !ok {
		return 0, strconv.ErrSyntax
	}
	r.Mul(r, big.NewRat(1_000_000, 1))
	if !r.IsInt() {
		return 0, strconv.ErrSyntax
	}
	if !r.Num().IsInt64() {
		return 0, strconv.ErrRange
	}
	return locks.Share(r.Num().Int64()), nil
}

func writeShare(s locks.Share) string {
	text := big.NewRat(int64(s), 1_000_000).FloatString(6)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}

// marshaled returns a value as JSON, for the schema's defaults.
func marshaled(f form, v reflect.Value) any {
	text := f.write(v)
	if f.schema.Type == "string" {
		return text
	}
	return json.RawMessage(text)
}
