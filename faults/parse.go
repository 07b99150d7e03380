package faults

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/lockstorm/lockstorm/clock"
)

// A SyntaxError says where a schedule's text is wrong, what was found there, and what would be right.
type SyntaxError struct {
	Line, Column int // both from 1; the column counts bytes. Line 0 leaves the place to the caller
	Found, Want  string
	Hint         string // the nearest words, as Suggest returns them
}

// Error returns the error in one line.
func (e *SyntaxError) Error() string {
	found := "the end of the line"
	if e.Found != "" {
		found = strconv.Quote(e.Found) // which shows odd spaces, too
	}
	text := fmt.Sprintf("found %s; want %s%s", found, e.Want, e.Hint)
	if e.Line == 0 {
		return text
	}
	return fmt.Sprintf("%d:%d: %s", e.Line, e.Column, text)
}

// Parse reads a schedule's text: one fault per line, as String writes it. It ignores empty lines, and what follows a #.
// The error joins the first SyntaxError of each wrong line.
func Parse(text string) (Schedule, error) {
	s, _, err := ParseLines(text)
	return s, err
}

// ParseLines reads like Parse, and also returns the line of each fault, from 1, so that a caller can say which line a
// Complaint is about.
func ParseLines(text string) (s Schedule, lines []int, err error) {
	var wrong []error
	for i, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "#")
		p := parser{line: i + 1, text: line}
		if p.next(); p.word == "" {
			continue
		}
		f := p.fault()
		if p.err != nil {
			wrong = append(wrong, p.err)
			continue
		}
		s, lines = append(s, f), append(lines, p.line)
	}
	if wrong != nil {
		return nil, nil, errors.Join(wrong...)
	}
	return s, lines, nil
}

// A parser reads one line, word by word. After the first error it reads no further, and returns zero values.
type parser struct {
	line int
	text string // the rest of the line
	read int    // how many bytes of the line it has read
	word string // the current word; empty at the end of the line
	at   int    // its column
	err  error
}

// next moves to the next word.
func (p *parser) next() {
	rest := strings.TrimLeft(p.text, " \t\r")
	p.read += len(p.text) - len(rest)
	end := strings.IndexAny(rest, " \t\r")
	if end < 0 {
		end = len(rest)
	}
	p.word, p.text, p.at = rest[:end], rest[end:], p.read+1
	p.read += end
}

// fail notes what would have been right, with the nearest of these words.
func (p *parser) fail(want string, words ...string) {
	if p.err == nil {
		p.err = &SyntaxError{Line: p.line, Column: p.at, Found: p.word, Want: want, Hint: Suggest(p.word, words)}
	}
}

// take returns the current word, a name, and moves to the next.
func (p *parser) take(want string) string {
	word := p.word
	if word == "" || word == "for" || strings.ContainsAny(word, "|>") {
		p.fail(want)
	}
	if p.err == nil {
		p.next()
	}
	return word
}

// accept moves on if this is the current word.
func (p *parser) accept(word string) bool {
	if p.err != nil || p.word != word {
		return false
	}
	p.next()
	return true
}

// expect moves on from this word, and fails at any other.
func (p *parser) expect(word string) {
	if !p.accept(word) {
		p.fail("“" + word + "”")
	}
}

// read returns the value of a word. If the reader rejects it, that is an error at the word's column.
func read[T any](p *parser, want string, reader func(string) (T, error), words ...string) (v T) {
	if p.err != nil {
		return v
	}
	v, err := reader(p.word)
	if err != nil || p.word == "" {
		p.fail(want, words...)
		return v
	}
	p.next()
	return v
}

// fault reads a whole line.
func (p *parser) fault() (f Fault) {
	switch {
	case p.accept("at"):
		f.At = clock.Instant(p.duration("an instant such as 1.2s"))
	case p.accept("when"):
		f.When = p.mark()
	default:
		p.fail("“at INSTANT” or “when HOST MARK”")
	}
	// How long it lasts may come before what it does or after it. Which reads better depends on the fault.
	p.lasts(&f)
	p.what(&f)
	if f.For == 0 {
		p.lasts(&f)
	}
	if p.err == nil && p.word != "" {
		p.fail("the end of the line")
	}
	return f
}

// lasts reads "for DURATION [on HOST]", if it is there.
func (p *parser) lasts(f *Fault) {
	if !p.accept("for") {
		return
	}
	// 0 would be read as the rest of the run.
	f.For = p.atLeast(1, "a duration such as 300ms; without “for” it lasts for the rest of the run")
	if p.accept("on") {
		f.On = p.host()
	}
}

// mark reads "HOST MARK [NTH] [+AFTER]".
func (p *parser) mark() (m Mark) {
	m.Host, m.Name = p.take("a host such as c1"), p.take("a mark such as acquired")
	if p.word != "" && '0' <= p.word[0] && p.word[0] <= '9' {
		m.Nth = read(p, "an ordinal such as 2nd", parseOrdinal)
	}
	if strings.HasPrefix(p.word, "+") {
		m.After = p.duration("a duration such as +10ms")
	}
	return m
}

func parseOrdinal(word string) (int, error) {
	n, err := strconv.Atoi(strings.TrimRight(word, "stndrh"))
	if err != nil || n < 1 || ordinal(n) != word {
		return 0, strconv.ErrSyntax
	}
	if n == 1 {
		n = 0 // as String writes it
	}
	return n, nil
}

// what reads what the fault does.
func (p *parser) what(f *Fault) {
	f.Kind = read(p, "one of "+strings.Join(kindNames(), ", "), parseKind, kindNames()...)
	for _, part := range f.parts() {
		part.read(p, f)
	}
}

func parseKind(word string) (*Kind, error) {
	if k := KindNamed(word); k != nil {
		return k, nil
	}
	return nil, strconv.ErrSyntax
}

func (p *parser) host() string { return p.take("a host such as c1") }

// duration reads a time that is not negative.
func (p *parser) duration(want string) time.Duration { return p.atLeast(0, want) }

// atLeast reads a time, and rejects a shorter one.
func (p *parser) atLeast(least time.Duration, want string) time.Duration {
	return read(p, want, func(word string) (time.Duration, error) {
		d, err := time.ParseDuration(word)
		if err == nil && d < least {
			err = strconv.ErrRange
		}
		return d, err
	})
}

// shift reads a time with a sign.
func (p *parser) shift() time.Duration {
	return read(p, "a signed duration such as +11s", func(word string) (time.Duration, error) {
		if word[:min(1, len(word))] != "+" && word[:min(1, len(word))] != "-" {
			return 0, strconv.ErrSyntax
		}
		return time.ParseDuration(word)
	})
}
