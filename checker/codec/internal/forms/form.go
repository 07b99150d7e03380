package forms

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"unicode/utf8"
)

// A Kind says what a Form is.
type Kind uint8

// The kinds of forms. JSON has Nil, Bool, Int, Float, String, Vector and Map.
const (
	Nil      Kind = iota
	Bool          // true or false
	Int           // 7, -7, 7N
	Float         // 7.0, 7e9, 7M
	Ratio         // 22/7
	Symbolic      // ##NaN, ##Inf or ##-Inf
	Char          // \a or \newline
	String        // "a"
	Regex         // #"a+"
	Symbol        // a or a/b
	Keyword       // :a or :a/b
	List          // (1 2)
	Vector        // [1 2]
	Map           // {1 2}: keys and values in turn
	Set           // #{1 2}
	Tagged        // #a 1: a Symbol and what it is the tag of. In #:a{…} it is a Keyword
)

// kinds are the words for each Kind in an error.
var kinds = [...]string{
	Nil: "nil", Bool: "a boolean", Int: "an integer", Float: "a float", Ratio: "a ratio", Symbolic: "a symbolic value",
	Char: "a character", String: "a string", Regex: "a regular expression", Symbol: "a symbol", Keyword: "a keyword",
	List: "a list", Vector: "a vector", Map: "a map", Set: "a set", Tagged: "a tagged element",
}

// String returns the kind with its article, such as "a keyword".
func (k Kind) String() string { return kinds[k] }

// A node is one form of a tree. Nodes are in the order in which their forms begin, so a collection's nodes follow it.
type node struct {
	from, to int32 // where its text is in the buffer
	end      int32 // the first node after it and its contents
	kind     Kind
}

// A Form is one value of a text. It is good until its Reader reads on. The zero Form is none.
type Form struct {
	r  *Reader
	at int32
}

func (f Form) node() *node { return &f.r.nodes[f.at] }

// Exists reports whether there is a form at all.
func (f Form) Exists() bool { return f.r != nil }

// Kind returns the kind of the form.
func (f Form) Kind() Kind { return f.node().kind }

// Text returns the form as it is in the text.
func (f Form) Text() []byte { return f.r.buf[f.node().from:f.node().to] }

// Place returns the place where the form begins.
func (f Form) Place() Place { return f.r.place(int(f.node().from)) }

// Kids are the forms in a collection, or in a tagged element, that are still to come.
type Kids struct {
	r       *Reader
	at, end int32
}

// Kids returns the forms that are in this one: for a map its keys and values in turn. An atom has none.
func (f Form) Kids() Kids { return Kids{f.r, f.at + 1, f.node().end} }

// Next returns the next of them, and whether there is one.
func (k *Kids) Next() (Form, bool) {
	if k.at >= k.end {
		return Form{}, false
	}
	f := Form{k.r, k.at}
	k.at = k.r.nodes[k.at].end
	return f, true
}

// Name returns the name of a keyword, without its colon, or what a string says; of any other form, its text.
func (f Form) Name() []byte {
	text := f.Text()
	switch f.Kind() {
	case Keyword:
		return text[1:]
	case String:
		text = text[1 : len(text)-1]
		if bytes.IndexByte(text, '\\') >= 0 {
			return unescape(nil, text)
		}
	}
	return text
}

// Append appends the form as EDN in one line: with single spaces between its parts, as few escapes in strings as
// possible, and without comments and discarded forms.
func (f Form) Append(dst []byte) []byte { return f.append(dst, false) }

// AppendValue appends the form as Append does, but equal values alike: the integers of EDN and the numbers of JSON,
// maps and sets, whose order means nothing, and lists, which are equal to vectors.
func (f Form) AppendValue(dst []byte) []byte { return f.append(dst, true) }

func (f Form) append(dst []byte, equal bool) []byte {
	switch f.Kind() {
	case Int, Float:
		switch {
		case equal && f.r.json:
			return appendNumber(dst, f.Text())
		case equal && f.Kind() == Int:
			return append(dst, f.Numeral()...)
		}
	case List, Vector, Map, Set:
		return f.appendKids(dst, equal)
	case Tagged:
		return f.appendTagged(append(dst, '#'), equal)
	case String:
		return AppendString(dst, f.Name(), EDN)
	case Regex:
		return appendRegex(dst, f.Text())
	}
	if f.r.json && f.Kind() == Nil {
		return append(dst, "nil"...)
	}
	return append(dst, f.Text()...)
}

func (f Form) appendKids(dst []byte, equal bool) []byte {
	opening, closing := "(", byte(')')
	switch k := f.Kind(); {
	case k == Vector || k == List && equal:
		opening, closing = "[", ']'
	case k == Map:
		opening, closing = "{", '}'
	case k == Set:
		opening, closing = "#{", '}'
	}
	var parts [][]byte // the elements; of a map, each key with its value
	kids := f.Kids()
	for kid, more := kids.Next(); more; kid, more = kids.Next() {
		part := kid.append(nil, equal)
		if f.Kind() == Map {
			value, _ := kids.Next()
			part = value.append(append(part, ' '), equal)
		}
		parts = append(parts, part)
	}
	if equal && (f.Kind() == Map || f.Kind() == Set) {
		slices.SortFunc(parts, bytes.Compare)
	}
	return append(append(append(dst, opening...), bytes.Join(parts, []byte(" "))...), closing)
}

func (f Form) appendTagged(dst []byte, equal bool) []byte {
	kids := f.Kids()
	tag, _ := kids.Next()
	of, _ := kids.Next()
	dst = append(dst, tag.Text()...)
	if tag.Kind() == Symbol {
		dst = append(dst, ' ')
	}
	return of.append(dst, equal)
}

// Numeral writes an integer so that it has only one name: +1, 1N and 0x1 are 1.
func (f Form) Numeral() []byte {
	n, ok := f.Unsigned()
	switch {
	case !ok:
		return bytes.TrimSuffix(bytes.TrimPrefix(f.Text(), []byte("+")), []byte("N"))
	case n > 0 && f.Text()[0] == '-':
		return strconv.AppendUint([]byte("-"), n, 10)
	}
	return strconv.AppendUint(nil, n, 10)
}

// appendRegex appends a regular expression in one line.
func appendRegex(dst, text []byte) []byte {
	for _, c := range text {
		switch {
		case c == '\n':
			dst = append(dst, `\n`...)
		case c < ' ' || c == 0x7f:
			dst = fmt.Appendf(dst, `\u%04x`, c)
		default:
			dst = append(dst, c)
		}
	}
	return dst
}

// AppendString appends a string in quotes, as a syntax has it. Bytes that are not UTF-8 become U+FFFD.
func AppendString(dst, s []byte, syntax Syntax) []byte {
	dst = append(dst, '"')
	for len(s) > 0 {
		r, n := utf8.DecodeRune(s)
		s = s[n:]
		switch {
		case r == '"' || r == '\\':
			dst = append(dst, '\\', byte(r))
		case r == '\n' && syntax == EDN:
			dst = append(dst, `\n`...)
		case r < ' ' || r == 0x7f && syntax == EDN:
			dst = fmt.Appendf(dst, `\u%04x`, r)
		default:
			dst = utf8.AppendRune(dst, r)
		}
	}
	return append(dst, '"')
}
