package protobuf

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// A field is one of a message.
type field struct {
	index  int    // in the struct
	number uint64 // on the wire
}

// known has the fields of each type of message that was seen, in the order of their numbers.
var known sync.Map

func fieldsOf(t reflect.Type) []field {
	if all, ok := known.Load(t); ok {
		return all.([]field)
	}
	var all []field
	for i := range t.NumField() {
		if words := strings.Split(t.Field(i).Tag.Get("protobuf"), ","); len(words) > 1 {
			n, err := strconv.ParseUint(words[1], 10, 29)
			if err != nil {
				panic("protobuf: " + t.String() + " has a field without a number")
			}
			all = append(all, field{i, n})
		}
	}
	slices.SortFunc(all, func(a, b field) int { return cmp.Compare(a.number, b.number) })
	known.Store(t, all)
	return all
}

// The types of values on the wire.
const (
	varint    = 0
	delimited = 2
)

// Marshal returns a message as bytes.
func Marshal(m any) ([]byte, error) { return appendMessage([]byte{}, reflect.ValueOf(m)), nil }

// appendMessage appends the fields of a message that are there.
func appendMessage(b []byte, m reflect.Value) []byte {
	if m.IsNil() {
		return b
	}
	for _, f := range fieldsOf(m.Type().Elem()) {
		b = appendField(b, f.number, m.Elem().Field(f.index))
	}
	return b
}

func appendField(b []byte, number uint64, v reflect.Value) []byte {
	if v.IsNil() {
		return b
	}
	switch e := v.Type().Elem(); {
	case v.Kind() == reflect.Slice && e.Kind() == reflect.Uint8:
		return append(binary.AppendUvarint(tag(b, number, delimited), uint64(v.Len())), v.Bytes()...)
	case v.Kind() == reflect.Slice:
		for i := range v.Len() {
			if x := v.Index(i); e.Kind() == reflect.Pointer {
				b = appendField(b, number, x)
			} else {
				b = binary.AppendUvarint(tag(b, number, varint), plain(x))
			}
		}
		return b
	case e.Kind() == reflect.Struct:
		return appendMessage(binary.AppendUvarint(tag(b, number, delimited), uint64(size(v))), v)
	}
	return binary.AppendUvarint(tag(b, number, varint), plain(v.Elem()))
}

func tag(b []byte, number uint64, kind uint64) []byte { return binary.AppendUvarint(b, number<<3|kind) }

// plain returns a number, an enum or a boolean as the wire has it.
func plain(v reflect.Value) uint64 {
	switch v.Kind() {
	case reflect.Uint64:
		return v.Uint()
	case reflect.Int32:
		return uint64(v.Int())
	case reflect.Bool:
		if v.Bool() {
			return 1
		}
		return 0
	}
	panic("protobuf: there is no form for " + v.Type().String())
}

// Size returns how many bytes Marshal makes of a message.
func Size(m any) int { return size(reflect.ValueOf(m)) }

func size(m reflect.Value) (n int) {
	if m.IsNil() {
		return 0
	}
	for _, f := range fieldsOf(m.Type().Elem()) {
		n += fieldSize(f.number, m.Elem().Field(f.index))
	}
	return n
}

func fieldSize(number uint64, v reflect.Value) (n int) {
	if v.IsNil() {
		return 0
	}
	lead := digits(number << 3)
	within := func(n int) int { return lead + digits(uint64(n)) + n }
	switch e := v.Type().Elem(); {
	case v.Kind() == reflect.Slice && e.Kind() == reflect.Uint8:
		return within(v.Len())
	case v.Kind() == reflect.Slice:
		for i := range v.Len() {
			if x := v.Index(i); e.Kind() == reflect.Pointer {
				n += fieldSize(number, x)
			} else {
				n += lead + digits(plain(x))
			}
		}
		return n
	case e.Kind() == reflect.Struct:
		return within(size(v))
	}
	return lead + digits(plain(v.Elem()))
}

// digits returns how many bytes a number takes.
func digits(n uint64) int { return max((bits.Len64(n)+6)/7, 1) }

// errWrong is the error about bytes that are no message.
var errWrong = errors.New("protobuf: the bytes are no message")

// Unmarshal reads a message that is empty.
func Unmarshal(b []byte, m any) error {
	reflect.ValueOf(m).Elem().SetZero()
	return read(b, reflect.ValueOf(m).Elem())
}

