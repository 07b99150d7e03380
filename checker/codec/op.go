package codec

import (
	"fmt"
	"iter"
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/checker/codec/internal/forms"
	"github.com/lockstorm/lockstorm/clock"
)

// This file reads one op, and puts it into the history.

// A line is an op as it is written. A missing field is a form that does not exist.
type line struct {
	whole, index, time, process, typ, f, value, err, lock, keyed, debug forms.Form

	strays []stray // every other key
}

// A stray is a key, with its value, that is not a field of an op.
type stray struct{ key, value forms.Form }

// fields are the keys of an op.
var fields = map[string]func(*line) *forms.Form{
	"index":   func(l *line) *forms.Form { return &l.index },
	"time":    func(l *line) *forms.Form { return &l.time },
	"process": func(l *line) *forms.Form { return &l.process },
	"type":    func(l *line) *forms.Form { return &l.typ },
	"f":       func(l *line) *forms.Form { return &l.f },
	"value":   func(l *line) *forms.Form { return &l.value },
	"error":   func(l *line) *forms.Form { return &l.err },
	"lock":    func(l *line) *forms.Form { return &l.lock },
	"key":     func(l *line) *forms.Form { return &l.keyed },
	"debug":   func(l *line) *forms.Form { return &l.debug },
}

func (l *line) split(f forms.Form) error {
	*l = line{whole: f, strays: l.strays[:0]}
	if f.Kind() == forms.Tagged {
		kids := f.Kids()
		tag, _ := kids.Next()
		if name := string(tag.Name()); name != "Op" && !strings.HasSuffix(name, ".Op") {
			return wrong(f, "found %s with the tag #%s; want an op, a map or one under #jepsen.history.Op",
				f.Kind(), clip(name))
		}
		f, _ = kids.Next()
	}
	if f.Kind() != forms.Map {
		return wrong(f, "found %s; want an op, as a map", found(f))
	}
	for key, value := range entries(f) {
		of, known := fields[string(key.Name())]
		if !known {
			of, known = fields[synonym(key.Name())]
		}
		if !known {
			if there(value) {
				l.strays = append(l.strays, stray{key, value})
			}
			continue
		}
		field := of(l)
		if field.Exists() {
			return wrong(key, "found %s a second time; want it once", key.Text())
		}
		*field = value
	}
	return nil
}

// valueWords are words that decide in the value of an op. Next to it they would be overlooked, and the verdict would be
// about another history.
var valueWords = map[string]bool{
	"shared": true, "fence": true, "owner": true, "token": true, "plain": true, "fenced": true, "permits": true,
	"acquired": true, "granted": true,
}

// stray rejects a key next to the value that belongs into it, and a misspelt key of ours. Any other key is listed as
// ignored. A word that many use for something else, such as client or id, is allowed.
func (r *recorder) stray(l *line, s stray) error {
	word := synonym(s.key.Name())
	switch typ, _ := named(types, l.typ); {
	case r.Value == Ignored && (word == "owner" || word == "token"): // as in the value
		return nil
	case strings.EqualFold(string(s.key.Name()), "client") || r.Value == Ignored:
	case valueWords[word]:
		return wrong(s.key, "found %s next to the value of an op; want it in the value, as a map", s.key.Text())
	case outcomes[word] && typ == checker.OK && outcomeOf(s.value) != came:
		return wrong(s.key, "found %s %s next to the value of an op that is ok; want the type fail, or it in the value",
			s.key.Text(), brief(s.value))
	}
	if err := slipped(s.key, word, "the key of an op", "lock", "value", "process", "index", "error"); err != nil {
		return err
	}
	r.ignore(s.key, false)
	return nil
}

// slipped rejects a key that names a lock by a word that is not ours, or misspells one of our words.
func slipped(key forms.Form, word, where string, ours ...string) error {
	if word == "mutex" {
		return wrong(key, "found %s as %s; want the key lock, if this is the name of the lock", key.Text(), where)
	}
	for _, our := range ours {
		if slip(word, our) {
			return wrong(key, "found %s as %s; did you mean %s?", key.Text(), where, our)
		}
	}
	return nil
}

