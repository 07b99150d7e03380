package forms

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
)

// The limits of what is read.
const (
	limitBytes = 1 << 20 // the longest form, or gap between two, in bytes
	limitDepth = 100     // the deepest form, in collections within one another

	bufferBytes = 64 << 10 // the size of a read, while no form is longer

	gapTooLong = "found nothing but blanks and comments for more than 1 MiB; want the next form"
)

// A Syntax is a way to write data.
type Syntax uint8

// The syntaxes. With Any the beginning of the text decides.
const (
	Any Syntax = iota
	EDN
	JSON
)

// A Place is where something is in a text: its line and its column in characters, both from 1.
type Place struct{ Line, Column int }

// String returns the place as line:column.
func (p Place) String() string { return fmt.Sprintf("%d:%d", p.Line, p.Column) }

// An Error says what is wrong with a text, and where.
type Error struct {
	Place
	Says string
}

// Error returns line:column and what is wrong.
func (e *Error) Error() string { return e.Place.String() + ": " + e.Says }

// A Reader reads the forms of a text, one after the other.
type Reader struct {
	in      io.Reader
	eof     bool  // there is nothing more to read
	failure error // why nothing more can be read

	buf   []byte // what has been read and may still count
	at    int    // where in buf the latest form begins, or reading continues
	past  int    // where that form ends; 0 while there is none
	here  Place  // of at
	idle  int    // bytes of the gap before at
	nodes []node // the form that was read last

	json  bool
	begun bool
	outer byte // what closes the vector that all forms are in; 0 if there is none
	after bool // that has been closed
	count int  // forms read in it

	fault fault // why the current form can't be read
}

// A fault is why a form can't be read. One without words wants more of the text.
type fault struct {
	at   int
	says string
}

// NewReader makes a Reader of a text.
func NewReader(in io.Reader, s Syntax) *Reader {
	r := &Reader{in: in, buf: make([]byte, 0, bufferBytes), here: Place{1, 1}, json: s == JSON}
	r.fill()
	r.buf = bytes.TrimPrefix(r.buf, []byte("\uFEFF"))
	if s == Any {
		r.json = looksJSON(r.buf)
	}
	return r
}

// Parse reads a form that is a whole text, and was at that place of a longer one.
func Parse(text []byte, s Syntax, place Place) (Form, error) {
	r := &Reader{buf: text, eof: true, begun: true, here: place, json: s == JSON}
	return r.Next()
}

// Syntax returns the syntax of the text.
func (r *Reader) Syntax() Syntax {
	if r.json {
		return JSON
	}
	return EDN
}

// Here returns the reader's current place.
func (r *Reader) Here() Place { return r.here }

// Next returns the next form; at the end of the text the error is io.EOF. Any other is an *Error, and is final.
func (r *Reader) Next() (Form, error) {
	if r.past > 0 {
		r.advance(r.past)
		r.past, r.idle = 0, 0
	}
	for {
		r.fault, r.nodes = fault{}, r.nodes[:0]
		done := r.next()
		switch {
		case done > 0:
			return Form{r, 0}, nil
		case done == 0 && r.fault.says == "" && r.eof && r.at == len(r.buf):
			return Form{}, io.EOF
		case r.fault.says != "":
			return Form{}, r.wrong(r.fault.at, r.fault.says)
		}
		if err := r.more(); err != nil {
			return Form{}, err
		}
	}
}

// next goes to the end of the next form. It returns 1 if it found one, and 0 at the end of what has been read, at the
// end of the text, or at a fault. It is done with what comes before the form.
func (r *Reader) next() int {
	i := r.gap(r.at, 0)
	if i < 0 {
		return 0
	}
	if r.idle += i - r.at; r.idle > limitBytes {
		r.refuse(r.at, gapTooLong)
		return 0
	}
	r.advance(i)
	if !r.begun && i < len(r.buf) {
		return r.begin(i)
	}
	switch {
	case i < len(r.buf):
		return r.element(i)
	case r.eof && r.outer != 0 && !r.after:
		r.refuse(i, "found the end of the text; want %q, which closes the vector that it begins with", r.outer)
	}
	return 0
}

// begin looks whether all forms are in one vector.
func (r *Reader) begin(i int) int {
	r.begun = true
	switch c := r.buf[i]; {
	case c == '[':
		r.outer = ']'
	case c == '(' && !r.json:
		r.outer = ')'
	default:
		return r.element(i)
	}
	r.advance(i + 1)
	return r.next()
}

// element goes over one form, the first of the text or a further one.
func (r *Reader) element(i int) int {
	switch {
	case r.after:
		r.refuse(i, "found %s after the vector that the text began with; want nothing more", r.found(i))
		return 0
	case r.outer != 0 && r.buf[i] == r.outer:
		r.after = true
		r.advance(i + 1)
		return r.next()
	case r.outer != 0 && r.json && r.count > 0:
		if i = r.comma(i); i < 0 {
			return 0
		}
	}
	end := r.form(i, 0)
	if end < 0 {
		return 0
	}
	r.count++
	r.advance(i)
	r.past = end
	return 1
}

