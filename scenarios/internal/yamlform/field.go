package yamlform

import (
	"reflect"
	"slices"
	"strings"
	"sync"
)

// A Format is how a struct is written in files.
type Format struct {
	Root    reflect.Type            // of the struct
	Scalars map[reflect.Type]Scalar // looked up, never ranged over

	// Range returns the least and the greatest number that a key may have, as files write them; "" where there is none.
	Range func(key string) (least, greatest string)

	keys     []string // of all scalars
	keysOnce sync.Once
}

// A Field is one field of a struct that a file can hold.
type Field struct {
	Name  string // as files write it
	Doc   string
	Shape Shape
	Type  reflect.Type
	index []int // its path in the struct, through embedded ones
}

// A Shape is how the value of a field is written.
type Shape uint8

// The shapes of fields.
const (
	Leaf     Shape = iota // a scalar
	Section               // a mapping of fields
	Pairs                 // a mapping with free names, kept as a list of structs of two fields
	Words                 // a list of words
	Sections              // a list of sections
	Lines                 // a schedule, a fault a line
)

// Fields returns what a file can hold of a struct, in the order of the declaration.
func (f *Format) Fields(t reflect.Type) (all []Field) {
	for i := range t.NumField() {
		field := t.Field(i)
		if field.Anonymous {
			for _, inner := range f.Fields(field.Type) {
				inner.index = append([]int{i}, inner.index...)
				all = append(all, inner)
			}
			continue
		}
		if name := field.Tag.Get("yaml"); name != "" && name != "-" {
			all = append(all, Field{Name: name, Doc: field.Tag.Get("doc"), Shape: f.ShapeOf(field.Type), Type: field.Type, index: []int{i}})
		}
	}
	return all
}

// ShapeOf returns the shape of fields of a type.
func (f *Format) ShapeOf(t reflect.Type) Shape {
	_, scalar := f.Scalars[t]
	switch {
	case scalar:
		return Leaf
	case t.Kind() == reflect.Struct:
		return Section
	case t.Elem().Kind() == reflect.String:
		return Words
	case t.Name() == "Schedule":
		return Lines
	case isPair(t.Elem()):
		return Pairs
	}
	return Sections
}

// isPair reports whether a struct is a name and a value: two fields without tags.
func isPair(t reflect.Type) bool {
	return t.NumField() == 2 && t.Field(0).Type.Kind() == reflect.String && t.Field(0).Tag == ""
}

// In returns the field's value in its struct.
func (f *Field) In(v reflect.Value) reflect.Value { return v.FieldByIndex(f.index) }

func names(all []Field) []string {
	list := make([]string, len(all))
	for i := range all {
		list[i] = all[i].Name
	}
	return list
}

// EachScalar calls do for each scalar below a struct, with its dotted key. The field's index is that from the struct.
func (f *Format) EachScalar(t reflect.Type, do func(key string, field Field)) {
	f.eachScalar(t, nil, nil, do)
}

func (f *Format) eachScalar(t reflect.Type, path []string, index []int, do func(key string, field Field)) {
	for _, field := range f.Fields(t) {
		at := append(slices.Clone(path), field.Name)
		field.index = append(slices.Clone(index), field.index...)
		switch field.Shape {
		case Leaf:
			do(strings.Join(at, "."), field)
		case Section:
			f.eachScalar(field.Type, at, field.index, do)
		}
	}
}

// scalarKeys returns the dotted keys of all scalars that a file can hold.
func (f *Format) scalarKeys() []string {
	f.keysOnce.Do(func() {
		f.EachScalar(f.Root, func(key string, _ Field) { f.keys = append(f.keys, key) })
	})
	return f.keys
}

// Join returns the dotted key of a name in a section; the section of the top is "".
func Join(section, name string) string {
	if section == "" {
		return name
	}
	return section + "." + name
}
