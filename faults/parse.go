package faults

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/lockstorm/lockstorm/clock"
)

// A SyntaxError says where a schedule's text is wrong, what stands there, and what would be right.
type SyntaxError struct {
	Line, Column int // both from 1; the column counts bytes
	Found, Want  string
}

// Error says it in one line.
func (e *SyntaxError) Error() string {
	found := "the end of the line"
	if e.Found != "" {
		found = strconv.QuoteToGraphic(e.Found)
	}
	return fmt.Sprintf("%d:%d: found %s; want %s", e.Line, e.Column, found, e.Want)
}

// Parse reads a schedule's text: a fault a line, as String writes it. Empty lines, and what follows a #, count for
// nothing. The error joins the first SyntaxError of each line that has one.
func Parse(text string) (Schedule, error) {
	var s Schedule
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
		s = append(s, f)
	}
	if wrong != nil {
		return nil, errors.Join(wrong...)
	}
	return s, nil
}

// A parser reads one line, word by word. After the first error it reads no further, and gives zero values.
type parser struct {
	line int
	text string // what is left of the line
	read int    // how many bytes of it are behind
	word string // the word at hand; empty at the end of the line
	at   int    // the column of the word at hand
	err  error
}

// next takes the next word.
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

// fail notes what would have been right.
func (p *parser) fail(want string) {
	if p.err == nil {
		p.err = &SyntaxError{Line: p.line, Column: p.at, Found: p.word, Want: want}
	}
}

// take gives the word at hand and goes on to the next.
func (p *parser) take(want string) string {
	word := p.word
	if word == "" {
		p.fail(want)
	}
	if p.err == nil {
		p.next()
	}
	return word
}

// accept goes on if the word at hand is this one.
func (p *parser) accept(word string) bool {
	if p.err != nil || p.word != word {
		return false
	}
	p.next()
	return true
}

// expect goes on from this word, and fails at any other.
func (p *parser) expect(word string) {
	if !p.accept(word) {
		p.fail("“" + word + "”")
	}
}

// read gives what a word stands for. The reader's verdict on it is an error at the word's column.
func read[T any](p *parser, want string, reader func(string) (T, error)) (v T) {
	if p.err != nil {
		return v
	}
	v, err := reader(p.word)
	if err != nil || p.word == "" {
		p.fail(want)
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
		p.lasts(&f)
		p.what(&f)
	case p.accept("when"):
		f.When = p.mark()
		p.what(&f)
		p.lasts(&f)
	default:
		p.fail("“at INSTANT” or “when HOST MARK”")
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
	f.For = p.duration("a duration such as 300ms")
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
		n = 0 // as if nothing were said, which is how it is written
	}
	return n, nil
}

// what reads what the fault does.
func (p *parser) what(f *Fault) {
	f.Kind = read(p, "one of "+strings.Join(kinds[:], ", "), parseKind)
	switch f.Kind {
	case Pause:
		f.Host = p.host()
	case Restart:
		f.Host = p.host()
		f.Clean = p.accept("cleanly")
	case Jump:
		f.Host, f.By = p.host(), p.shift()
	case Drift:
		f.Host, f.Rate = p.host(), p.rate("a rate such as +800ppm")
	case Slew:
		f.Host, f.By = p.host(), p.shift()
		p.expect("at")
		f.Rate = p.rate("a rate such as 500ppm")
	case Partition:
		f.Groups = p.groups()
	case Cut, Hold:
		p.link(f)
	case Slow:
		p.link(f)
		p.expect("by")
		f.By = p.duration("a duration such as 5ms")
	case Lossy:
		p.link(f)
		f.Loss = read(p, "a share such as 20000ppm", parseLoss)
	}
}

func parseKind(word string) (Kind, error) {
	for i, name := range kinds {
		if name == word {
			return Kind(i), nil
		}
	}
	return 0, strconv.ErrSyntax
}

func (p *parser) host() string { return p.take("a host such as c1") }

// duration reads a time that is not negative.
func (p *parser) duration(want string) time.Duration {
	return read(p, want, func(word string) (time.Duration, error) {
		d, err := time.ParseDuration(word)
		if err == nil && d < 0 {
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

// rate reads a rate in ppm, with at most three decimals.
func (p *parser) rate(want string) clock.Rate {
	return read(p, want, func(word string) (clock.Rate, error) {
		number, isPPM := strings.CutSuffix(strings.TrimPrefix(word, "+"), "ppm")
		whole, part, _ := strings.Cut(number, ".")
		if !isPPM || len(part) > 3 || strings.ContainsAny(part, "+-") {
			return 0, strconv.ErrSyntax
		}
		n, err := strconv.ParseInt(whole+part+strings.Repeat("0", 3-len(part)), 10, 64)
		return clock.Rate(n), err
	})
}

func parseLoss(word string) (int, error) {
	number, isPPM := strings.CutSuffix(word, "ppm")
	if !isPPM {
		return 0, strconv.ErrSyntax
	}
	n, err := strconv.Atoi(number)
	if err == nil && n < 0 {
		err = strconv.ErrRange
	}
	return n, err
}

// link reads "FROM>TO".
func (p *parser) link(f *Fault) {
	ends := read(p, "a link such as c1>n2", func(word string) ([2]string, error) {
		from, to, ok := strings.Cut(word, ">")
		if !ok || from == "" || to == "" {
			return [2]string{}, strconv.ErrSyntax
		}
		return [2]string{from, to}, nil
	})
	f.From, f.To = ends[0], ends[1]
}

// groups reads "HOST … | HOST …", up to the end of the line or to "for".
func (p *parser) groups() [][]string {
	groups := [][]string{nil}
	for p.err == nil && p.word != "" && p.word != "for" {
		last := len(groups) - 1
		switch {
		case p.word != "|":
			groups[last] = append(groups[last], p.word)
		case groups[last] == nil:
			p.fail("a host such as n1")
		default:
			groups = append(groups, nil)
		}
		if p.err == nil {
			p.next()
		}
	}
	if groups[len(groups)-1] == nil {
		p.fail("a host such as n1")
	}
	return groups
}
