package simtest

import (
	"reflect"
	"strings"
	"testing"
	"unsafe"
)

// A Part is the role of a struct's field in the digest of a state: Counts, Blinds, or else the reason why it has none.
type Part string

// The roles of a field. Another value of a field that Counts makes another sum. A field that Blinds makes the state
// unknown when it is set.
const (
	Counts Part = "it counts"
	Blinds Part = "it blinds"
)

// Parts checks a digest against a table that has an entry for every field of T, so that no field can be forgotten. It
// changes the fields of each of all, one by one, and restores them: with change, if that has an entry for the field, or
// else numbers by one and so on. Look computes the current digest, and whether it is unknown.
func Parts[T any](
	t *testing.T, all []*T, table map[string]Part, change map[string]func(*T), look func() (sum uint64, unknown bool),
) {
	t.Helper()
	before, _ := look()
	typ := reflect.TypeFor[T]()
	if typ.NumField() != len(table) {
		t.Errorf("%s has %d fields, and the table %d", typ, typ.NumField(), len(table))
	}
	for i := range typ.NumField() {
		f := typ.Field(i)
		name := typ.String() + "." + f.Name
		part, changed, differs, unknown := table[f.Name], false, false, false
		for _, x := range all {
			v := reflect.ValueOf(x).Elem().Field(i)
			v = reflect.NewAt(v.Type(), unsafe.Pointer(v.UnsafeAddr())).Elem()
			kept := reflect.New(v.Type()).Elem()
			kept.Set(v)
			if do := change[f.Name]; do != nil {
				do(x)
				changed = true
			} else if v.Kind() != reflect.Slice || part == Counts || part == Blinds { // else it may be gone through
				changed = other(v) || changed
			}
			sum, blind := look()
			differs, unknown = differs || sum != before, unknown || blind
			v.Set(kept)
		}
		switch {
		case part == "":
			t.Errorf("%s: is it a part of the state? Add it to the digest, or say why not in the table of this test", name)
		case part == Counts && !differs:
			t.Errorf("%s may have another value in the same state", name)
		case part == Blinds && !unknown:
			t.Errorf("%s may be set in a state that is known", name)
		case part != Blinds && part != Counts && changed && (differs || unknown):
			t.Errorf("%s is in the state, though the table says: %s", name, part)
		case part != Blinds && part != Counts && !strings.Contains(string(part), " "):
			t.Errorf("%s: %q is no reason", name, part)
		}
	}
	if after, _ := look(); after != before {
		t.Error("a change was not put back")
	}
}

// other sets v to another value of its kind, and reports whether it could. If not, v is as it was.
func other(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(!v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(v.Int() + 1)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(v.Uint() + 1)
	case reflect.String:
		v.SetString(v.String() + "x")
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), v.Len()+1, v.Len()+1))
	default:
		return false
	}
	return true
}
