package codec

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/checker/codec/internal/forms"
)

// This file reads histories that were recorded elsewhere. It is lenient in how a thing may be written, and never
// guesses what is meant: it rejects what it does not understand.

// A Recording is a history that was recorded elsewhere, and where it came from.
type Recording struct {
	History checker.History // of the clients; its indices count from 0
	Indices []int           // the index that each op came with; nil if those are the ones in History
	Skipped int             // ops of the nemesis, or of anything else that is no client

	// The places of the first ops that lack what a register is judged by, or zero: a call without the fencing token
	// that it carried, an ok without the version of the plain register, an ok without the version of the fenced one.
	NoFence, NoPlain, NoFenced Place

	// The place of the first op that lacks what a register of values is judged by, or zero: a write or a
	// compare-and-set without a value, a read that brought back versions. And the place of the first compare-and-set,
	// or zero.
	NoData, CAS Place

	Values  []string // of a register of values, as EDN: the number n in a checker.Value means Values[n], and 0 nil
	Initial uint32   // the number of the value that Reading.Initial names
	Nils    int      // how many reads brought back nil

	// The place of the first successful acquire that brings back 0 as its fencing token, or a number under a word that
	// is not ours, which may be one; or of the first of all if none brings back a token; or zero.
	NoToken Place

	Tokenless int // how many successful acquires brought back no fencing token, where others did

	Shared Place // of the first acquire that is shared, or zero

	NoTime Place // of the first op without a time, or zero; it has the time of the op before

	// How many times are before one of an earlier op, by how much at most, and the place of the first. History has the
	// time of the op before in their place.
	Falls  int
	FellBy time.Duration
	Fell   Place

	// The actors, where the ops name owners, or tokens of holds: then process n of History is Owners[n%len(Owners)],
	// and a Model needs their number as its Clients. Process returns the processes that the ops came with.
	Owners []string
	Named  bool // the owners are the processes themselves, and some have names in place of numbers

	Sorted bool // the ops were not in the order of their indices

	Unread []Unread // the keys that were not understood, in the order in which they first come

	IDs    bool // the values that are strings number the operations, and were ignored
	Falses int  // how many oks brought back false, and were read as fails

	places    []smallPlace   // of each op
	called    map[int]string // of processes that came with one; looked up, never ranged over
	processes []int          // that the ops came with; nil if those are the ones in History
}

// An Unread is a key that is not ours. It may mean nothing, or everything: the name of the lock, or its owner.
type Unread struct {
	Key     string
	InValue bool // it is in the value of its ops, not next to it
	Times   int
	First   Place
}

// mostUnread is how many keys are listed. A recording with more has all kinds of things in them.
const mostUnread = 16

// ignore notes a key that was not understood.
func (r *recorder) ignore(key forms.Form, inValue bool) {
	name := key.Name()
	for i := range r.Unread {
		if u := &r.Unread[i]; u.InValue == inValue && u.Key == string(name) {
			u.Times++
			return
		}
	}
	if len(r.Unread) < mostUnread {
		r.Unread = append(r.Unread, Unread{string(name), inValue, 1, key.Place()})
	}
}

// A smallPlace is a Place in half of the space.
type smallPlace struct{ line, column int32 }

// Index returns the index that the i-th op came with.
func (r *Recording) Index(i int) int {
	if r.Indices == nil {
		return i
	}
	return r.Indices[i]
}

// Place returns where the i-th op is.
func (r *Recording) Place(i int) Place {
	p := r.places[i]
	return Place{Line: int(p.line), Column: int(p.column)}
}

// Locate returns an error about the i-th op, with its place.
func (r *Recording) Locate(i int, says string) error { return &Error{Place: r.Place(i), Says: says} }

// Process returns the process that the i-th op came with. It differs from the one in History where the ops name owners.
func (r *Recording) Process(i int) int {
	if r.processes == nil {
		return r.History[i].Process
	}
	return r.processes[i]
}

// ProcessName returns the process that the i-th op came with: its number, or its name if it has one.
func (r *Recording) ProcessName(i int) string {
	n := r.Process(i)
	if name, named := r.called[n]; named {
		return name
	}
	return strconv.Itoa(n)
}

// Who describes a process of History: by its owner, where the ops name owners.
func (r *Recording) Who(process int) string {
	if len(r.Owners) == 0 {
		return fmt.Sprintf("process %d", process)
	}
	return r.Owners[process%len(r.Owners)]
}

// HasValues reports whether the ops are of registers of values.
func (r *Recording) HasValues() bool { return r != nil && (len(r.Values) > 1 || r.CAS != Place{}) }

// A Meaning is what a string, keyword or symbol means that is the whole value of an op on a lock.
type Meaning uint8

