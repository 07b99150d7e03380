package checker

import (
	"strconv"

	"github.com/lockstorm/lockstorm/clock"
)

// A History is what clients and storage saw, in true order.
type History []Op

// An Op is one end of an operation, as Jepsen writes it: an invoke, and later the ok, fail or info that closes it.
type Op struct {
	Index   int           // its place in the history, from 0
	Time    clock.Instant // when it happened
	Process int           // the client's number, from 0; after an info it goes on under a new one, Evidence.Clients higher
	Type    Type
	F       Func
	Lock    string // the name of the lock or register; empty where there is only one
	Value   Value
	Error   string // why an operation failed, or why its outcome is not known; empty otherwise
}

// A Type says which end of an operation an Op is, and how sure its client can be.
type Type uint8

// The types of an Op. Info is an outcome that its client does not know: it may have happened, now or later, or never.
const (
	Invoke Type = iota
	OK
	Fail
	Info
)

// A Func is what an operation does.
type Func uint8

// What an operation may do.
const (
	Acquire Func = iota
	Release
	Read
	Write
	Renew         // an extension of a hold
	CompareAndSet // of a register of values
)

// A Value is what an operation carried or brought back. Which fields count follows from the Func: an acquire brings
// back Fence; a read carries Fence and brings back Plain and Fenced, the versions it saw; a write carries Fence, Plain
// and Fenced, the versions it is based on, and brings back the versions that it made, 0 where it was refused.
//
// A register of values has no versions, and numbers that stand for its values: a read brings back Data, a write carries
// it, and a compare-and-set carries Expected, which it compares with, and Data, which it sets. 0 is no value.
type Value struct {
	Fence  uint64
	Plain  uint64
	Fenced uint64

	Expected, Data uint32
}

// The words for each Type and Func, which are Jepsen's, and those of the files.
var (
	types = [...]string{Invoke: "invoke", OK: "ok", Fail: "fail", Info: "info"}
	funcs = [...]string{Acquire: "acquire", Release: "release", Read: "read", Write: "write", Renew: "renew", CompareAndSet: "cas"}
)

// String returns the type in Jepsen's word: invoke, ok, fail or info.
func (t Type) String() string { return word(types[:], uint8(t), "type") }

// String returns the function in one word: acquire, release, read, write, renew or cas.
func (f Func) String() string { return word(funcs[:], uint8(f), "func") }

// word returns the i-th word, or the kind and the number if there is none.
func word(words []string, i uint8, kind string) string {
	if int(i) < len(words) {
		return words[i]
	}
	return kind + " " + strconv.Itoa(int(i))
}
