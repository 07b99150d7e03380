package codec

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/checker/codec/internal/forms"
)

// This file reads histories that were recorded elsewhere. It is lenient in how a thing may be written, and never guesses
// what is meant: whatever it does not understand it refuses, for a verdict on a history that was misread is worth less
// than none.

// A Recording is a history that was recorded elsewhere, and where it came from.
type Recording struct {
	History checker.History // of the clients; its indices count from 0
	Indices []int           // the index that each op came with; nil if those are the ones in History
	Skipped int             // ops of the nemesis, and whatever else is no client

	// The places of the first ops that lack what a register is judged by, or zero: a call without the fencing token that
	// it carried, an ok without the version of the plain register, an ok without that of the fenced one.
	NoFence, NoPlain, NoFenced Place

	// The place of the first op that lacks what a register of values is judged by, or zero: a write or a compare-and-set
	// without a value, a read that brought back versions. And that of the first compare-and-set, or zero.
	NoData, CAS Place

	Values  []string // of a register of values, as EDN: the number n in a checker.Value stands for Values[n], and 0 for nil
	Initial uint32   // the number of the value that Reading.Initial names
	Nils    int      // how many reads brought back nil

	// The place of the first success of acquire if none brings back a fencing token, or zero.
	NoToken Place

	NoTime Place // the place of the first op without a time, or zero; an op without one has that of the op before

	// How many times are before one of an earlier op, by how much at most, and the place of the first such time. In
	// History they are that of the op before.
	Falls  int
	FellBy time.Duration
	Fell   Place

	// Who acts, where the ops name owners, or tokens of holds: then process n of History is Owners[n%len(Owners)], and a
	// Model needs their number as its Clients. The processes that the ops came with are those of Process.
	Owners []string
	Named  bool // the owners are the processes themselves, of which some have names in place of numbers

	Sorted bool // the ops were not in the order of their indices

	IDs    bool // the values that are strings number the operations, and were ignored
	Falses int  // how many oks brought back false, and were read as fails

	places    []smallPlace   // where each op stands
	called    map[int]string // of processes that came with one; looked up, never ranged over
	processes []int          // that the ops came with; nil if those are the ones in History
}

// A smallPlace is a Place in half of the space.
type smallPlace struct{ line, column int32 }

// A Reading says how to read what was recorded elsewhere. The zero value is right for most.
type Reading struct {
	Syntax  Syntax // Any: the beginning of the text decides
	Permits bool   // a bare number as the value of an acquire or release is a number of permits, no fencing token
	Value   Meaning
	Clients int    // processes that differ by a multiple of it are one client; 0 if each is one of its own
	Ops     int    // how many ops there may be; 0 means 16,777,216
	Initial string // the value that a register of values has at first, as EDN or JSON; empty for nil

	// Sort puts the ops into the order of their indices, which takes the memory of the whole text. Without it Read refuses
	// indices that fall, with ErrUnsorted.
	Sort bool
}

// ErrUnsorted is the error of indices that fall. Errors that are it say where.
var ErrUnsorted = errors.New("the indices do not rise")

// textBytes is how much all lock names and errors of a recording may have, each counted once.
const textBytes = 256 << 20

// Read reads a history in EDN or JSON: a vector of ops, or ops one after the other. An op is a map, perhaps under a tag
// such as #jepsen.history.Op, whose keys are keywords or strings:
//
//   - type: invoke, ok, fail or info.
//   - f: acquire or lock, release or unlock, renew, extend or refresh, read, write, cas or compare-and-set.
//   - process: an integer, or the name of a client, which may go on after an info. Ops of :nemesis are skipped, whatever
//     they are, and so are those of anything else with a name, or nil for one, but for those that only a client can have:
//     an invoke, an ok, a fail, or any of the functions above.
//   - index: integers that differ, from whatever, and the order is theirs (Reading.Sort); or none at all, and the order is
//     that of the text.
//   - time: nanoseconds. It may be missing, and it may fall: it is not what the order goes by.
//   - lock, or key: the name of the lock or register, a string, keyword or integer.
//   - error: anything; kept as text.
//   - debug: a map with owner, token or uid, as Hazelcast's tests have where an op fails; its other keys are ignored.
//   - value: nil, or a map of fence (the fencing token; 0 is none), plain and fenced (the versions of the registers), lock
//     or key, owner, token, uid. Any may have a tuple [name value], as Jepsen's independent has it. An acquire, release or
//     renew may also have: a string, keyword or symbol, of which Value says what it means; a number where an acquire is
//     ok, its fencing token; true where it is ok, and false or an empty string, which make a fail of it. For a register of
//     values, a read or write has any value that is no map, and a cas the pair [expected new]; an ok that brings back
//     false makes a fail of a cas.
//
// Other keys are ignored. Types, functions and names are in words, as keywords or strings. What closes an operation need
// not name the lock again.
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
			return &r.Recording, nil
		case err != nil:
			return nil, r.orUnsorted(f, err)
		}
	}
}

