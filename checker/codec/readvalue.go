package codec

import (
	"bytes"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/checker/codec/internal/forms"
	"github.com/lockstorm/lockstorm/clock"
)

// This file reads where a recorded op stands and what value it has, and finds its place in the history.

func (r *recorder) order(l *line, o *checker.Op) error {
	if !r.indexed.agrees(there(l.index)) {
		return wrong(l.whole, "found an op %s an index, other than those before; want it in all ops or in none", with(l.index))
	}
	if r.indexed == present {
		n, err := whole(l.index, "index", "its place in the history, from 0")
		if err != nil {
			return err
		}
		if last := len(r.History) - 1; last >= 0 && int(n) <= r.Index(last) {
			return unsorted{&Error{Place: l.index.Place(), Says: fmt.Sprintf("found %d as the index, after %d in line %d; want indices that rise",
				n, r.Index(last), r.places[last].line)}}
		}
		r.index(int(n))
	}
	return r.time(l, o)
}

// time reads the time. The order of the ops is that of the text, whatever their times: recorders that take the time in
// each thread have times that fall by a little. So only the first such place is noted, for models that go by times.
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
	if err != nil {
		return err
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

// nanoseconds reads a time: an integer, or a float that is one, as JSON of some makers has it.
func nanoseconds(f forms.Form) (int64, error) {
	if f.Kind() == forms.Float {
		text := strings.ToLower(strings.TrimSuffix(string(f.Text()), "M"))
		_, exponent, _ := strings.Cut(text, "e")
		// A ratio of integers holds all digits, as a float may not. A large exponent would take it long.
		if n, ok := ratio(text, len(exponent) < 4); ok && n.IsInt() && n.Num().IsInt64() && n.Sign() >= 0 {
			return n.Num().Int64(), nil
		}
		return 0, wrong(f, "found %s as the time; want nanoseconds in whole, such as 1500000 for 1.5 ms; or leave all times out, for only lease-timed needs them", found(f))
	}
	return whole(f, "time", "nanoseconds since the recording began")
}

// ratio returns a number as a ratio, if it is one that is short enough.
func ratio(text string, short bool) (*big.Rat, bool) {
	if !short {
		return nil, false
	}
	return new(big.Rat).SetString(text)
}

// last returns the time of the op before.
func (r *recorder) last() clock.Instant {
	if len(r.History) == 0 {
		return 0
	}
	return r.History[len(r.History)-1].Time
}

func with(f forms.Form) string {
	if there(f) {
		return "with"
	}
	return "without"
}

// index keeps an index, and with the first that is not as in the history all those before.
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

// keep reads the value of an op, whose call is known now, and puts the op into the history.
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
		case o.Lock != "" && o.Lock != invoke && (invoke != "" || !r.hasBare(invoked)):
			return wrong(l.whole, "found the lock %q in what closes the %v of line %d, which names %s; want the same lock, or none here",
				clip(o.Lock), o.F, r.places[invoked].line, lockOr(invoke))
		case o.Lock == "":
			o.Lock = invoke
		}
	} else if r.current.bare == "" && !r.named[guards(o.F)].agrees(o.Lock != "") {
		return wrong(l.whole, "found an op that names %s, other than those before; want a lock's name in all of them or in none", lockOr(o.Lock))
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

func clamp(n int) int32 { return int32(min(n, math.MaxInt32)) }

// guards returns 0 for what is done to a lock, 1 for what is done to a register.
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

// note keeps the first places at which something is missing.
func (r *recorder) note(o *checker.Op, has checker.Value, at Place) {
	if guards(o.F) == 0 {
		r.token(o, at)
		return
	}
	first := func(p *Place, missing bool) {
		if missing && *p == (Place{}) {
			*p = at
		}
	}
	first(&r.NoFence, o.Type == checker.Invoke && has.Fence == 0)
	first(&r.NoPlain, o.Type == checker.OK && has.Plain == 0)
	first(&r.NoFenced, o.Type == checker.OK && has.Fenced == 0)
	first(&r.CAS, o.F == checker.CompareAndSet)
	first(&r.NoData, o.Type == checker.Invoke && o.F != checker.Read && has.Data == 0)
	first(&r.NoData, o.Type == checker.OK && o.F == checker.Read && has.Plain+has.Fenced > 0)
	if o.F == checker.Read && o.Type == checker.OK && o.Value.Data == 0 {
		r.Nils++
	}
}

// token notes the first success of acquire without a fencing token, until one comes that has it.
func (r *recorder) token(o *checker.Op, at Place) {
	switch {
	case o.F != checker.Acquire || o.Type != checker.OK || r.tokens:
	case o.Value.Fence > 0:
		r.tokens, r.NoToken = true, Place{}
	case r.NoToken == Place{}:
		r.NoToken = at
	}
}

// value reads the value and the name of the lock. In has, it returns 1 for each number that is there.
func (r *recorder) value(l *line, o *checker.Op) (has checker.Value, err error) {
	for _, f := range [...]forms.Form{l.lock, l.keyed} {
		if there(f) {
			if err := r.name(f, o); err != nil {
				return has, err
			}
		}
	}
	v := l.value
	if there(v) && v.Kind() == forms.Vector && (o.F != checker.CompareAndSet || hasPair(v)) {
		if v, err = r.tuple(v, o); err != nil {
			return has, err
		}
	}
	switch {
	case !there(v):
		return has, nil
	case guards(o.F) == 1 && v.Kind() != forms.Map:
		return has, r.data(v, o, &has)
	case v.Kind() == forms.Map:
		return r.fields(v, o)
	}
	return has, r.bare(v, o)
}

// tuple reads the name in [name value], and returns the value.
func (r *recorder) tuple(f forms.Form, o *checker.Op) (forms.Form, error) {
	kids := f.Kids()
	name, one := kids.Next()
	value, two := kids.Next()
	if _, three := kids.Next(); !one || !two || three || !there(name) {
		return f, wrong(f, "found %s as the value; want nil, a map, or a tuple [lock value]", found(f))
	}
	return value, r.name(name, o)
}

func (r *recorder) name(f forms.Form, o *checker.Op) error {
	if !isName(f) && f.Kind() != forms.Int {
		return wrong(f, "found %s as the name of the lock; want a string, a keyword or an integer", found(f))
	}
	text := f.Name()
	if f.Kind() == forms.Int {
		text = numeral(f)
	}
	name, err := r.intern(f, text)
	switch {
	case err != nil:
		return err
	case name == "":
		return wrong(f, "found an empty name of the lock; want a name, or none at all")
	}
	if o.Lock != "" && o.Lock != name {
		return wrong(f, "found the lock %q, and %q in the same op; want one", clip(name), clip(o.Lock))
	}
	o.Lock = name
	return nil
}

// numeral writes an integer in the one way in which it is not two names: +1, 1N and 0x1 are 1.
func numeral(f forms.Form) []byte {
	n, ok := f.Unsigned()
	switch {
	case !ok:
		return bytes.TrimSuffix(bytes.TrimPrefix(f.Text(), []byte("+")), []byte("N"))
	case n > 0 && f.Text()[0] == '-':
		return strconv.AppendUint([]byte("-"), n, 10)
	}
	return strconv.AppendUint(nil, n, 10)
}

func (r *recorder) fields(f forms.Form, o *checker.Op) (has checker.Value, err error) {
	kids := f.Kids()
	for {
		key, ok := kids.Next()
		if !ok {
			return has, nil
		}
		value, _ := kids.Next()
		if key.Kind() != forms.Keyword && key.Kind() != forms.String || !there(value) {
			continue
		}
		word := synonym(key.Name())
		if word == "token" && value.Kind() == forms.Int {
			word = "fence"
		}
		switch word {
		case "fence":
			err = number64(value, "fencing token", &o.Value.Fence, &has.Fence)
		case "owner", "token", "uid":
			err = r.claim(word, value)
		case "plain":
			err = number64(value, "version of the plain register", &o.Value.Plain, &has.Plain)
		case "fenced":
			err = number64(value, "version of the fenced register", &o.Value.Fenced, &has.Fenced)
		case "permits":
			err = onePermit(value)
		case "lock":
			err = r.name(value, o)
		}
		if err != nil {
			return has, err
		}
	}
}

// claim reads who acts, or the number of an operation.
func (r *recorder) claim(word string, value forms.Form) error {
	switch {
	case word == "uid":
		return r.operationID(value)
	case r.Value == Ignored:
		return nil
	case word == "owner":
		return r.claimText(value, &r.current.owner)
	}
	return r.claimText(value, &r.current.token)
}

// debug reads who acts from a map that stands beside the value, and has whatever else.
func (r *recorder) debug(f forms.Form) error {
	if !there(f) || f.Kind() != forms.Map {
		return nil
	}
	kids := f.Kids()
	for {
		key, ok := kids.Next()
		if !ok {
			return nil
		}
		value, _ := kids.Next()
		if key.Kind() != forms.Keyword && key.Kind() != forms.String || !there(value) {
			continue
		}
		if word := synonym(key.Name()); word == "owner" || word == "uid" || word == "token" && value.Kind() != forms.Int {
			if err := r.claim(word, value); err != nil {
				return err
			}
		}
	}
}

// number64 reads a number that is not negative and fits into 64 bits, and notes that it is there.
func number64(f forms.Form, what string, to, has *uint64) error {
	if *has > 0 {
		return wrong(f, "found the %s a second time; want it once", what)
	}
	if f.Kind() != forms.Int {
		return wrong(f, "found %s as the %s; want an integer", found(f), what)
	}
	n, ok := f.Unsigned()
	if f.Text()[0] == '-' && n > 0 {
		return wrong(f, "found %s as the %s; want 0 or more", clip(string(f.Text())), what)
	}
	if !ok {
		return wrong(f, "found %s as the %s; want at most 18446744073709551615", clip(string(f.Text())), what)
	}
	*to, *has = n, 1
	return nil
}

func onePermit(f forms.Form) error {
	if n, ok := f.Unsigned(); f.Kind() != forms.Int || !ok || n != 1 || f.Text()[0] == '-' {
		return wrong(f, "found %s as the number of permits; want 1, each permit an op of its own", found(f))
	}
	return nil
}

// isFalse reports whether what an ok brought back says that the operation did not come about.
func isFalse(text []byte) bool { return len(text) == 0 || string(text) == "false" }

// synonyms are other words for the keys of an op and of its value.
var synonyms = map[string]string{
	"key": "lock", "lock-name": "lock", "lock_name": "lock", "lockName": "lock", "resource": "lock",
	"fencing-token": "fence", "fencing_token": "fence", "fencingToken": "fence",
	"client": "owner", "holder": "owner", "owner-id": "owner", "owner_id": "owner", "ownerId": "owner",
	"client-id": "owner", "client_id": "owner", "clientId": "owner",
	"id": "uid", "uuid": "uid",
}

// synonym returns our word for a key.
func synonym(key []byte) string {
	if word, known := synonyms[string(key)]; known {
		return word
	}
	return string(key)
}

// operationID keeps the number that an op has in its value.
func (r *recorder) operationID(f forms.Form) error {
	if r.ids == nil {
		r.ids = map[int]string{}
	}
	var id string
	err := r.claimText(f, &id)
	r.ids[len(r.History)] = id
	return err
}

// bare reads a value that stands for itself. What it means is plain in few places; in all others it is refused.
func (r *recorder) bare(f forms.Form, o *checker.Op) error {
	switch {
	case o.Type == checker.OK && (f.Kind() == forms.Bool || f.Kind() == forms.String) && isFalse(f.Name()):
		o.Type = checker.Fail
		r.Falses++
		return nil
	case r.Value == Ignored || f.Kind() == forms.Bool && o.Type == checker.OK:
		return nil
	case isName(f) || f.Kind() == forms.Int && (r.Value == Owner || r.Value == Token):
		return r.claimText(f, &r.current.bare)
	case f.Kind() == forms.Int && r.Permits:
		return onePermit(f)
	case f.Kind() == forms.Int && o.Type == checker.OK && o.F == checker.Acquire:
		var has uint64
		return number64(f, "fencing token", &o.Value.Fence, &has)
	case f.Kind() == forms.Int:
		return wrong(f, "found %s as the value of this %v of %v; want it in a map, as {:lock %[1]s} or {:fence %[1]s}", f.Text(), o.Type, o.F)
	}
	return wrong(f, "found %s as the value of this %v of %v; want nil or a map, such as {:lock \"a\" :fence 7}", found(f), o.Type, o.F)
}

// Place returns where the i-th op stands.
func (r *Recording) Place(i int) Place {
	p := r.places[i]
	return Place{Line: int(p.line), Column: int(p.column)}
}

// Locate returns an error about the i-th op, with its place.
func (r *Recording) Locate(i int, says string) error { return &Error{Place: r.Place(i), Says: says} }
