package scenarios

import (
	_ "embed" // for the names of settings
	"encoding/json"
	"math/big"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/scenarios/internal/yamlform"
	"github.com/lockstorm/lockstorm/scenarios/locks"
	"github.com/lockstorm/lockstorm/scenarios/platform"
	"github.com/lockstorm/lockstorm/sim"
	"github.com/lockstorm/lockstorm/sim/redis"
	"github.com/lockstorm/lockstorm/sim/storage"
)

var format = yamlform.Format{Root: reflect.TypeFor[Scenario](), Scalars: scalars, Names: names}

//go:embed names.txt
var namesFile string

// names are what people read of each setting, by its key.
var names = readNames(namesFile)

// readNames reads the file, in which a line has a key, a label, an explanation and the names of values.
func readNames(file string) map[string]yamlform.Naming {
	all := map[string]yamlform.Naming{} // looked up, never ranged over
	for line := range strings.Lines(file) {
		if parts := strings.Split(strings.TrimSpace(line), " | "); len(parts) > 2 {
			all[parts[0]] = yamlform.Naming{Label: parts[1], Doc: parts[2], Values: parts[3:]}
		}
	}
	return all
}

// The patterns of text forms, for the schema.
const (
	timePattern  = `([0-9]+(\.[0-9]*)?|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h)`
	timesPattern = `[+-]?(0|(` + timePattern + `)+)`
	ratePattern  = `[+-]?([0-9]+(\.[0-9]{0,3})?|\.[0-9]{1,3})ppm`
)

var scalars = map[reflect.Type]yamlform.Scalar{
	reflect.TypeFor[string](): yamlform.Text,
	reflect.TypeFor[bool]():   yamlform.Bool,
	reflect.TypeFor[Value](): yamlform.NewScalar("value as --set takes it",
		func(v string) (Value, error) { return Value(v), nil }, func(v Value) string { return string(v) },
		yamlform.Schema{AnyOf: []string{"string", "number", "boolean"}}),
	reflect.TypeFor[int](): yamlform.NewScalar("whole number", strconv.Atoi, strconv.Itoa,
		yamlform.Schema{Type: "integer", Minimum: "-9223372036854775808", Maximum: "9223372036854775807"}),
	reflect.TypeFor[uint64](): yamlform.NewScalar("whole number", readCount,
		func(v uint64) string { return strconv.FormatUint(v, 10) },
		yamlform.Schema{Type: "integer", Minimum: "0", Maximum: json.Number(strconv.FormatInt(fenceMax, 10))}),
	reflect.TypeFor[time.Duration](): yamlform.NewScalar("time such as 300ms or 10s", time.ParseDuration,
		time.Duration.String,
		yamlform.Schema{Type: "string", Pattern: "^" + timesPattern + "$"}).UpTo("a year"),
	reflect.TypeFor[clock.Instant](): yamlform.NewScalar("time such as 300ms or 10s",
		func(v string) (clock.Instant, error) {
			d, err := time.ParseDuration(v)
			return clock.Instant(d), err
		}, clock.Instant.String, yamlform.Schema{}), // no file has one
	reflect.TypeFor[sim.Range](): yamlform.NewScalar("range of times such as 1ms..20ms", readRange, writeRange,
		yamlform.Schema{Type: "string", Pattern: `^` + timesPattern + `(\.\.` + timesPattern + `)?$`}).UpTo("a year"),
	reflect.TypeFor[clock.Rate](): yamlform.NewScalar("rate such as +800ppm", clock.ParseRate, clock.Rate.String,
		yamlform.Schema{Type: "string", Pattern: "^" + ratePattern + "$"}).UpTo(rateMax.String() + " either way"),
	reflect.TypeFor[locks.Share](): yamlform.NewScalar("fraction, up to six decimals, such as 0.01", readShare,
		writeShare,
		yamlform.Schema{Type: "number", MultipleOf: "0.000001"}),

	reflect.TypeFor[Kind]():              elsewhere(yamlform.NewEnum[Kind](KindNames)),
	reflect.TypeFor[Engine]():            yamlform.NewEnum[Engine](engineNames),
	reflect.TypeFor[FencingSource]():     yamlform.NewEnum[FencingSource](fencingNames),
	reflect.TypeFor[Formula]():           yamlform.NewEnum[Formula](FormulaNames),
	reflect.TypeFor[locks.Contact]():     yamlform.NewEnum[locks.Contact](locks.ContactNames),
	reflect.TypeFor[locks.Clock]():       yamlform.NewEnum[locks.Clock](locks.ClockNames),
	reflect.TypeFor[locks.Take]():        yamlform.NewEnum[locks.Take](locks.TakeNames),
	reflect.TypeFor[locks.Counted]():     yamlform.NewEnum[locks.Counted](locks.CountedNames),
	reflect.TypeFor[locks.Free]():        yamlform.NewEnum[locks.Free](locks.FreeNames),
	reflect.TypeFor[locks.Watch]():       yamlform.NewEnum[locks.Watch](locks.WatchNames),
	reflect.TypeFor[locks.Leases]():      yamlform.NewEnum[locks.Leases](locks.LeasesNames),
	reflect.TypeFor[locks.Check]():       yamlform.NewEnum[locks.Check](locks.CheckNames),
	reflect.TypeFor[locks.Cleanup]():     yamlform.NewEnum[locks.Cleanup](locks.CleanupNames),
	reflect.TypeFor[locks.Value]():       yamlform.NewEnum[locks.Value](locks.ValueNames),
	reflect.TypeFor[redis.Expiry]():      yamlform.NewEnum[redis.Expiry](redis.ExpiryNames),
	reflect.TypeFor[redis.Persistence](): yamlform.NewEnum[redis.Persistence](redis.PersistenceNames),
	reflect.TypeFor[storage.Check]():     yamlform.NewEnum[storage.Check](storage.CheckNames),
	reflect.TypeFor[checker.Verdict]():   verdictScalar,
}

// verdictScalar leaves out unknown: no scenario can expect that.
var verdictScalar = yamlform.NewScalar("holds|violated",
	func(text string) (checker.Verdict, error) {
		for _, v := range []checker.Verdict{checker.Holds, checker.Violated} {
			if v.String() == text {
				return v, nil
			}
		}
		return 0, strconv.ErrSyntax
	}, checker.Verdict.String, yamlform.Schema{Type: "string", Enum: []any{"holds", "violated"}})

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

// readShare reads a decimal number with at most six places, in millionths: no float decides anything.
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

// elsewhere says where the kinds are that this program does not have.
func elsewhere(kind yamlform.Scalar) yamlform.Scalar {
	kind.Hint = "; client libraries such as redsync are kinds of lockstorm-full, " +
		"which go -C cmd/lockstorm-full install . makes of a clone"
	return kind
}

// The limits of a scenario.
const (
	hostsMax = platform.HostsMax
	timeMax  = platform.TimeMax
	rateMax  = clock.RateMax / 2 // the other half is left to the schedule
	fenceMax = 1<<53 - 1         // JSON readers that use floating point can't read larger ones

	faultsMax  = 500 // all faults are checked again for each mutant and each bound, and a check must end within a second
	mutantsMax = 50
	boundsMax  = 10
)
