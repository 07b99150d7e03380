package forms

import (
	"bytes"
	"strconv"
	"unicode/utf8"
)

// This file reads EDN. Each function goes over one thing that begins at i, and returns where it ends, or -1 with a
// fault. Given -1, gap, solid, form and end return it, so that one can be called on what another returns.

// The classes of a byte in EDN. Bytes above ASCII are letters.
const (
	other  uint8 = iota
	blank        // between forms; commas are blanks
	digit        // of a number or a symbol
	letter       // of a symbol
	stop         // ends a token, and is none itself
)

// class returns the class of each byte.
var class = func() (c [256]uint8) {
	for i := 0x80; i < 0x100; i++ {
		c[i] = letter
	}
	for class, bytes := range [...]string{
		blank: " \t\n\v\f\r,", digit: "0123456789", stop: "()[]{}\";\\@^`~",
		letter: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.*+!-_?$%&=<>/:#'|",
	} {
		for i := range len(bytes) {
			c[bytes[i]] = uint8(class)
		}
	}
	return c
}()

// gap goes over blanks, comments and discarded forms.
func (r *Reader) gap(i, depth int) int {
	for i >= 0 && i < len(r.buf) {
		switch c := r.buf[i]; {
		case r.json && (c == ',' || c == '\v' || c == '\f'):
			return i
		case class[c] == blank:
			i++
		case r.json:
			return i
		case c == ';':
			n := bytes.IndexByte(r.buf[i:], '\n')
			switch {
			case n >= 0:
				i += n + 1
			case r.eof:
				i = len(r.buf)
			default:
				return r.short("the end of the comment")
			}
		case c == '#' && i+1 == len(r.buf) && !r.eof:
			return r.short("the rest of a form")
		case c == '#' && i+1 < len(r.buf) && r.buf[i+1] == '_':
			i = r.discard(i, depth)
		default:
			return i
		}
	}
	return i
}

// discard goes over #_ and the form after it, and keeps nothing of it.
func (r *Reader) discard(i, depth int) int {
	if depth > limitDepth {
		return r.tooDeep(i)
	}
	kept := len(r.nodes)
	end := r.form(r.solid(i+2, depth+1, "a form after #_, which discards it"), depth+1)
	r.nodes = r.nodes[:kept]
	return end
}

// solid goes over a gap to something that must be there.
func (r *Reader) solid(i, depth int, want string) int {
	if i = r.gap(i, depth); i == len(r.buf) {
		return r.short("%s", want)
	}
	return i
}

// The collections, by what opens them: the kind of each, and what closes it.
var (
	opens  = [256]Kind{'{': Map, '[': Vector, '(': List}
	closes = [256]byte{'{': '}', '[': ']', '(': ')'}
)

func (r *Reader) ednForm(i, depth int) int {
	switch c := r.buf[i]; {
	case c == ':':
		return r.keyword(i)
	case class[c] == digit:
		return r.number(i)
	case c == '"':
		return r.text(i)
	case closes[c] != 0:
		return r.kids(r.add(opens[c], i), i+1, closes[c], depth)
	case c == '#':
		return r.dispatch(i, depth)
	case c == '\\':
		return r.char(i)
	case c == '^':
		return r.meta(i, depth)
	case (c == '+' || c == '-') && i+1 == len(r.buf) && !r.eof:
		return r.short("the rest of a number")
	case (c == '+' || c == '-') && i+1 < len(r.buf) && class[r.buf[i+1]] == digit:
		return r.number(i)
	case class[c] == letter && c != '\'':
		return r.symbol(i)
	}
	return r.refuse(i, "found %s; want a form, such as a map", r.found(i))
}

// kids goes over what is in a collection, in EDN or JSON, to what closes it.
func (r *Reader) kids(n, i int, closing byte, depth int) int {
	for count := 0; ; count++ {
		if i = r.gap(i, depth+1); i < 0 {
			return -1
		}
		if i == len(r.buf) {
			return r.short("%q, which closes the %q at %v", closing, r.opening(n), r.place(int(r.nodes[n].from)))
		}
		switch c := r.buf[i]; {
		case c == closing && !r.json && r.nodes[n].kind == Map && count%2 == 1:
			return r.refuse(i, "found %q after a key; want a value for it first", closing)
		case c == closing:
			return r.end(n, i+1)
		case r.json:
			i = r.separated(n, i, closing, count)
		case c == ')' || c == ']' || c == '}':
			return r.refuse(i, "found %q; want %q, which closes the %q at %v",
				c, closing, r.opening(n), r.place(int(r.nodes[n].from)))
		}
		if i = r.form(i, depth+1); i < 0 {
			return -1
		}
	}
}