// slip reports whether two neighbours of a word are exchanged.
func slip(name, word string) bool {
	if len(name) != len(word) || name == word {
		return false
	}
	i := 0
	for name[i] == word[i] {
		i++
	}
	return i+1 < len(word) && name[i] == word[i+1] && name[i+1] == word[i] && name[i+2:] == word[i+2:]
}

// entries iterates over the entries of a map whose keys are names.
func entries(f forms.Form) iter.Seq2[forms.Form, forms.Form] {
	return func(yield func(key, value forms.Form) bool) {
		kids := f.Kids()
		for key, more := kids.Next(); more; key, more = kids.Next() {
			value, _ := kids.Next()
			if isName(key) && !yield(key, value) {
				return
			}
		}
	}
}

func (r *recorder) record(f forms.Form) error {
	l := &r.line
	if err := l.split(f); err != nil {
		return err
	}
	if elsewhere, err := l.elsewhere(); elsewhere || err != nil {
		r.Skipped++
		return err
	}
	for _, s := range l.strays {
		if err := r.stray(l, s); err != nil {
			return err
		}
	}
	if len(r.History) == r.most {
		return wrong(f, "found more than %d ops; want fewer, or a larger limit", r.most)
	}
	o := checker.Op{Index: len(r.History)}
	if err := r.op(l, &o); err != nil {
		return err
	}
	return r.keep(l, &o)
}

// elsewhere reports whether an op is not a client's, but the nemesis's for example. An op that acts as a client under a
// name other than a client's would be missing from the history, and the verdict would be about another history.
func (l *line) elsewhere() (bool, error) {
	switch {
	case !there(l.process) && (!l.process.Exists() || l.acts()):
		return false, wrong(l.whole, "found an op without a process; "+
			"want the integer of its client, or a name such as :nemesis")
	case !there(l.process):
		return true, nil
	case l.process.Kind() == forms.Int:
		return false, nil
	case !isName(l.process):
		return false, wrong(l.process, "found %s as the process; "+
			"want the integer of a client, or a name such as :nemesis", found(l.process))
	}
	return string(l.process.Name()) == "nemesis" || !l.acts(), nil
}

// acts reports whether only a client can have the op: all others are info, with their own functions.
func (l *line) acts() bool {
	t, typed := named(types, l.typ)
	_, acts := named(funcs, l.f)
	return typed && t != checker.Info || acts
}

// op reads everything of an op except its value.
func (r *recorder) op(l *line, o *checker.Op) (err error) {
	if o.Process, err = r.process(l.process); err != nil {
		return err
	}
	if o.Type, err = choose(l, l.typ, "a type", "invoke, ok, fail, info", types); err != nil {
		return err
	}
	if o.F, err = choose(l, l.f, "a function, f", "acquire, release, read, write, renew, cas", funcs); err != nil {
		return err
	}
	r.keepName(l.process, o)
	if err := r.order(l, o); err != nil {
		return err
	}
	if there(l.err) {
		o.Error, err = r.intern(l.err, spoken(l.err))
	}
	return err
}

// The words for types and functions: ours, and those that others use.
var (
	types = map[string]checker.Type{
		"invoke": checker.Invoke, "ok": checker.OK, "fail": checker.Fail, "info": checker.Info,
	}
	funcs = map[string]checker.Func{
		"acquire": checker.Acquire, "lock": checker.Acquire,
		"release": checker.Release, "unlock": checker.Release,
		"read": checker.Read, "write": checker.Write,
		"renew": checker.Renew, "extend": checker.Renew, "refresh": checker.Renew,
		"cas": checker.CompareAndSet, "compare-and-set": checker.CompareAndSet,
	}
)

// named returns what a form names, and whether it names anything.
func named[T any](words map[string]T, f forms.Form) (t T, known bool) {
	if there(f) && isName(f) {
		t, known = words[string(f.Name())]
	}
	return t, known
}

