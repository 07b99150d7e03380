package size

import (
	"errors"
	"math/big"
	"math/bits"
	"strconv"
	"strings"
	"time"

	"github.com/lockstorm/lockstorm/faults"
)

// A Line is a line of a schedule with random amounts, lengths and moments: ~DIST replaces a word, with a sign before it
// where the word has one, and +- for a random sign. Draw makes plain faults of it.
//
//	at 2s pause c1 for ~loguniform(10ms,1m)
//	when any acquired +~uniform(0s,10s) restart a-node for ~weibull(20s,0.7,10m)
//	at ~uniform(0s,30s) jump nodes +-~exponential(1s,1m)
//	at ~poisson(6/1h) drift a-client ~uniform(-200ppm,200ppm)
//
// A line hits once. A line at ~poisson(N/TIME) hits as often as a Poisson process with N events in a TIME, each time
// with new draws; TIME is a duration, or day or year.
type Line struct {
	text  string
	words []drawnWord
	every time.Duration // the mean time between two hits of a Poisson process; 0 for a line that hits once
}

// A drawnWord is a random word of a line: text[start:end].
type drawnWord struct {
	start, end int
	sign       string // before the ~
	dist       Dist   // zero for the moments of a Poisson process
}

// unitary is the time between two events of a Poisson process with a mean of one event a second.
var unitary = func() Dist {
	d, err := Parse("exponential(1000000us,60s)")
	if err != nil {
		panic(err)
	}
	return d
}()

// ParseLine reads a line. The error is a faults.SyntaxError without the number of the line.
func ParseLine(text string) (Line, error) {
	l := Line{text: text}
	for at := 0; at < len(text); {
		at += len(text[at:]) - len(strings.TrimLeft(text[at:], " \t"))
		word, _, _ := strings.Cut(text[at:], " ")
		sign, dist, drawn := strings.Cut(word, "~")
		if drawn {
			if err := l.add(drawnWord{start: at, end: at + len(word), sign: sign}, dist); err != nil {
				return l, err
			}
		}
		at += len(word)
	}
	return l, l.tried()
}

// add adds a random word.
func (l *Line) add(w drawnWord, text string) (err error) {
	wrong := func(column int, want string) error {
		return &faults.SyntaxError{Column: w.start + column, Found: l.text[w.start:w.end], Want: want}
	}
	if w.sign != "" && w.sign != "+" && w.sign != "-" && w.sign != "+-" {
		return wrong(1, "a distribution such as ~uniform(1ms,10s), with +, - or +- before the ~, or nothing")
	}
	if rate, is := strings.CutPrefix(text, "poisson("); is {
		if strings.TrimSpace(l.text[:w.start]) != "at" || w.sign != "" {
			return wrong(1, "poisson after “at”: it is a rate, not an amount")
		}
		if l.every, err = parseRate(strings.TrimSuffix(rate, ")")); err != nil || !strings.HasSuffix(rate, ")") {
			return wrong(len("~poisson(")+1, "a rate such as ~poisson(6/1h) or ~poisson(0.5/day)")
		}
	} else if w.dist, err = Parse(text); err != nil {
		var place *Error
		errors.As(err, &place)
		return wrong(len(w.sign)+1+place.Column, "a distribution such as ~uniform(1ms,10s); "+place.Problem)
	} else if w.sign != "" && w.dist.Quantile(0) < 0 {
		return wrong(1, "either a sign before the ~ or amounts below 0, not both")
	}
	l.words = append(l.words, w)
	return nil
}

// parseRate reads N/TIME, and returns TIME/N.
func parseRate(text string) (time.Duration, error) {
	count, per, _ := strings.Cut(text, "/")
	d, err := time.ParseDuration(per)
	switch per {
	case "day":
		d, err = 24*time.Hour, nil
	case "year":
		d, err = 8766*time.Hour, nil
	}
	n, ok := new(big.Rat).SetString(count)
	if err != nil || !ok || len(count) > 20 || strings.ContainsAny(count, "eE/") || n.Sign() <= 0 || d <= 0 ||
		d > time.Duration(amountMost) {
		return 0, strconv.ErrSyntax
	}
	n.Quo(new(big.Rat).SetInt64(int64(d)), n)
	every := new(big.Int).Quo(n.Num(), n.Denom())
	if !every.IsInt64() || every.Sign() == 0 {
		return 0, strconv.ErrRange
	}
	return time.Duration(every.Int64()), nil
}

