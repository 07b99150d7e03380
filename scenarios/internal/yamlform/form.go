package yamlform

import (
	"encoding/json"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
)

// A Format is how a struct is written in files. One table, made of the struct's tags, describes its values: reading,
// writing, settings, help and schema are views of it.
type Format struct {
	Root    reflect.Type            // of the struct
	Scalars map[reflect.Type]Scalar // looked up, never ranged over
	Names   map[string]Naming       // by dotted key; nil if the tags "doc" have the explanations

	once   sync.Once
	table  []Field
	fields sync.Map // by type; looked up, never ranged over
}

// A Field is one field of a struct that a file can hold.
type Field struct {
	Key  string // the dotted key, from the struct that was asked for
	Name string // the last word of it, as files write it
	Naming
	Least, Most string // the smallest and the greatest number, as files write them; "" for no limit
	Group       string // of Pairs: a name with more pairs below it, whose own names begin with it and a dot; "" for none
	Shape       Shape
	Type        reflect.Type
	index       []int // its path in the struct
}

// A Naming is what people read of a field.
type Naming struct {
	Label  string
	Doc    string   // the explanation
	Values []string // what the values of an enum are called, in their order; empty for their names
}

// named returns the Naming of the field with a dotted key. The explanation of an enum ends with its values.
func (f *Format) named(key string, field *Field) Naming {
	w, has := f.Names[key]
	if !has {
		return field.Naming
	}
	if len(w.Values) > 0 {
		all := strings.Split(f.Scalars[field.Type].Form, "|")
		for i, called := range w.Values {
			if called != all[i] {
				all[i] += " (" + called + ")"
			}
		}
		w.Doc = strings.TrimSpace(w.Doc + " One of " + strings.Join(all, ", ") + ".")
	}
	return w
}

// Replace replaces the text form of a type, such as an enum with a new value. It must not run while a file is read.
func (f *Format) Replace(t reflect.Type, s Scalar) {
	f.Scalars[t] = s
	f.once = sync.Once{}
}

// Table returns a Field for each scalar that has a key, in the order of the declaration. Callers must not change it.
func (f *Format) Table() []Field {
	f.once.Do(func() {
		f.table = f.scalars(f.Root)
		for i := range f.table {
			f.table[i].Naming = f.named(f.table[i].Key, &f.table[i])
		}
	})
	return f.table
}

// scalars lists the scalars below a struct, also those in sections.
func (f *Format) scalars(t reflect.Type) (all []Field) {
	for _, field := range f.Fields(t) {
		switch field.Shape {
		case Leaf:
			all = append(all, field)
		case Section:
			for _, inner := range f.scalars(field.Type) {
				inner.Key = Join(field.Name, inner.Key)
				all = append(all, inner.within(&field))
			}
		}
	}
	return all
}

