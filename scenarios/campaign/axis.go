package campaign

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
)

// An Axis is a setting with values.
type Axis struct {
	Key    string // as the caller wrote it; pause.for may mean fault.1.for
	Values []scenarios.Value
}

// A Span is a setting with the two ends of a search.
type Span struct {
	Key      string
	From, To scenarios.Value
}

// stepsMost is how many values an axis may have. No table shows more, and exact arithmetic would take long.
const stepsMost = 200

// ParseAxis reads KEY=FROM..TO:lin:STEPS, KEY=FROM..TO:log:STEPS or KEY=A,B,C.
func ParseAxis(s *scenarios.Scenario, text string) (Axis, error) {
	k, key, values, err := axisOf(s, text)
	if err != nil {
		return Axis{}, err
	}
	a := Axis{Key: key}
	if ends, spacing, spaced := strings.Cut(values, ":"); spaced {
		a.Values, err = space(s, k, ends, spacing)
	} else {
		a.Values, err = listed(s, k, values)
	}
	if err != nil {
		return a, axisError(key, k, err)
	}
	return a, nil
}

// axisError returns an error that names its axis once: Set names it too, by the setting's full name.
func axisError(key string, k scenarios.Setting, err error) error {
	return fmt.Errorf("%s: %s", key, strings.TrimPrefix(err.Error(), k.Key+": "))
}

// ParseSpan reads KEY=FROM..TO.
func ParseSpan(s *scenarios.Scenario, text string) (Span, error) {
	k, key, ends, err := axisOf(s, text)
	if err != nil {
		return Span{}, err
	}
	from, to, err := endsOf(s, k, ends)
	switch {
	case err != nil:
		return Span{}, axisError(key, k, err)
	case from == to:
		return Span{}, fmt.Errorf("%s: from %s to itself is an empty range", key, k.Shown(s, from))
	}
	return Span{key, scenarios.Value(k.Shown(s, from)), scenarios.Value(k.Shown(s, to))}, nil
}

func axisOf(s *scenarios.Scenario, text string) (k scenarios.Setting, key, values string, err error) {
	key, values, ok := strings.Cut(text, "=")
	if !ok {
		return k, "", "", fmt.Errorf("%q is not an axis; write KEY=FROM..TO:lin:STEPS, KEY=FROM..TO:log:STEPS or KEY=A,B,C", text)
	}
	k, err = scenarios.Lookup(s, key)
	switch {
	case err != nil:
		return k, key, values, err
	case strings.HasPrefix(k.Key, "search."):
		return k, key, values, fmt.Errorf("%s is what a search draws; it can't be an axis", key)
	case values == "":
		return k, key, values, fmt.Errorf("%s: it has no values", key)
	}
	return k, key, values, nil
}

// listed reads A,B,C. Each value is written in the setting's own form, so that equal values are found.
func listed(s *scenarios.Scenario, k scenarios.Setting, text string) (all []scenarios.Value, err error) {
	words := strings.Split(text, ",")
	if len(words) > stepsMost {
		return nil, fmt.Errorf("%d values are too many; give up to %d", len(words), stepsMost)
	}
	for _, word := range words {
		t := *s
		if err := t.Set(k.Key + "=" + word); err != nil {
			if _, number := k.Number(s); number && strings.Contains(word, "..") {
				err = fmt.Errorf("%s lacks its spacing; write %s:lin:5, or log", word, word)
			}
			return nil, err
		}
		if v := scenarios.Value(k.Get(&t)); !slices.Contains(all, v) {
			all = append(all, v)
		}
	}
	return all, nil
}

// endsOf reads FROM..TO.
func endsOf(s *scenarios.Scenario, k scenarios.Setting, text string) (from, to int64, err error) {
	if _, number := k.Number(s); !number {
		return 0, 0, errors.New("it is not a number; list its values: A,B,C")
	}
	low, high, two := strings.Cut(text, "..")
	if !two {
		return 0, 0, fmt.Errorf("%q is not a range; write FROM..TO", text)
	}
	if from, err = numberOf(s, k, low); err == nil {
		to, err = numberOf(s, k, high)
	}
	return from, to, err
}

func numberOf(s *scenarios.Scenario, k scenarios.Setting, value string) (int64, error) {
	t := *s
	err := t.Set(k.Key + "=" + value)
	n, _ := k.Number(&t)
	return n, err
}