// Index returns the index that the i-th op came with.
func (r *Recording) Index(i int) int {
	if r.Indices == nil {
		return i
	}
	return r.Indices[i]
}

// A recorder makes a Recording.
type recorder struct {
	Recording
	Reading
	in      *forms.Reader
	most    int
	pairing checker.Pairing
	texts   map[string]string // each text once; looked up, never ranged over
	numbers map[string]uint32 // of values; looked up, never ranged over
	bytes   int               // of texts

	threads map[string]int // the process of each client that has a name; looked up, never ranged over
	renamed int            // how many such processes there were

	current claim          // of the op that is being read
	claimed []claim        // by op; nil if there is none so far
	ids     map[int]string // by op, what its value calls uid; looked up, never ranged over

	tokens  bool // an acquire brought one back
	indexed presence
	timed   bool        // an op had a time
	named   [2]presence // of locks, and of registers
}

// A presence reports whether a thing is there in all ops or in none. The first op decides.
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
	if r.Skipped > 0 {
		return &Error{Place: r.in.Here(), Says: fmt.Sprintf("found the end of the text, and nothing but what is of no client, %d times; "+
			"want ops with an integer as their process", r.Skipped)}
	}
	return &Error{Place: r.in.Here(), Says: "found the end of the text, and no op; want a history of at least one"}
}

func wrong(f forms.Form, format string, args ...any) error {
	return &Error{Place: f.Place(), Says: fmt.Sprintf(format, args...)}
}

// A line is an op as it is written. Fields that are not there do not exist.
type line struct {
	whole                                                        forms.Form
	index, time, process, typ, f, value, err, lock, keyed, debug forms.Form
}

// record reads one op, and keeps it if it is a client's.
func (r *recorder) record(f forms.Form) error {
	l, err := split(f)
	if err != nil {
		return err
	}
	if elsewhere, err := l.elsewhere(); elsewhere || err != nil {
		r.Skipped++
		return err
	}
	if len(r.History) == r.most {
		return wrong(f, "found more than %d ops; want fewer, or a larger limit", r.most)
	}
	o := checker.Op{Index: len(r.History)}
	if err := r.op(&l, &o); err != nil {
		return err
	}
	return r.keep(&l, &o)
}

func split(f forms.Form) (l line, err error) {
	l.whole = f
	if f.Kind() == forms.Tagged {
		kids := f.Kids()
		tag, _ := kids.Next()
		if name := string(tag.Name()); name != "Op" && !strings.HasSuffix(name, ".Op") {
			return l, wrong(f, "found %s with the tag #%s; want an op, a map or one under #jepsen.history.Op", f.Kind(), clip(name))
		}
		f, _ = kids.Next()
	}
	if f.Kind() != forms.Map {
		return l, wrong(f, "found %s; want an op, which is a map", found(f))
	}
	kids := f.Kids()
	for {
		key, ok := kids.Next()
		if !ok {
			return l, nil
		}
		value, _ := kids.Next()
		if err := l.put(key, value); err != nil {
			return l, err
		}
	}
}

func (l *line) put(key, value forms.Form) error {
	if key.Kind() != forms.Keyword && key.Kind() != forms.String {
		return nil
	}
	var field *forms.Form
	switch string(key.Name()) {
	case "index":
		field = &l.index
	case "time":
		field = &l.time
	case "process":
		field = &l.process
	case "type":
		field = &l.typ
	case "f":
		field = &l.f
	case "value":
		field = &l.value
	case "error":
		field = &l.err
	case "lock":
		field = &l.lock
	case "key":
		field = &l.keyed
	case "debug":
		field = &l.debug
	default:
		return nil
	}
	if field.Exists() {
		return wrong(key, "found %s a second time; want it once", key.Text())
	}
	*field = value
	return nil
}

// there reports whether a field is there and not nil.
func there(f forms.Form) bool { return f.Exists() && f.Kind() != forms.Nil }