// within returns the field of a struct as one of the struct around it.
func (f Field) within(section *Field) Field {
	f.index = append(slices.Clone(section.index), f.index...)
	return f
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

// Fields returns what a file can hold of a struct, as declared. The caller must not change the list.
func (f *Format) Fields(t reflect.Type) []Field {
	if all, ok := f.fields.Load(t); ok { // tags are slow to read, and a file has many sections
		return all.([]Field)
	}
	all := f.read(t)
	f.fields.Store(t, all)
	return all
}

func (f *Format) read(t reflect.Type) (all []Field) {
	for field := range t.Fields() {
		if field.Anonymous {
			for _, inner := range f.Fields(field.Type) {
				all = append(all, inner.within(&Field{index: field.Index}))
			}
			continue
		}
		if name := field.Tag.Get("yaml"); name != "" && name != "-" {
			all = append(all, Field{
				Key: name, Name: name, Naming: Naming{Doc: field.Tag.Get("doc")},
				Least: field.Tag.Get("least"), Most: field.Tag.Get("most"),
				Group: field.Tag.Get("group"),
				Shape: f.ShapeOf(field.Type), Type: field.Type, index: field.Index,
			})
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

// Join returns the dotted key of a name in a section; the section of the top is "".
func Join(section, name string) string {
	if section == "" {
		return name
	}
	return section + "." + name
}

// A Scalar is the text form of the values of one type: in files, in settings, and in the schema that editors read.
type Scalar struct {
	Form   string // what a value looks like, such as "time such as 300ms or 10s"
	Read   func(into reflect.Value, text string) error
	Write  func(reflect.Value) string
	Schema Schema
	Hint   string // ends the error about a value that is none, where no other is near
	Most   string // the greatest value, where the schema can't say it in numbers
}

// A Schema is what JSON Schema says of the values: each field is a keyword, and AnyOf lists types.
type Schema struct {
	Type, Pattern                string
	Enum                         []any
	AnyOf                        []string
	Minimum, Maximum, MultipleOf json.Number
}

// NewScalar returns the form of a type.
func NewScalar[T any](form string, read func(string) (T, error), write func(T) string, schema Schema) Scalar {
	return Scalar{Form: form, Schema: schema,
		Read: func(into reflect.Value, text string) error {
			v, err := read(text)
			if err == nil {
				into.Set(reflect.ValueOf(v))
			}
			return err
		},
		Write: func(v reflect.Value) string { return write(v.Interface().(T)) },
	}
}

// NewEnum returns the form of a type with a few named values, which are numbered as in the list.
func NewEnum[T ~uint8](names []string) Scalar {
	return NewScalar(strings.Join(names, "|"),
		func(text string) (T, error) {
			if i := slices.Index(names, text); i >= 0 {
				return T(i), nil
			}
			return 0, strconv.ErrSyntax
		},
		func(v T) string { return Name(names, v) },
		Schema{Type: "string", Enum: anys(names)})
}

func anys(names []string) []any {
	all := make([]any, len(names))
	for i, n := range names {
		all[i] = n
	}
	return all
}

// Name returns the name of a value, or its number if it has none.
func Name[T ~uint8](names []string, v T) string {
	if int(v) < len(names) {
		return names[v]
	}
	return strconv.Itoa(int(v))
}

// UpTo returns the form with a greatest value. A text of the pattern that can't be read is out of range.
func (s Scalar) UpTo(most string) Scalar {
	pattern, read := regexp.MustCompile(s.Schema.Pattern), s.Read
	s.Most = most
	s.Read = func(into reflect.Value, text string) error {
		err := read(into, text)
		if err != nil && pattern.MatchString(text) {
			return strconv.ErrRange
		}
		return err
	}
	return s
}

// TextPattern matches text without control characters other than spaces.
const TextPattern = `[^\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f]*`

const textForm = "text"

// Text is the form of prose. Line breaks become spaces, and control characters are rejected: text is printed later, and
// a terminal must not take part of it for a command.
var Text = NewScalar(textForm, func(v string) (string, error) {
	v = strings.Join(strings.Fields(v), " ")
	if strings.ContainsFunc(v, unicode.IsControl) {
		return "", strconv.ErrSyntax
	}
	return v, nil
}, func(v string) string { return v }, Schema{Type: "string", Pattern: "^" + TextPattern + "$"})

// Bool is the form of true and false.
var Bool = NewScalar("true|false", func(v string) (bool, error) {
	if v != "true" && v != "false" {
		return false, strconv.ErrSyntax
	}
	return v == "true", nil
}, strconv.FormatBool, Schema{Type: "boolean"})

// Write returns a scalar as files write it.
func (f *Format) Write(v reflect.Value) string { return f.Scalars[v.Type()].Write(v) }

// want returns what a form accepts, for messages: one of its words, or a thing.
func (s *Scalar) want() string {
	form := strings.ReplaceAll(s.Form, "|", " or ")
	if form != s.Form || s.Form == textForm {
		return form
	}
	return "a " + form
}

// limits returns what to write in place of a value that is out of range.
func (s *Scalar) limits(f *Field) string {
	switch {
	case s.Most != "":
		return "up to " + s.Most
	case f.Most != "":
		return f.Least + " to " + f.Most
	case s.Schema.Minimum == "0":
		return "0 to " + string(s.Schema.Maximum)
	}
	return "up to " + string(s.Schema.Maximum)
}