// choose returns what a field names, which must be there.
func choose[T any](l *line, f forms.Form, key, want string, words map[string]T) (t T, err error) {
	t, known := named(words, f)
	switch {
	case !there(f):
		err = wrong(l.whole, "found an op without %s; want one of %s", key, want)
	case !known:
		err = wrong(f, "found %s as %s; want one of %s", found(f), key, want)
	}
	return t, err
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

// firstNamed is the process of the first client that has a name: larger than any number that a history may have.
const firstNamed = math.MaxInt/2 + 1

// process reads the process of a client. A name in digits is a number.
func (r *recorder) process(f forms.Form) (int, error) {
	const want = "the number of a client, from 0"
	if !isName(f) {
		n, err := whole(f, "process", want)
		if err == nil && n >= firstNamed {
			err = wrong(f, "found %d as the process; want at most %d", n, firstNamed-1)
		}
		return int(n), err
	}
	name := string(f.Name())
	if n, err := strconv.Atoi(name); err == nil && n >= 0 && n < firstNamed && strconv.Itoa(n) == name {
		return n, nil // 01 is another name
	}
	if n, known := r.threads[name]; known {
		return n, nil
	}
	if r.threads == nil {
		r.threads, r.called = map[string]int{}, map[int]string{}
	}
	r.renamed++
	r.threads[name] = firstNamed + r.renamed - 1
	r.called[r.threads[name]] = name
	return r.threads[name], nil
}

// keepName keeps the name of an op's process. After an unknown outcome its client continues under another number.
func (r *recorder) keepName(f forms.Form, o *checker.Op) {
	if o.Process < firstNamed || !isName(f) {
		return
	}
	r.current.process = string(f.Name())
	if o.Type == checker.Info {
		delete(r.threads, r.current.process)
	}
}

func (r *recorder) order(l *line, o *checker.Op) error {
	if !r.indexed.agrees(there(l.index)) {
		with := "without"
		if there(l.index) {
			with = "with"
		}
		return wrong(l.whole, "found an op %s an index, unlike those before; want one in all ops or in none", with)
	}
	if r.indexed == present {
		n, err := whole(l.index, "index", "its place in the history, from 0")
		if err != nil {
			return err
		}
		if last := len(r.History) - 1; last >= 0 && int(n) <= r.Index(last) {
			return kindOf{&Error{Place: l.index.Place(), Says: fmt.Sprintf(
				"found %d as the index, after %d in line %d; want indices that rise",
				n, r.Index(last), r.places[last].line)}, ErrUnsorted}
		}
		r.index(int(n))
	}
	return r.time(l, o)
}

// index keeps an index. The first that differs from the one in the history makes it keep all earlier ones too.
func (r *recorder) index(n int) {
	at := len(r.History)
	if r.Indices == nil && n != at {
		r.Indices = make([]int, at, 2*at+16)
		for i := range r.Indices {
			r.Indices[i] = i
		}
	}
	if r.Indices != nil {
		r.Indices = append(r.Indices, n)
	}
}

// time reads the time. The ops are ordered as in the text, whatever their times: recorders that take the time in each
// thread have times that fall by a little. So only the first such place is noted, for models that use times.
func (r *recorder) time(l *line, o *checker.Op) error {
	if !there(l.time) {
		if r.NoTime == (Place{}) {
			r.NoTime = l.whole.Place()
		}
		if o.Time = r.last(); !r.timed {
			o.Time = clock.Instant(len(r.History))
		}
		return nil
	}
	r.timed = true
	n, err := nanoseconds(l.time)
	switch {
	case err != nil:
		return err
	case n > math.MaxInt64/2: // the end of a later lease would overflow
		return wrong(l.time, "found %s as the time; want nanoseconds since the recording began", brief(l.time))
	}
	o.Time = max(clock.Instant(n), r.last())
	if fell := o.Time - clock.Instant(n); fell > 0 {
		if r.Falls++; r.Fell == (Place{}) {
			r.Fell = l.time.Place()
		}
		r.FellBy = max(r.FellBy, time.Duration(fell))
	}
	return nil
}

// nanoseconds reads a time: an integer, or a float with the value of one, as some JSON has it.
func nanoseconds(f forms.Form) (int64, error) {
	if f.Kind() != forms.Float {
		return whole(f, "time", "nanoseconds since the recording began")
	}
	text := strings.ToLower(strings.TrimSuffix(string(f.Text()), "M"))
	// A ratio of integers holds all digits, which a float might lose. A large exponent would take too long.
	if _, exponent, _ := strings.Cut(text, "e"); len(exponent) < 4 {
		n, ok := new(big.Rat).SetString(text)
		if ok && n.IsInt() && n.Num().IsInt64() && n.Sign() >= 0 {
			return n.Num().Int64(), nil
		}
	}
	return 0, wrong(f, "found %s as the time; want a whole number of nanoseconds, such as 1500000 for 1.5 ms; "+
		"or leave all times out, because only lease-timed needs them", found(f))
}

// last returns the time of the op before.
func (r *recorder) last() clock.Instant {
	if len(r.History) == 0 {
		return 0
	}
	return r.History[len(r.History)-1].Time
}

// keep reads the value of an op, whose call is known now, and adds the op to the history.
func (r *recorder) keep(l *line, o *checker.Op) error {
	invoked, busy := r.pairing.Open(o.Process)
	at := l.whole.Place()
	if says := r.pairing.Add(*o); says != "" {
		return &Error{Place: at, Says: says}
	}
	has, err := r.value(l, o)
	if err != nil {
		return err
	}
	if err := r.debug(l.debug); err != nil {
		return err
	}
	if o.Type != checker.Invoke && busy {
		invoke := r.History[invoked].Lock
		switch {
		case o.Lock != "" && o.Lock != invoke &&
			(invoke != "" || invoked >= len(r.claimed) || r.claimed[invoked].bare == ""):
			return wrong(l.whole, closesOther, clip(o.Lock), o.F, r.places[invoked].line, lockOr(invoke))
		case o.Lock == "":
			o.Lock = invoke
		}
	} else if r.current.bare == "" && !r.named[guards(o.F)].agrees(o.Lock != "") {
		return wrong(l.whole, "found an op that names %s, unlike the ops before; "+
			"want a lock's name in all ops or in none", lockOr(o.Lock))
	}
	r.note(o, has, at)
	if o.Type == checker.Fail || o.Type == checker.Info {
		o.Value = checker.Value{}
	}
	r.History = append(r.History, *o)
	r.places = append(r.places, smallPlace{clamp(at.Line), clamp(at.Column)})
	r.keepClaim()
	return nil
}

// closesOther is the error that what closes an operation names another lock than its invoke.
const closesOther = "found the lock %q in what closes the %v of line %d, which names %s; " +
	"want the same lock, or none here"

func clamp(n int) int32 { return int32(min(n, math.MaxInt32)) }

// guards returns 0 for what is done to a lock, and 1 for what is done to a register.
func guards(f checker.Func) int {
	if f == checker.Read || f == checker.Write || f == checker.CompareAndSet {
		return 1
	}
	return 0
}

func lockOr(name string) string {
	if name == "" {
		return "no lock"
	}
	return "the lock " + clip(name)
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

// brief returns the text of a form, cut if it is long.
func brief(f forms.Form) string { return clip(string(f.Append(nil))) }

// clip cuts what is shown of a text.
func clip(s string) string {
	if letters := []rune(s); len(letters) > 40 {
		return string(letters[:37]) + "..."
	}
	return s
}

func isName(f forms.Form) bool {
	return f.Kind() == forms.Keyword || f.Kind() == forms.String || f.Kind() == forms.Symbol
}

// spoken returns a string as it is, and any other form as EDN.
func spoken(f forms.Form) []byte {
	if f.Kind() == forms.String {
		return f.Name()
	}
	return f.Append(nil)
}
