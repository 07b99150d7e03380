package codec

import (
	"bytes"
	"fmt"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/checker/codec/internal/forms"
)

// This file reads what a register of values holds. A history has numbers for the values, for a checker only compares them.

// initial returns the number of the value that a register has at first.
func (r *recorder) initial(text string) (uint32, error) {
	r.Values, r.numbers = []string{"nil"}, map[string]uint32{"nil": 0}
	if text == "" {
		return 0, nil
	}
	in := forms.NewReader(bytes.NewReader([]byte(text)), EDN)
	f, err := in.Next()
	if err != nil {
		return 0, fmt.Errorf("the initial value %q can't be read: %w", clip(text), err)
	}
	return r.number(f)
}

// number returns the number of a value: the same for the same value, in whichever way it is written.
func (r *recorder) number(f forms.Form) (uint32, error) {
	text := f.Append(nil)
	if f.Kind() == forms.Int {
		text = numeral(f)
	}
	if n, known := r.numbers[string(text)]; known {
		return n, nil
	}
	value, err := r.intern(f, text)
	if err != nil {
		return 0, err
	}
	r.numbers[value] = uint32(len(r.Values))
	r.Values = append(r.Values, value)
	return r.numbers[value], nil
}

// data reads the value of a read, a write or a compare-and-set that is no map. What closes a write or a compare-and-set
// need not repeat it, and brings nothing back but perhaps that a compare-and-set did not come about.
func (r *recorder) data(f forms.Form, o *checker.Op, has *checker.Value) (err error) {
	switch {
	case o.F == checker.CompareAndSet && o.Type == checker.OK && f.Kind() == forms.Bool && isFalse(f.Name()):
		o.Type = checker.Fail
		r.Falses++
		return nil
	case o.F == checker.Read && o.Type == checker.OK || o.F == checker.Write && o.Type == checker.Invoke:
		has.Data = 1
		o.Value.Data, err = r.number(f)
		return err
	case o.F != checker.CompareAndSet || o.Type != checker.Invoke:
		return nil
	}
	expected, set, pair := pairOf(f)
	if !pair {
		return wrong(f, "found %s as the value of a cas; want the pair [expected new]", found(f))
	}
	has.Data = 1
	if o.Value.Expected, err = r.number(expected); err == nil {
		o.Value.Data, err = r.number(set)
	}
	return err
}

// pairOf returns the two values in [expected new].
func pairOf(f forms.Form) (expected, set forms.Form, pair bool) {
	if f.Kind() != forms.Vector && f.Kind() != forms.List {
		return expected, set, false
	}
	kids := f.Kids()
	expected, one := kids.Next()
	set, two := kids.Next()
	_, three := kids.Next()
	return expected, set, one && two && !three
}

// hasPair reports whether the value of a compare-and-set is a tuple of Jepsen's independent, [name [expected new]].
func hasPair(f forms.Form) bool {
	name, inner, tuple := pairOf(f)
	_, _, pair := pairOf(inner)
	return tuple && pair && (isName(name) || name.Kind() == forms.Int)
}