// comma goes over what separates the elements of a JSON array.
func (r *Reader) comma(i int) int {
	if r.buf[i] != ',' {
		return r.refuse(i, "found %s; want a comma, or %q at the end of the array", r.found(i), r.outer)
	}
	return r.solid(i+1, 0, "an element after the comma")
}

// form goes over one form and keeps its nodes. It returns where it ends, or -1 with a fault.
func (r *Reader) form(i, depth int) int {
	switch {
	case i < 0:
		return -1
	case depth > limitDepth:
		return r.tooDeep(i)
	case r.json:
		return r.jsonForm(i, depth)
	}
	return r.ednForm(i, depth)
}

func (r *Reader) tooDeep(i int) int {
	return r.refuse(i, "found something nested deeper than %d; want it flatter", limitDepth)
}

// refuse records a fault, and returns -1.
func (r *Reader) refuse(i int, format string, args ...any) int {
	r.fault = fault{i, fmt.Sprintf(format, args...)}
	return -1
}

// short says that the text continues beyond what has been read, or, at its end, what is missing. It returns -1.
func (r *Reader) short(format string, args ...any) int {
	if r.eof {
		return r.refuse(len(r.buf), "found the end of the text; want "+format, args...)
	}
	r.fault = fault{at: len(r.buf)}
	return -1
}

func (r *Reader) found(i int) string {
	if i >= len(r.buf) {
		return "the end of the text"
	}
	c, n := utf8.DecodeRune(r.buf[i:])
	if c == utf8.RuneError && n <= 1 || c < ' ' || c == 0x7f {
		return fmt.Sprintf("byte 0x%02x", r.buf[i])
	}
	return fmt.Sprintf("%q", string(c))
}

// add keeps a node whose text begins at i; its end is not yet known.
func (r *Reader) add(k Kind, i int) int {
	r.nodes = append(r.nodes, node{kind: k, from: int32(i)})
	return len(r.nodes) - 1
}

// atom keeps a node without any in it, and returns the end of its text.
func (r *Reader) atom(k Kind, i, end int) int {
	r.nodes = append(r.nodes, node{kind: k, from: int32(i), to: int32(end), end: int32(len(r.nodes) + 1)})
	return end
}

// end records where the text of a node ends, and that all in it is there.
func (r *Reader) end(n, to int) int {
	if to >= 0 {
		r.nodes[n].to, r.nodes[n].end = int32(to), int32(len(r.nodes))
	}
	return to
}

// more reads on, or returns why that can't help.
func (r *Reader) more() error {
	switch {
	case r.failure != nil:
		return r.wrong(len(r.buf), "can't be read further: "+r.failure.Error())
	case len(r.buf)-r.at >= limitBytes && r.blank(r.at):
		return r.wrong(r.at, gapTooLong)
	case len(r.buf)-r.at >= limitBytes:
		return r.wrong(r.at, "found a form longer than 1 MiB; want a shorter one")
	}
	r.fill()
	return nil
}

// blank reports whether a gap begins at i.
func (r *Reader) blank(i int) bool {
	return class[r.buf[i]] == blank || r.buf[i] == ';' || r.buf[i] == '#' && i+1 < len(r.buf) && r.buf[i+1] == '_'
}

// fill reads until the buffer is full, after making room: at least as much as there was is free. So it goes over
// nothing more than a few times.
func (r *Reader) fill() {
	kept := copy(r.buf[:cap(r.buf)], r.buf[r.at:])
	r.buf, r.at = r.buf[:kept], 0
	if kept > cap(r.buf)/2 {
		r.buf = append(make([]byte, 0, 2*cap(r.buf)), r.buf...)
	}
	for idle := 0; !r.eof && r.failure == nil && len(r.buf) < cap(r.buf); {
		n, err := r.in.Read(r.buf[len(r.buf):cap(r.buf)])
		r.buf = r.buf[:len(r.buf)+n]
		if idle++; n > 0 {
			idle = 0
		}
		switch {
		case errors.Is(err, io.EOF):
			r.eof = true
		case err != nil:
			r.failure = err
		case idle == 100:
			r.failure = io.ErrNoProgress
		}
	}
}

func (r *Reader) advance(i int) { r.here, r.at = r.place(i), i }

// place returns the place of i, which is not before the last advance.
func (r *Reader) place(i int) Place { return r.here.over(r.buf[r.at:i]) }

// over returns the place after a text that begins here.
func (p Place) over(text []byte) Place {
	if n := bytes.Count(text, []byte{'\n'}); n > 0 {
		p = Place{p.Line + n, 1}
		text = text[bytes.LastIndexByte(text, '\n')+1:]
	}
	p.Column += utf8.RuneCount(text)
	return p
}

func (r *Reader) wrong(i int, says string) error { return &Error{r.place(i), says} }