// space returns the values of FROM..TO with a spacing, lin:STEPS or log:STEPS.
func space(s *scenarios.Scenario, k scenarios.Setting, ends, spacing string) (all []scenarios.Value, err error) {
	from, to, err := endsOf(s, k, ends)
	if err != nil {
		return nil, err
	}
	how, count, _ := strings.Cut(spacing, ":")
	steps, err := strconv.Atoi(count)
	switch {
	case how != "lin" && how != "log":
		return nil, fmt.Errorf("%q is not a spacing; write lin:STEPS or log:STEPS", spacing)
	case err != nil || steps < 2 || steps > stepsMost:
		return nil, fmt.Errorf("%q is not a number of steps; give 2 to %d", count, stepsMost)
	case from == to:
		return nil, fmt.Errorf("from %s to itself is an empty range", k.Shown(s, from))
	case from > to:
		return nil, fmt.Errorf("%s lies above %s; give the lower end first", k.Shown(s, from), k.Shown(s, to))
	case how == "log" && from <= 0:
		return nil, fmt.Errorf("%s has no logarithm; start above 0, or use lin spacing", k.Shown(s, from))
	}
	least := from // the smallest value, or the smallest step between even ones
	if how == "lin" {
		least = max(from, (to-from)/int64(steps-1))
	}
	unit := coarse(from, to, k.Unit(s), least)
	for i := range steps {
		n := between(how, from, to, unit, i, steps-1)
		if v := scenarios.Value(k.Shown(s, n)); !slices.Contains(all, v) { // small values can round to the same
			all = append(all, v)
		}
	}
	return all, nil
}

// coarse returns the largest power of ten units that keeps four digits of each value and divides both ends: a user who
// asks for 1s to 30s wants no microseconds.
func coarse(low, high, unit, least int64) int64 {
	for low%(10*unit) == 0 && high%(10*unit) == 0 && 10*unit <= least/1000 {
		unit *= 10
	}
	return unit
}

// between returns the value after i of m steps, rounded to the nearest unit; the ends are as they were given.
func between(how string, low, high, unit int64, i, m int) int64 {
	var n int64
	switch {
	case i == 0:
		return low
	case i == m:
		return high
	case how == "lin":
		n = evenly(low, high, unit, i, m)
	default:
		n = byRatio(low, high, unit, i, m)
	}
	return min(max(n, low), high)
}

// evenly rounds low + (high-low)·i/m.
func evenly(low, high, unit int64, i, m int) int64 {
	whole := new(big.Int).Sub(big.NewInt(high), big.NewInt(low))
	whole.Mul(whole, big.NewInt(int64(i)))
	whole.Add(whole, new(big.Int).Mul(big.NewInt(low), big.NewInt(int64(m)))) // m times the value
	step := new(big.Int).Mul(big.NewInt(unit), big.NewInt(int64(m)))
	whole.Lsh(whole, 1)
	whole.Add(whole, step)
	return unit * whole.Div(whole, step.Lsh(step, 1)).Int64()
}

// byRatio rounds the m-th root of first^(m-i)·last^i. The root is found by halving, in whole numbers: the last digits
// of logarithms in floating point differ between machines.
func byRatio(first, last, unit int64, i, m int) int64 {
	power := new(big.Int).Mul(raised(first, m-i), raised(last, i))
	power.Lsh(power, uint(m)) // of twice the value
	low, high := int64(0), last/unit+1
	for high-low > 1 { // the largest n whose lower half-unit, (2n-1)/2 units, is not beyond the value
		n := low + (high-low)/2
		half := new(big.Int).Mul(big.NewInt(2*n-1), big.NewInt(unit))
		if half.Exp(half, big.NewInt(int64(m)), nil).Cmp(power) <= 0 {
			low = n
		} else {
			high = n
		}
	}
	return low * unit
}

func raised(n int64, to int) *big.Int {
	return new(big.Int).Exp(big.NewInt(n), big.NewInt(int64(to)), nil)
}

// checkNames rejects names that are not in a list.
func checkNames(names, all []string) error {
	for _, name := range names {
		if !slices.Contains(all, name) {
			return fmt.Errorf("there is no promise %q%s", name, faults.Suggest(name, all))
		}
	}
	return nil
}