// tried rejects a line that is no fault for any draw, and one that is no fault at an end of its distributions, unless
// an amount is 0 there.
func (l *Line) tried() error {
	good := false
	var last *faults.SyntaxError
	for _, share := range []int64{One / 2, One, 0} {
		line, none := l.at(share, true)
		s, err := faults.Parse(line)
		if good = good || len(s) == 1; errors.As(err, &last) {
			last.Line, last.Column = 0, l.column(line, last)
			last.Found, _, _ = strings.Cut(l.text[last.Column-1:], " ")
			if !none {
				return last
			}
		}
	}
	switch {
	case good:
		return nil
	case last == nil:
		return &faults.SyntaxError{Column: 1, Want: "the line of a fault"}
	}
	return last
}

// column returns the column in l of an error in its plain line.
func (l *Line) column(drawn string, wrong *faults.SyntaxError) int {
	word := len(strings.Fields(drawn[:wrong.Column-1]))
	for at := 0; ; word-- {
		at += len(l.text[at:]) - len(strings.TrimLeft(l.text[at:], " \t"))
		if word == 0 || at == len(l.text) {
			return at + 1
		}
		at += len(strings.Fields(l.text[at:])[0])
	}
}

// with returns the line with a plain word for each random one.
func (l *Line) with(draw func(drawnWord) string) string {
	var b strings.Builder
	behind := 0
	for _, w := range l.words {
		b.WriteString(l.text[behind:w.start])
		b.WriteString(draw(w))
		behind = w.end
	}
	b.WriteString(l.text[behind:])
	return b.String()
}

// at returns the line with the same quantile for each random word, and reports whether any amount in it is 0. minus
// chooses a random sign.
func (l *Line) at(share int64, minus bool) (line string, none bool) {
	line = l.with(func(w drawnWord) string {
		n := w.dist.Quantile(share)
		none = none || n == 0 && len(w.dist.points) > 0
		return w.written(n, minus)
	})
	return line, none
}

// written returns an amount as a word of the line.
func (w drawnWord) written(n int64, minus bool) string {
	switch {
	case w.sign == "+-" && minus:
		return "-" + w.dist.Word(n)
	case w.sign == "+-", w.sign == "" && w.dist.Quantile(0) < 0 && n >= 0:
		return "+" + w.dist.Word(n)
	}
	return w.sign + w.dist.Word(n)
}

// Ends returns the faults of the line with the smallest, middle and largest draws. It leaves out those with an amount
// of 0, which may be no faults.
func (l Line) Ends() (all faults.Schedule) {
	for _, share := range []int64{0, One / 2, One} {
		if line, none := l.at(share, false); !none {
			s, _ := faults.Parse(line)
			all = append(all, s...)
		}
	}
	return all
}

// String returns the text that ParseLine reads.
func (l Line) String() string { return l.text }

// Expected returns how often the line hits within a time on average, rounded up.
func (l Line) Expected(span time.Duration) int {
	if l.every == 0 {
		return 1
	}
	return int((span + l.every - 1) / l.every)
}

// Draw draws the faults of a line, up to most. The faults of a Poisson process hit within the span. A fault that does
// nothing, because an amount is 0, is left out.
func (l Line) Draw(c faults.Source, span time.Duration, most int) (drawn faults.Schedule) {
	t := time.Duration(0)
	for len(drawn) < most {
		if l.every > 0 {
			high, low := bits.Mul64(uint64(unitary.Draw(c)), uint64(l.every))
			if high >= uint64(time.Second) {
				break
			}
			wait, _ := bits.Div64(high, low, uint64(time.Second))
			if wait > uint64(span-t) {
				break
			}
			t += time.Duration(wait)
		}
		line := l.with(func(w drawnWord) string {
			if len(w.dist.points) == 0 {
				return t.Truncate(time.Microsecond).String()
			}
			n := w.dist.Draw(c)
			return w.written(n, w.sign == "+-" && c.Below(2) == 1)
		})
		if f, err := faults.Parse(line); err == nil {
			drawn = append(drawn, f...)
		}
		if l.every == 0 {
			break
		}
	}
	return drawn
}
