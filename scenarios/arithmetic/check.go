package arithmetic

import (
	"fmt"

	"pgregory.net/rapid"
)

// A Flaw is a law that rules break, at the smallest numbers that were found.
type Flaw struct {
	Law      Law
	Numbers  Numbers
	Sentence string // what is wrong there, with the arithmetic
	rules    *Rules
}

// String returns the flaw as one sentence after the law's name.
func (f *Flaw) String() string { return f.Law.Name + ": " + f.Sentence }

// Applies reports whether the rules have what the law is about.
func (l Law) Applies(r Rules) bool { return l.asked(&r) }

// Property returns the law as a property for rapid. It fails where the rules break the law, and calls found with each
// such flaw; the last is the smallest.
func (l Law) Property(r Rules, found func(Flaw)) func(*rapid.T) {
	return func(t *rapid.T) {
		n := l.draw(t, &r)
		sentence, broken := l.judge(&r, n)
		if broken {
			found(Flaw{l, n, sentence, &r})
			t.Fatalf("%s: %s", l.Name, sentence)
		}
	}
}

const panics = "the rules panic"

// judge checks the law with these numbers. Rules that panic break it.
func (l Law) judge(r *Rules, n Numbers) (sentence string, broken bool) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case Unanswered:
			panic(p)
		default:
			sentence, broken = fmt.Sprintf("%s at %+v: %v", panics, n, p), true
		}
	}()
	return l.breaks(r, n)
}

// Unanswered is the panic value of rules that could not be asked: their result is then no flaw, but an error.
type Unanswered struct{ Err error }
