package yamlform

import (
	"encoding/json"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

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
			for i, name := range names {
				if name == text {
					return T(i), nil
				}
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

// UpTo returns the form with a greatest value. A text that has the form's pattern and yet can't be read is out of range:
// its error is strconv.ErrRange.
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

// Text is the form of prose. Line breaks become spaces, and control characters are refused: text is printed later, and a
// terminal must not take part of it for a command.
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
func (f *Format) limits(s *Scalar, key string) string {
	least, greatest := f.Range(key)
	switch {
	case s.Most != "":
		return "up to " + s.Most
	case greatest != "":
		return least + " to " + greatest
	case s.Schema.Minimum == "0":
		return "0 to " + string(s.Schema.Maximum)
	}
	return "up to " + string(s.Schema.Maximum)
}