// opening returns what opens a collection.
func (r *Reader) opening(n int) byte {
	c := r.buf[r.nodes[n].from]
	if c == '#' {
		return '{'
	}
	return c
}

// dispatch goes over what begins with #.
func (r *Reader) dispatch(i, depth int) int {
	if i+1 == len(r.buf) {
		return r.short("a tag, or { of a set, after the #")
	}
	switch c := r.buf[i+1]; {
	case c == '{':
		return r.kids(r.add(Set, i), i+2, '}', depth)
	case c == '#':
		return r.word(i, r.token(i+2), symbolicKind, "##NaN, ##Inf or ##-Inf")
	case c == ':':
		return r.tagged(i, r.keyword, '{', depth)
	case c == '"':
		return r.regex(i)
	case c == '\'':
		return r.variable(i)
	case class[c] == letter && c != '\'' && c != '/':
		return r.tagged(i, r.symbol, 0, depth)
	}
	return r.refuse(i+1, "found %s after #; want a tag, { of a set, _ to discard, or ##NaN", r.found(i+1))
}

// tagged goes over a tag and its form, which must begin with a certain byte if one is given.
func (r *Reader) tagged(i int, tag func(int) int, begins byte, depth int) int {
	n := r.add(Tagged, i)
	next := r.gap(tag(i+1), depth+1)
	switch {
	case next == len(r.buf):
		return r.short("a form after the tag at %v", r.place(i))
	case next >= 0 && begins != 0 && r.buf[next] != begins:
		return r.refuse(next, "found %s after a namespace; want a map", r.found(next))
	}
	return r.end(n, r.form(next, depth+1))
}

// regex goes over a regular expression, in which a backslash belongs to the character after it.
func (r *Reader) regex(start int) int {
	for i := start + 2; i < len(r.buf); {
		n := bytes.IndexByte(r.buf[i:], '"')
		if n < 0 {
			break
		}
		if i += n + 1; escaped(r.buf[start+2 : i-1]) {
			continue
		}
		if !utf8.Valid(r.buf[start:i]) {
			return r.refuse(start, "found bytes that are not UTF-8 in a regular expression; want UTF-8")
		}
		return r.atom(Regex, start, i)
	}
	return r.short("a quote, which closes the regular expression at %v", r.place(start))
}

// variable goes over a var, such as #'user/x.
func (r *Reader) variable(i int) int {
	end := r.token(i + 2)
	if end < 0 {
		return -1
	}
	if end == i+2 {
		return r.refuse(i, "found #' without a name after it; want the name of a var, such as #'user/x")
	}
	return r.atom(Symbol, i, end)
}

// meta goes over ^, a form of metadata, and the form that it is about, and keeps only the latter.
func (r *Reader) meta(i, depth int) int {
	if depth > limitDepth {
		return r.tooDeep(i)
	}
	kept, first := len(r.nodes), r.solid(i+1, depth+1, wantTwo)
	second := r.solid(r.form(first, depth+1), depth+1, wantTwo)
	r.nodes = r.nodes[:kept]
	return r.form(second, depth+1)
}

const wantTwo = "two forms after ^: what is said of the second, and that one"

// token returns where the token ends that begins at start.
func (r *Reader) token(start int) int {
	i, high := start, false
	for i < len(r.buf) {
		c := r.buf[i]
		if k := class[c]; k != letter && k != digit {
			break
		}
		high = high || c >= utf8.RuneSelf
		i++
	}
	switch {
	case i == len(r.buf) && !r.eof:
		return r.short("the rest of a token")
	case high && !utf8.Valid(r.buf[start:i]):
		return r.refuse(start, "found bytes that are not UTF-8 in %q; want UTF-8", short(r.buf[start:i]))
	case i-start > 1 && r.buf[i-1] == '/':
		return r.refuse(start, "found %q; want a name after the slash", short(r.buf[start:i]))
	}
	return i
}

