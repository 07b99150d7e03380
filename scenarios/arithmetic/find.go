package arithmetic

import (
	"flag"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

// Find looks for flaws: one for each law that the rules break, with the same number of draws for each law. The same
// seed finds the same. It is for programs; a test calls rapid.Check with each law's Property, as locktest.Arithmetic
// does. It is not safe for concurrent use, because the settings of rapid are flags of the process.
func Find(r Rules, draws int, seed uint64) (flaws []Flaw, err error) {
	defer setFlags(map[string]string{
		"rapid.checks": strconv.Itoa(draws), "rapid.seed": strconv.FormatUint(max(seed, 1), 10),
		"rapid.nofailfile": "true",
	})()
	for _, l := range Laws {
		if !l.Applies(r) {
			continue
		}
		var smallest *Flaw
		property := l.Property(r, func(f Flaw) { smallest = &f })
		rapid.Check(listener{}, func(t *rapid.T) {
			if err == nil {
				err = answered(func() { property(t) })
			}
		})
		if err != nil {
			return nil, err
		}
		if smallest != nil {
			flaws = append(flaws, *smallest)
		}
	}
	return flaws, nil
}

// answered returns why rules could not be asked, if f panics with that. Any other panic is rapid's, and passes.
func answered(f func()) (err error) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case Unanswered:
			err = p.Err
		default:
			panic(p)
		}
	}()
	f()
	return nil
}

// setFlags sets flags of rapid, and returns a function that restores them. Outside a test, package testing has no
// flags for rapid to read until Init.
func setFlags(values map[string]string) (back func()) {
	testing.Init()
	if !flag.Parsed() {
		_ = flag.CommandLine.Parse(nil)
	}
	before := map[string]string{}
	for name, value := range values { // order: each flag is set once
		before[name] = flag.Lookup(name).Value.String()
		_ = flag.Set(name, value)
	}
	return func() {
		for name, value := range before { // order: each flag is set once
			_ = flag.Set(name, value)
		}
	}
}

// A listener is a test that hears what rapid says, and does nothing.
type listener struct{}

func (listener) Helper()               {}
func (listener) Name() string          { return "arithmetic" }
func (listener) Logf(string, ...any)   {}
func (listener) Log(...any)            {}
func (listener) Skipf(string, ...any)  {}
func (listener) Skip(...any)           {}
func (listener) SkipNow()              {}
func (listener) Errorf(string, ...any) {}
func (listener) Error(...any)          {}
func (listener) Fatalf(string, ...any) {}
func (listener) Fatal(...any)          {}
func (listener) FailNow()              {}
func (listener) Fail()                 {}
func (listener) Failed() bool          { return false }
