package forms

import (
	"bytes"
	"strconv"
)

// This file reads JSON, as edn.go reads EDN.

func (r *Reader) jsonForm(i, depth int) int {
	switch c := r.buf[i]; {
	case c == '{' || c == '[':
		return r.kids(r.add(opens[c], i), i+1, closes[c], depth)
	case c == '"':
		return r.text(i)
	case c == '-' || c >= '0' && c <= '9':
		return r.word(i, r.jsonToken(i), jsonNumberKind, "a number, such as 7 or 7.5e3")
	case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z':
		return r.word(i, r.jsonToken(i), literalKind,
			"a value: an object, an array, a string, a number, true, false or null")
	}
	return r.refuse(i, "found %s; want a value, such as an object", r.found(i))
}

// separated goes over what comes before an element of an array, or before the value of a pair in an object: a comma, if
// there have been others, and a key with its colon.
func (r *Reader) separated(n, i int, closing byte, count int) int {
	if count > 0 && r.buf[i] != ',' {
		return r.refuse(i, "found %s; want a comma, or %q, which closes the %q at %v",
			r.found(i), closing, r.opening(n), r.place(int(r.nodes[n].from)))
	}
	if count > 0 {
		i = r.solid(i+1, 0, "an element after the comma")
	}
	if i < 0 || r.nodes[n].kind != Map {
		return i
	}
	if r.buf[i] != '"' {
		return r.refuse(i, "found %s; want a key in quotes", r.found(i))
	}
	switch i = r.solid(r.text(i), 0, "a colon after the key"); {
	case i < 0:
		return -1
	case r.buf[i] != ':':
		return r.refuse(i, "found %s; want a colon after the key", r.found(i))
	}
	return r.solid(i+1, 0, "a value after the colon")
}

// jsonToken returns where the letters, digits, points and signs end that begin at i.
func (r *Reader) jsonToken(i int) int {
	for i < len(r.buf) && (class[r.buf[i]] == digit || class[r.buf[i]] == letter && r.buf[i] != ':') {
		i++
	}
	if i == len(r.buf) && !r.eof {
		return r.short("the rest of a word")
	}
	return i
}

func literalKind(t []byte) (Kind, bool) {
	if string(t) == "null" {
		return Nil, true
	}
	return Bool, string(t) == "true" || string(t) == "false"
}

func jsonNumberKind(t []byte) (Kind, bool) {
	kind, ok := numberKind(t)
	base, _ := radix(bytes.TrimLeft(t, "+-"))
	return kind, ok && base == 0 && kind != Ratio && t[len(t)-1] != 'N' && t[len(t)-1] != 'M' && !barePoint(t)
}

// barePoint reports whether a number has a point without a digit after it, which EDN allows.
func barePoint(t []byte) bool {
	n := bytes.IndexByte(t, '.')
	return n >= 0 && (n+1 == len(t) || class[t[n+1]] != digit)
}

// looksJSON reports whether a text that begins so is JSON, not EDN. They look alike until the first key of the first
// map.
func looksJSON(t []byte) bool {
	t = bytes.TrimLeft(t, " \t\r\n")
	if len(t) > 0 && t[0] == '[' {
		t = bytes.TrimLeft(t[1:], " \t\r\n")
	}
	if len(t) == 0 || t[0] != '{' {
		return false
	}
	t = bytes.TrimLeft(t[1:], " \t\r\n")
	if len(t) == 0 || t[0] != '"' {
		return false
	}
	for i := 1; i < len(t); i++ {
		if t[i] == '"' && !escaped(t[1:i]) {
			return colon(t[i+1:])
		}
	}
	return false
}

// colon reports whether the text after a key continues as in JSON: with a colon that does not begin a keyword.
func colon(t []byte) bool {
	near := bytes.TrimLeft(t, " \t\r\n")
	if len(near) == 0 || near[0] != ':' {
		return false
	}
	if len(near) == len(t) || len(near) == 1 {
		return true
	}
	word := near[1:]
	for _, value := range []string{"true", "false", "null"} {
		if bytes.HasPrefix(word, []byte(value)) {
			return true
		}
	}
	return class[word[0]] != letter || word[0] == '-'
}

// appendNumber appends a number of JSON in one way: without zeros at the ends, and with an exponent only if it is far
// from 0.
func appendNumber(dst, text []byte) []byte {
	mantissa, power, _ := bytes.Cut(bytes.ToLower(text), []byte("e"))
	exponent, err := strconv.Atoi(string(power))
	if err != nil && len(power) > 0 {
		return append(dst, text...) // an exponent beyond any computer
	}
	digits, negative := bytes.CutPrefix(mantissa, []byte("-"))
	before, after, _ := bytes.Cut(digits, []byte("."))
	digits = append(append([]byte(nil), before...), after...)
	exponent -= len(after)
	for len(digits) > 0 && digits[len(digits)-1] == '0' {
		digits = digits[:len(digits)-1]
		exponent++
	}
	digits = bytes.TrimLeft(digits, "0")
	switch {
	case len(digits) == 0:
		return append(dst, '0')
	case negative:
		dst = append(dst, '-')
	}
	if short := len(digits) + exponent; exponent < 0 && -20 < short && short <= 0 {
		digits = append(bytes.Repeat([]byte("0"), 1-short), digits...)
	}
	if point := len(digits) + exponent; exponent < 0 && point > 0 {
		return append(append(append(dst, digits[:point]...), '.'), digits[point:]...)
	}
	dst = append(dst, digits...)
	if 0 <= exponent && exponent < 20 {
		return append(dst, bytes.Repeat([]byte("0"), exponent)...)
	}
	return strconv.AppendInt(append(dst, 'e'), int64(exponent), 10)
}