// word goes over a token that ends at end, if it is of a kind.
func (r *Reader) word(i, end int, kind func(text []byte) (Kind, bool), want string) int {
	if end < 0 {
		return -1
	}
	if k, ok := kind(r.buf[i:end]); ok {
		return r.atom(k, i, end)
	}
	return r.refuse(i, "found %q; want "+want, short(r.buf[i:end]))
}

func (r *Reader) keyword(i int) int {
	return r.word(i, r.token(i), keywordKind, "a keyword, such as :ok")
}

func (r *Reader) symbol(i int) int {
	return r.word(i, r.token(i), symbolKind, "a symbol, or a number with a digit before its point")
}

func (r *Reader) number(i int) int {
	return r.word(i, r.token(i), numberKind, "a number, such as 7, 7.5 or 22/7")
}

func symbolicKind(t []byte) (Kind, bool) {
	return Symbolic, string(t) == "##NaN" || string(t) == "##Inf" || string(t) == "##-Inf"
}

func keywordKind(t []byte) (Kind, bool) { return Keyword, len(t) > 1 && t[1] != '/' && t[1] != ':' }

func symbolKind(t []byte) (Kind, bool) {
	switch string(t) {
	case "nil":
		return Nil, true
	case "true", "false":
		return Bool, true
	}
	return Symbol, len(t) < 2 || t[0] != '/' && (t[0] != '.' || class[t[1]] != digit)
}

// numberKind returns the kind of an integer, float or ratio.
func numberKind(t []byte) (Kind, bool) {
	if t[0] == '+' || t[0] == '-' {
		t = t[1:]
	}
	if base, rest := radix(t); base > 0 {
		return Int, len(rest) > 0 && inBase(rest, base)
	}
	n := digits(t)
	if n == 0 || n > 1 && t[0] == '0' {
		return 0, false
	}
	if t = t[n:]; len(t) == 0 || string(t) == "N" {
		return Int, true
	}
	if t[0] == '/' {
		n := digits(t[1:])
		return Ratio, n > 0 && n == len(t)-1 && len(bytes.Trim(t[1:], "0")) > 0
	}
	if t[0] == '.' {
		t = t[1+digits(t[1:]):]
	}
	if len(t) > 0 && (t[0] == 'e' || t[0] == 'E') {
		if t = t[1:]; len(t) > 0 && (t[0] == '+' || t[0] == '-') {
			t = t[1:]
		}
		n := digits(t)
		if n == 0 {
			return 0, false
		}
		t = t[n:]
	}
	return Float, len(t) == 0 || string(t) == "M"
}

// radix returns the base of an integer that names one, as 0x1F or 16r1F, and its digits; 0 if it names none.
func radix(t []byte) (base int, rest []byte) {
	if len(t) > 1 && t[0] == '0' && t[1]|0x20 == 'x' {
		return 16, t[2:]
	}
	n := digits(t)
	if n == 0 || n > 2 || n == len(t) || t[n]|0x20 != 'r' {
		return 0, nil
	}
	if base, err := strconv.Atoi(string(t[:n])); err == nil && base >= 2 && base <= 36 {
		return base, t[n+1:]
	}
	return 0, nil
}

func inBase(t []byte, base int) bool {
	for _, c := range t {
		if d := digitOf(c); d < 0 || d >= base {
			return false
		}
	}
	return true
}

// digitOf returns the value of a digit of up to base 36, or -1.
func digitOf(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c|0x20 >= 'a' && c|0x20 <= 'z':
		return int(c|0x20-'a') + 10
	}
	return -1
}

// Unsigned returns the value of an integer without its sign, and whether 64 bits hold it.
func (f Form) Unsigned() (n uint64, ok bool) {
	t := bytes.TrimLeft(f.Text(), "+-")
	base := 10
	if b, rest := radix(t); b > 0 {
		base, t = b, rest
	} else {
		t = bytes.TrimSuffix(t, []byte("N"))
	}
	n, err := strconv.ParseUint(string(t), base, 64)
	return n, err == nil
}

func digits(t []byte) (n int) {
	for n < len(t) && class[t[n]] == digit {
		n++
	}
	return n
}

// short cuts what is shown of a text in an error.
func short(t []byte) []byte {
	if len(t) > 40 {
		return append(t[:37:37], "..."...)
	}
	return t
}
