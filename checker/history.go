package checker

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/lockstorm/lockstorm/clock"
)

// A History is what clients and storage saw, in true order.
type History []Op

// An Op is one end of an operation, as Jepsen writes it: an invoke, and later the ok, fail or info that closes it.
type Op struct {
	Index   int           // its place in the history, from 0
	Time    clock.Instant // when it happened
	Process int           // the client's number, from 0; after an info it is a new one, Evidence.Clients higher
	Type    Type
	F       Func
	Lock    string // the name of the lock or register; empty where there is only one
	Value   Value
	Error   string // why an operation failed, or why its outcome is not known; empty otherwise
}

// A Type says which end of an operation an Op is, and how sure its client can be.
type Type uint8

// The types of an Op. The client of an Info does not know the outcome: it may have happened, now or later, or never.
const (
	Invoke Type = iota
	OK
	Fail
	Info
)

// A Func is what an operation does.
type Func uint8

// The functions of an operation.
const (
	Acquire Func = iota
	Release
	Read
	Write
	Renew         // an extension of a hold
	CompareAndSet // of a register of values
)

// A Value is what an operation carried or brought back. The Func decides which fields count: an acquire brings back
// Fence; a read carries Fence and brings back the versions it saw, Plain and Fenced; a write carries Fence and the
// versions it is based on, and brings back the versions that it made, 0 where it was rejected.
//
// A register of values has no versions, but a number for each value: a read brings back Data, a write carries it, and a
// compare-and-set carries Expected, which it compares with, and Data, which it sets. 0 is no value.
type Value struct {
	Fence  uint64
	Plain  uint64
	Fenced uint64

	Expected, Data uint32

	Shared bool // of an acquire: others may hold the lock meanwhile, if they share it too
}

// The words for each Type and Func are Jepsen's. Files use them too.
var (
	types = [...]string{Invoke: "invoke", OK: "ok", Fail: "fail", Info: "info"}
	funcs = [...]string{
		Acquire: "acquire", Release: "release", Read: "read", Write: "write", Renew: "renew", CompareAndSet: "cas",
	}
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

// Check returns nil if the history is well-formed, which it must be before it is judged. A model checker says something
// about any history: porcupine calls a call without a return illegal, and takes two events of one instant for
// concurrent. The error says at which index the history is not well-formed, why, and what would be right:
//
//   - indices count from 0 by one, and time never runs backwards;
//   - a process invokes one operation at a time, of whichever lock, and an ok, fail or info closes the one it has open,
//     of the same func; it names the same lock as the invoke, or none;
//   - after an info a process is gone for good: its last operation may take effect at any time, so its client continues
//     under a new number.
//
// An operation may be left open at the end: its client's run ended first. It counts as an info.
func (h History) Check() error {
	pairing, time := Pairing{}, clock.Instant(0)
	for i, o := range h {
		if wrong := cmp.Or(o.misplaced(i, time), pairing.Add(o)); wrong != "" {
			return fmt.Errorf("index %d: %s", i, wrong)
		}
		time = o.Time
	}
	return nil
}

// misplaced returns what is wrong with the i-th op by itself, after one of that time; "" if nothing is.
func (o Op) misplaced(i int, time clock.Instant) string {
	switch {
	case o.Index != i:
		return fmt.Sprintf("the op calls itself %d; want %d, its place in the history", o.Index, i)
	case o.Time < 0:
		return fmt.Sprintf("time is %d; want nanoseconds since the run began", o.Time)
	case o.Time < time:
		return fmt.Sprintf("time is %d; want %d or later, as in the op before", o.Time, time)
	case o.Process < 0:
		return fmt.Sprintf("process is %d; want the number of a client, from 0", o.Process)
	case int(o.Type) >= len(types):
		return fmt.Sprintf("%v is not known; want one of %s", o.Type, strings.Join(types[:], ", "))
	case int(o.F) >= len(funcs):
		return fmt.Sprintf("%v is not known; want one of %s", o.F, strings.Join(funcs[:], ", "))
	}
	return ""
}

// A Pairing follows a history op by op and pairs each ok, fail and info with the invoke that it closes. Its zero value
// fits an empty history.
type Pairing struct {
	Where func(index int) string // names an op in what Add returns; nil: by its index

	last map[int]end // by process, while it has an operation open or is gone; looked up, never ranged over
}

// An end is what a process did last.
type end struct {
	index int
	f     Func
	gone  bool // it was an info
	lock  string
}

// Open returns the index of the invoke that a process has open, and whether it has one.
func (p *Pairing) Open(process int) (invoke int, open bool) {
	last, open := p.last[process]
	return last.index, open && !last.gone
}

// Add adds the next op, or returns what is wrong with it after what its process did last, and what would be right.
func (p *Pairing) Add(o Op) (wrong string) {
	last, busy := p.last[o.Process]
	switch {
	case busy && last.gone:
		return fmt.Sprintf("process %d is gone since the info at %s; want a new process number for its client",
			o.Process, p.name(last.index))
	case o.Type == Invoke && busy:
		return fmt.Sprintf("process %d invokes %v while its %v of %s is open; want an ok, fail or info for that first",
			o.Process, o.F, last.f, p.name(last.index))
	case o.Type != Invoke && !busy:
		return fmt.Sprintf("process %d has nothing open for this %v; want an invoke of %v before it",
			o.Process, o.Type, o.F)
	case o.Type != Invoke && last.f != o.F:
		return fmt.Sprintf("this %v is of %v, but process %d has %v open, of %s; want that closed",
			o.Type, o.F, o.Process, last.f, p.name(last.index))
	case o.Type != Invoke && o.Lock != "" && o.Lock != last.lock:
		return fmt.Sprintf("this %v names %s, but process %d has the %v of %s open, of %s; want the same or no name",
			o.Type, lockName(o.Lock), o.Process, o.F, lockName(last.lock), p.name(last.index))
	}
	p.took(o)
	return ""
}

func (p *Pairing) name(index int) string {
	if p.Where != nil {
		return p.Where(index)
	}
	return fmt.Sprintf("index %d", index)
}

func (p *Pairing) took(o Op) {
	if o.Type == OK || o.Type == Fail {
		delete(p.last, o.Process)
		return
	}
	if p.last == nil {
		p.last = map[int]end{}
	}
	p.last[o.Process] = end{o.Index, o.F, o.Type == Info, o.Lock}
}

// lockName puts the name of a lock or register into words.
func lockName(lock string) string {
	if lock == "" {
		return "no lock by name"
	}
	return fmt.Sprintf("lock %q", lock)
}
