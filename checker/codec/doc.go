// Package codec writes histories in JSON lines and in Jepsen's EDN, and reads those that were recorded anywhere.
//
// # The law
//
// Reading.Read reads back what AppendJSON and AppendEDN wrote, unchanged. It rejects what it does not understand, with
// the line and column, what it found there, and what would be right. It never guesses: a verdict on a misread history
// is worth less than none.
//
// # Words
//
// A Recording is a history that was recorded elsewhere, with the place of each of its ops in the text. A Reading says
// how to read one. A Place is a line and a column, both from 1.
//
// # The files
//
// recording reads a whole text, op one op, value its value, and owner decides at the end who acted; write writes.
//
// # Rules for callers
//
// A history to write is well formed (checker.History.Check), or it can't be read again.
package codec

import "github.com/lockstorm/lockstorm/checker/codec/internal/forms"

type (
	// A Syntax is a way to write data: EDN or JSON.
	Syntax = forms.Syntax
	// A Place is where something is in a text: its line and its column in characters, both from 1.
	Place = forms.Place
	// An Error says what is wrong with a text, and where.
	Error = forms.Error
)

// The syntaxes. With Any the beginning of the text decides.
const (
	Any  = forms.Any
	EDN  = forms.EDN
	JSON = forms.JSON
)