// The meanings. Undecided takes it for the lock's name, and rejects a history in which that is unlikely.
const (
	Undecided Meaning = iota
	Lock              // the name of the lock, in an invoke; what closes an operation brings back a result
	Owner             // who acts
	Token             // a random text for each hold, which its release repeats
	Ignored           // nothing, and so are owners and tokens in maps
)

// A Reading says how to read what was recorded elsewhere. The zero value is right for most.
type Reading struct {
	Syntax  Syntax // Any: the beginning of the text decides
	Permits bool   // a bare number as the value of an acquire or release is a number of permits, no fencing token
	Value   Meaning
	Clients int    // processes that differ by a multiple of it are one client; 0 if each is a separate one
	Ops     int    // how many ops there may be; 0 means 16,777,216
	Initial string // the value that a register of values has at first, as EDN or JSON; empty for nil

	// Sort puts the ops into the order of their indices, which takes the memory of the whole text. Without it Read
	// rejects indices that fall, with ErrUnsorted.
	Sort bool
}

// ErrUnsorted is the error of indices that fall. Errors that are it say where.
var ErrUnsorted = errors.New("the indices do not rise")

// ErrShowsNothing is the error of a history that would hold whatever happened. Errors that are it say why.
var ErrShowsNothing = errors.New("the history shows nothing")

// ShowsNothing returns an error that is ErrShowsNothing and says why.
func (r *Recording) ShowsNothing(says string) error {
	return kindOf{&Error{Place: r.Place(0), Says: says}, ErrShowsNothing}
}

// textBytes limits the size of all lock names and errors of a recording, each counted once.
const textBytes = 256 << 20

// Read reads a history in EDN or JSON: a vector of ops, or ops one after the other. An op is a map, perhaps under a tag
// such as #jepsen.history.Op, whose keys are keywords or strings:
//
//   - type: invoke, ok, fail or info.
//   - f: acquire or lock, release or unlock, renew, extend or refresh, read, write, cas or compare-and-set.
//   - process: an integer, or the name of a client, which may continue after an info. Ops of :nemesis are skipped. So
//     are ops of a process with another name or nil, except ops that only a client can have: an invoke, an ok, a fail,
//     or any of the functions above.
//   - index: different integers, which set the order (Reading.Sort); or none at all, and the text sets the order.
//   - time: nanoseconds. It may be missing, and it may fall: the order does not depend on it.
//   - lock, or key: the name of the lock or register, a string, keyword or integer.
//   - error: anything; kept as text.
//   - debug: a map with owner, token or uid, as Hazelcast's tests have where an op fails; its other keys are ignored.
//   - value: nil, or a map of fence (the fencing token; 0 is none), plain and fenced (the versions of the registers),
//     lock or key, owner, token, uid. Any may have a tuple [name value], as Jepsen's independent has it. An acquire,
//     release or renew may also have: a string, keyword or symbol, whose meaning Value says; a number where an acquire
//     is ok, its fencing token; true where it is ok, and false or an empty string, which make a fail of it. For a
//     register of values, a read or write has any value that is no map, and a cas the pair [expected new]; an ok that
//     brings back false makes a fail of a cas.
//
// A map that is the value of an ok may say acquired, granted, released, renewed, success or result: false makes a fail
// of it, and any value other than true or false is rejected. Next to the value, lock-name and resource are the lock
// too; fence, owner, token and the like are rejected there, and so is a misspelling such as lokc. The letters of a key
// may be set in any way: Lock, lock_name and lockName are ours. Other keys are ignored, and listed in Unread. Types,
// functions and names are words, as keywords or strings. What closes an operation does not have to name the lock again.
//
// The history is well formed (History.Check), or there is an error, an *Error with its line and column.
func (how Reading) Read(in io.Reader) (*Recording, error) {
	r := recorder{Reading: how, in: forms.NewReader(in, how.Syntax), texts: map[string]string{}}
	if r.most = how.Ops; r.most <= 0 {
		r.most = 1 << 24
	}
	r.pairing.Where = func(index int) string { return fmt.Sprintf("line %d", r.places[index].line) }
	var err error
	next := r.in.Next
	if how.Sort {
		if next, err = r.sorted(); err != nil {
			return nil, err
		}
	}
	if r.Recording.Initial, err = r.initial(how.Initial); err != nil {
		return nil, err
	}
	for {
		f, err := next()
		if err == nil {
			err = r.record(f)
		}
		switch {
		case errors.Is(err, io.EOF) && len(r.History) == 0:
			return nil, r.empty()
		case errors.Is(err, io.EOF):
			if err := r.finish(); err != nil {
				return nil, err
			}
			if !r.tokens {
				r.Tokenless = 0
			}
			return &r.Recording, nil
		case err != nil:
			return nil, r.orUnsorted(f, err)
		}
	}
}

