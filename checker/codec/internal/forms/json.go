package forms

import (
	"bytes"
)

// This file reads JSON, as edn.go reads EDN.

func (r *Reader) jsonForm(i, depth int) int {
	switch c := r.buf[i]; {
	case c == '{':
		return r.object(i, depth)
	case c == '[':
		return r.array(i, depth)
	case c == '"':
		return r.text(i)
	case c == '-' || c >= '0' && c <= '9':
		return r.jsonNumber(i)
	case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z':
		return r.literal(i)
	}
	return r.refuse(i, "found %s; want a value, such as an object", r.found(i))
}

func (r *Reader) object(from, depth int) int {
	n, i := r.add(Map, from), from+1
	for count := 0; ; count++ {
		if i = r.within(n, i, '}', count); i < 0 {
			return -1
		}
		if r.buf[i] == '}' && count == 0 || r.nodes[n].to > 0 {
			return r.end(n, i+1)
		}
		if r.buf[i] != '"' {
			return r.refuse(i, "found %s; want a key in quotes", r.found(i))
		}
		if i = r.text(i); i < 0 {
			return -1
		}
		if i = r.solid(i, "a colon after the key"); i < 0 {
			return -1
		}
		if r.buf[i] != ':' {
			return r.refuse(i, "found %s; want a colon after the key", r.found(i))
		}
		if i = r.solid(i+1, "a value after the colon"); i < 0 {
			return -1
		}
		if i = r.form(i, depth+1); i < 0 {
			return -1
		}
	}
}

func (r *Reader) array(from, depth int) int {
	n, i := r.add(Vector, from), from+1
	for count := 0; ; count++ {
		if i = r.within(n, i, ']', count); i < 0 {
			return -1
		}
		if r.buf[i] == ']' && count == 0 || r.nodes[n].to > 0 {
			return r.end(n, i+1)
		}
		if i = r.form(i, depth+1); i < 0 {
			return -1
		}
	}
}

// within goes to what comes next in a collection of count elements: the first or, after a comma, a further one, or what
// closes it, which it notes in the node.
func (r *Reader) within(n, i int, closing byte, count int) int {
	if i = r.gap(i, 0); i == len(r.buf) {
		return r.short("%q, which closes the %q at %v", closing, r.opening(n), r.place(int(r.nodes[n].from)))
	}
	switch c := r.buf[i]; {
	case count == 0:
		return i
	case c == closing:
		r.nodes[n].to = int32(i + 1)
		return i
	case c != ',':
		return r.refuse(i, "found %s; want a comma, or %q, which closes the %q at %v",
			r.found(i), closing, r.opening(n), r.place(int(r.nodes[n].from)))
	}
	return r.solid(i+1, "an element after the comma")
}

// word returns where the letters, digits, points and signs end that begin at i.
func (r *Reader) word(i int) int {
	for i < len(r.buf) && (class[r.buf[i]] == digit || class[r.buf[i]] == letter && r.buf[i] != ':') {
		i++
	}
	if i == len(r.buf) && !r.eof {
		return r.short("the rest of a word")
	}
	return i
}

func (r *Reader) literal(i int) int {
	end := r.word(i)
	if end < 0 {
		return -1
	}
	switch string(r.buf[i:end]) {
	case "true", "false":
		return r.atom(Bool, i, end)
	case "null":
		return r.atom(Nil, i, end)
	}
	return r.refuse(i, "found %q; want a value: an object, an array, a string, a number, true, false or null", short(r.buf[i:end]))
}

func (r *Reader) jsonNumber(i int) int {
	end := r.word(i)
	if end < 0 {
		return -1
	}
	t := r.buf[i:end]
	kind, ok := numberKind(t)
	if base, _ := radix(bytes.TrimLeft(t, "+-")); base > 0 || !ok || kind == Ratio || t[len(t)-1] == 'N' || t[len(t)-1] == 'M' || barePoint(t) {
		return r.refuse(i, "found %q; want a number, such as 7 or 7.5e3", short(t))
	}
	return r.atom(kind, i, end)
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

// colon reports whether the text after a key goes on as in JSON: with a colon that does not begin a keyword.
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