// found describes a form in an error: its kind and, if it is short, its text.
func found(f forms.Form) string {
	if f.Kind() == forms.Nil {
		return "nil"
	}
	return f.Kind().String() + ", " + clip(string(f.Append(nil)))
}

// clip cuts what is shown of a text.
func clip(s string) string {
	if letters := []rune(s); len(letters) > 40 {
		return string(letters[:37]) + "..."
	}
	return s
}

// elsewhere reports whether an op is of the nemesis, or of anybody else who is no client. What has a name, or nil for one,
// and acts as a client would be missing from the history if it were skipped, and a verdict without it is of another history.
func (l *line) elsewhere() (bool, error) {
	switch {
	case !there(l.process) && (!l.process.Exists() || l.acts()):
		return false, wrong(l.whole, "found an op without a process; want the integer of its client, or a name such as :nemesis")
	case !there(l.process):
		return true, nil
	case l.process.Kind() == forms.Int:
		return false, nil
	case !isName(l.process):
		return false, wrong(l.process, "found %s as the process; want the integer of a client, or a name such as :nemesis", found(l.process))
	}
	return string(l.process.Name()) == "nemesis" || !l.acts(), nil
}

// acts reports whether an op is one that only a client can have: all others are info, and of functions of their own.
func (l *line) acts() bool {
	if there(l.typ) && isName(l.typ) {
		if t := typeOf(l.typ.Name()); t >= 0 && checker.Type(t) != checker.Info {
			return true
		}
	}
	return there(l.f) && isName(l.f) && funcOf(l.f.Name()) >= 0
}

func isName(f forms.Form) bool {
	return f.Kind() == forms.Keyword || f.Kind() == forms.String || f.Kind() == forms.Symbol
}

// op reads all of an op but for its value.
func (r *recorder) op(l *line, o *checker.Op) (err error) {
	if o.Process, err = r.process(l.process); err != nil {
		return err
	}
	t, err := choose(l, l.typ, "a type", "invoke, ok, fail, info", typeOf)
	if err != nil {
		return err
	}
	f, err := choose(l, l.f, "a function, f", "acquire, release, read, write, renew, cas", funcOf)
	if err != nil {
		return err
	}
	o.Type, o.F = checker.Type(t), checker.Func(f)
	r.keepName(l.process, o)
	if err := r.order(l, o); err != nil {
		return err
	}
	if there(l.err) {
		o.Error, err = r.intern(l.err, spoken(l.err))
	}
	return err
}

// spoken returns a string as it is, and any other form as EDN.
func spoken(f forms.Form) []byte {
	if f.Kind() == forms.String {
		return f.Name()
	}
	return f.Append(nil)
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

// typeOf and funcOf return the number of a word, or -1. Ours come first, then what others call them.
func typeOf(name []byte) int {
	switch string(name) {
	case "invoke":
		return int(checker.Invoke)
	case "ok":
		return int(checker.OK)
	case "fail":
		return int(checker.Fail)
	case "info":
		return int(checker.Info)
	}
	return -1
}

func funcOf(name []byte) int {
	switch string(name) {
	case "acquire", "lock":
		return int(checker.Acquire)
	case "release", "unlock":
		return int(checker.Release)
	case "read":
		return int(checker.Read)
	case "write":
		return int(checker.Write)
	case "renew", "extend", "refresh":
		return int(checker.Renew)
	case "cas", "compare-and-set":
		return int(checker.CompareAndSet)
	}
	return -1
}

func choose(l *line, f forms.Form, key, words string, number func([]byte) int) (int, error) {
	if !there(f) {
		return 0, wrong(l.whole, "found an op without %s; want one of %s", key, words)
	}
	n := -1
	if isName(f) {
		n = number(f.Name())
	}
	if n < 0 {
		return 0, wrong(f, "found %s as %s; want one of %s", found(f), key, words)
	}
	return n, nil
}

// whole reads an integer that is not negative and fits into 63 bits.
func whole(f forms.Form, what, want string) (int64, error) {
	if f.Kind() != forms.Int {
		return 0, wrong(f, "found %s as the %s; want an integer: %s", found(f), what, want)
	}
	n, ok := f.Unsigned()
	switch {
	case f.Text()[0] == '-' && n > 0:
		return 0, wrong(f, "found %s as the %s; want %s", clip(string(f.Text())), what, want)
	case !ok || n > 1<<63-1:
		return 0, wrong(f, "found %s as the %s; want at most 9223372036854775807", clip(string(f.Text())), what)
	}
	return int64(n), nil
}