// A recorder makes a Recording.
type recorder struct {
	Recording
	Reading
	in      *forms.Reader
	most    int
	line    line // that is being read
	pairing checker.Pairing
	texts   map[string]string // each text once; looked up, never ranged over
	numbers map[string]uint32 // of values; looked up, never ranged over
	bytes   int               // of texts

	threads map[string]int // the process of each client that has a name; looked up, never ranged over
	renamed int            // how many such processes there were

	current claim          // of the op that is being read
	claimed []claim        // by op; nil if there is none so far
	ids     map[int]string // by op, what its value calls uid; looked up, never ranged over

	tokens   bool // an acquire brought one back
	doubtful bool // an acquire brought back 0, or a number that may be one

	indexed presence
	timed   bool        // an op had a time
	named   [2]presence // of locks, and of registers
}

// A presence reports whether a thing is in all ops or in none. The first op decides.
type presence uint8

const (
	undecided presence = iota
	absent
	present
)

// agrees reports whether it is there, or not, as in the ops before.
func (p *presence) agrees(there bool) bool {
	now := absent
	if there {
		now = present
	}
	if *p == undecided {
		*p = now
	}
	return *p == now
}

func (r *recorder) empty() error {
	says := "found the end of the text, and no op; want a history of at least one"
	if r.Skipped > 0 {
		says = fmt.Sprintf("found the end of the text, and nothing but what is of no client, %d times; "+
			"want ops with an integer as their process", r.Skipped)
	}
	return kindOf{&Error{Place: r.in.Here(), Says: says}, ErrShowsNothing}
}

func wrong(f forms.Form, format string, args ...any) error {
	return &Error{Place: f.Place(), Says: fmt.Sprintf(format, args...)}
}

func (r *recorder) intern(f forms.Form, text []byte) (string, error) {
	if s, known := r.texts[string(text)]; known {
		return s, nil
	}
	if r.bytes += len(text); r.bytes > textBytes {
		return "", wrong(f, "found more than %d bytes of lock names and errors; want fewer", textBytes)
	}
	s := string(text)
	r.texts[s] = s
	return s, nil
}

// A kindOf is an Error that is another too, such as ErrUnsorted.
type kindOf struct {
	of   *Error
	kind error
}

func (k kindOf) Error() string { return k.of.Error() }

func (k kindOf) Unwrap() []error { return []error{k.of, k.kind} }

// orUnsorted returns the error about an op, or, if the indices fall there or later, that error: the order may then be
// what is wrong.
func (r *recorder) orUnsorted(f forms.Form, wrong error) error {
	if r.Sort || r.indexed != present || errors.Is(wrong, ErrUnsorted) {
		return wrong
	}
	last := int64(-1)
	if n := len(r.History); n > 0 {
		last = int64(r.Index(n - 1))
	}
	for err := error(nil); err == nil && f.Exists(); f, err = r.in.Next() {
		n, has := indexOf(f)
		if has && n < last {
			says := fmt.Sprintf("found the index %d after %d; want indices that rise", n, last)
			return kindOf{&Error{Place: f.Place(), Says: says}, ErrUnsorted}
		}
		if has {
			last = n
		}
	}
	return wrong
}

func indexOf(f forms.Form) (int64, bool) {
	var l line
	if err := l.split(f); err != nil || !there(l.index) {
		return 0, false
	}
	n, err := whole(l.index, "index", "")
	return n, err == nil
}

// A piece is the text of one op, and the index by which it is put in order.
type piece struct {
	index int64
	text  []byte
	at    Place
}

// sorted reads the whole text, and returns a function that returns its ops in the order of their indices. An op without
// an index, or with one that can't be read, comes after the op before it.
func (r *recorder) sorted() (next func() (forms.Form, error), err error) {
	var pieces []piece
	last := int64(-1)
	for {
		f, err := r.in.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		if n, has := indexOf(f); has {
			last = n
		}
		pieces = append(pieces, piece{last, slices.Clone(f.Text()), f.Place()})
	}
	byIndex := func(a, b piece) int { return cmp.Compare(a.index, b.index) }
	r.Sorted = !slices.IsSortedFunc(pieces, byIndex)
	slices.SortStableFunc(pieces, byIndex)
	return func() (forms.Form, error) {
		if len(pieces) == 0 {
			return forms.Form{}, io.EOF
		}
		p := pieces[0]
		pieces = pieces[1:]
		return forms.Parse(p.text, r.in.Syntax(), p.at)
	}, nil
}
