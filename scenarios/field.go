package scenarios

import (
	"reflect"
	"slices"
	"strings"
)

// A field is one field of a struct that a file can hold, as its tags tell.
type field struct {
	name  string // as files write it
	doc   string
	index []int // where in the struct it is, through embedded ones
	kind  kind
	of    reflect.Type
}

// A kind is how a field's value stands in a file.
type kind uint8

const (
	leaf    kind = iota // a scalar, which has a form
	section             // a mapping of fields
	pairs               // a mapping of names that are not fixed, kept as a list of two fields
	words               // a list of words
	several             // a list of sections
	lines               // a schedule, a fault a line
)

// fields lists what a file can hold of a struct, in the order of the declaration.
func fields(t reflect.Type) (all []field) {
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Anonymous {
			for _, inner := range fields(f.Type) {
				inner.index = append([]int{i}, inner.index...)
				all = append(all, inner)
			}
			continue
		}
		if name := f.Tag.Get("yaml"); name != "" && name != "-" {
			all = append(all, field{name: name, doc: f.Tag.Get("doc"), index: []int{i}, kind: kindOf(f.Type), of: f.Type})
		}
	}
	return all
}

func kindOf(t reflect.Type) kind {
	_, scalar := forms[t]
	switch {
	case scalar:
		return leaf
	case t.Kind() == reflect.Struct:
		return section
	case t.Elem().Kind() == reflect.String:
		return words
	case t.Name() == "Schedule":
		return lines
	case isPair(t.Elem()):
		return pairs
	}
	return several
}

// isPair reports whether a struct is a name and a value: two fields without tags.
func isPair(t reflect.Type) bool {
	return t.NumField() == 2 && t.Field(0).Type.Kind() == reflect.String && t.Field(0).Tag == ""
}

// value finds the field in its struct.
func (f *field) value(in reflect.Value) reflect.Value { return in.FieldByIndex(f.index) }

// names lists the names of fields, for those who look for the nearest.
func names(all []field) []string {
	list := make([]string, len(all))
	for i := range all {
		list[i] = all[i].name
	}
	return list
}

// leaves calls do for each scalar below a struct, with its dotted key.
func leaves(t reflect.Type, path []string, index []int, do func(key string, f field)) {
	for _, f := range fields(t) {
		at := append(slices.Clone(path), f.name)
		f.index = append(slices.Clone(index), f.index...)
		switch f.kind {
		case leaf:
			do(strings.Join(at, "."), f)
		case section:
			leaves(f.of, at, f.index, do)
		}
	}
}