func read(b []byte, m reflect.Value) error {
	for len(b) > 0 {
		key, n := binary.Uvarint(b)
		if n <= 0 {
			return errWrong
		}
		value, k := binary.Uvarint(b[n:])
		if b = b[n:]; k <= 0 {
			return errWrong
		}
		b = b[k:]
		var content []byte
		switch key & 7 {
		case varint:
		case delimited:
			if value > uint64(len(b)) {
				return errWrong
			}
			content, b = b[:value:value], b[value:]
		default:
			return errWrong
		}
		all := fieldsOf(m.Type())
		i := slices.IndexFunc(all, func(f field) bool { return f.number == key>>3 })
		if i < 0 {
			return fmt.Errorf("protobuf: %s has no field %d", m.Type(), key>>3)
		}
		if err := set(m.Field(all[i].index), value, content); err != nil {
			return err
		}
	}
	return nil
}

// set sets a field, or adds to one that is repeated.
func set(v reflect.Value, value uint64, content []byte) error {
	t := v.Type()
	if t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8 {
		v.SetBytes(append([]byte{}, content...))
		return nil
	}
	if t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Pointer {
		x := reflect.New(t.Elem().Elem())
		v.Set(reflect.Append(v, x))
		return read(content, x.Elem())
	}
	if t.Kind() == reflect.Slice {
		v.Set(reflect.Append(v, reflect.ValueOf(value)))
		return nil
	}
	x := reflect.New(t.Elem())
	v.Set(x)
	switch x.Elem().Kind() {
	case reflect.Struct:
		return read(content, x.Elem())
	case reflect.Uint64:
		x.Elem().SetUint(value)
	case reflect.Int32:
		x.Elem().SetInt(int64(int32(value)))
	case reflect.Bool:
		x.Elem().SetBool(value != 0)
	default:
		panic("protobuf: there is no form for " + t.String())
	}
	return nil
}

// Clone returns a copy of a message that shares nothing with it.
func Clone(m any) any { return clone(reflect.ValueOf(m)).Interface() }

func clone(m reflect.Value) reflect.Value {
	if m.IsNil() {
		return m
	}
	c := reflect.New(m.Type().Elem())
	for _, f := range fieldsOf(m.Type().Elem()) {
		c.Elem().Field(f.index).Set(copied(m.Elem().Field(f.index)))
	}
	return c
}

func copied(v reflect.Value) reflect.Value {
	if v.IsNil() {
		return v
	}
	switch e := v.Type().Elem(); {
	case v.Kind() == reflect.Slice:
		c := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		reflect.Copy(c, v)
		for i := 0; e.Kind() == reflect.Pointer && i < v.Len(); i++ {
			c.Index(i).Set(clone(v.Index(i)))
		}
		return c
	case e.Kind() == reflect.Struct:
		return clone(v)
	}
	c := reflect.New(v.Type().Elem())
	c.Elem().Set(v.Elem())
	return c
}

// Equal reports whether two messages of one type have the same fields with the same values, and whether both are there.
func Equal(a, b any) bool {
	x, y := reflect.ValueOf(a), reflect.ValueOf(b)
	return x.IsNil() == y.IsNil() && bytes.Equal(appendMessage(nil, x), appendMessage(nil, y))
}

// Enums returns the names of the values of each enum of a file, in the order of its descriptor. In that message, field
// 5 is an enum. Its field 2 is a value, with its name as field 1 and its number as field 2.
func Enums(descriptor []byte) (all []map[int32]string) {
	walk(descriptor, func(number, _ uint64, enum []byte) {
		if number != 5 {
			return
		}
		names := map[int32]string{}
		walk(enum, func(number, _ uint64, value []byte) {
			if number != 2 {
				return
			}
			name, n := "", int32(0)
			walk(value, func(number, v uint64, content []byte) {
				switch number {
				case 1:
					name = string(content)
				case 2:
					n = int32(v)
				}
			})
			names[n] = name
		})
		all = append(all, names)
	})
	return all
}

// walk shows the fields of a message that has no type.
func walk(b []byte, show func(number, value uint64, content []byte)) {
	for len(b) > 0 {
		key, n := binary.Uvarint(b)
		value, k := binary.Uvarint(b[max(n, 0):])
		if n <= 0 || k <= 0 || key&7 != varint && (key&7 != delimited || value > uint64(len(b)-n-k)) {
			panic(errWrong)
		}
		b = b[n+k:]
		var content []byte
		if key&7 == delimited {
			content, b = b[:value], b[value:]
		}
		show(key>>3, value, content)
	}
}
