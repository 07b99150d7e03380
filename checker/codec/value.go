package codec

import (
	"bytes"
	"fmt"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/checker/codec/internal/forms"
)

// This file reads the value of an op, and what it says about who acts. A checker only compares the values of a
// register, so a history has numbers for them.

// value reads the value and the name of the lock. In has, it returns 1 for each number that is there; for an acquire,
// Data is 1 if a number is there under a word that is not ours.
func (r *recorder) value(l *line, o *checker.Op) (has checker.Value, err error) {
	for _, f := range [...]forms.Form{l.lock, l.keyed} {
		if there(f) {
			if err := r.name(f, o); err != nil {
				return has, err
			}
		}
	}
	v := l.value
	if there(v) && v.Kind() == forms.Vector && (o.F != checker.CompareAndSet || hasPair(v, o.Type)) {
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
	err = r.bare(v, o, &has)
	return has, err
}

// tuple reads the name in the vector [name value], and returns the value.
func (r *recorder) tuple(f forms.Form, o *checker.Op) (forms.Form, error) {
	name, value, two := pairOf(f)
	if !two || !there(name) {
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
		text = f.Numeral()
	}
	name, err := r.intern(f, text)
	switch {
	case err != nil:
		return err
	case name == "":
		return wrong(f, "found an empty lock name; want a name, or no lock")
	}
	if o.Lock != "" && o.Lock != name {
		return wrong(f, "found the lock %q, and %q in the same op; want one", clip(name), clip(o.Lock))
	}
	o.Lock = name
	return nil
}

func (r *recorder) fields(f forms.Form, o *checker.Op) (has checker.Value, err error) {
	for key, value := range entries(f) {
		word := synonym(key.Name())
		err := slipped(key, word, "a key of the value", "lock", "fence", "owner", "token", "shared")
		if err != nil && there(value) {
			return has, err
		}
		if outcomes[word] && o.Type == checker.OK {
			if err := r.outcome(key, value, o); err != nil {
				return has, err
			}
			continue
		}
		if !there(value) {
			continue
		}
		if word == "token" && value.Kind() == forms.Int {
			word = "fence"
		}
		switch word {
		case "fence":
			err = number64(value, "fencing token", &o.Value.Fence, &has.Fence)
		case "token":
			has.Data |= perhapsFence(o, value) // some write the fencing token as text
			err = r.claim(word, value)
		case "uid":
			r.ignore(key, true)
			err = r.claim(word, value)
		case "owner":
			err = r.claim(word, value)
		case "plain":
			err = number64(value, "version of the plain register", &o.Value.Plain, &has.Plain)
		case "fenced":
			err = number64(value, "version of the fenced register", &o.Value.Fenced, &has.Fenced)
		case "permits":
			err = onePermit(value)
		case "shared":
			err = r.shared(value, o)
		case "lock":
			err = r.name(value, o)
		default:
			has.Data |= perhapsFence(o, value)
			r.ignore(key, true)
		}
		if err != nil {
			return has, err
		}
	}
	return has, nil
}

// perhapsFence returns 1 for the value of an acquire under a word that is not ours, if it is a number in any form, or
// has parts: it may be a fencing token, or hold one.
func perhapsFence(o *checker.Op, value forms.Form) uint32 {
	word := isName(value) && len(bytes.Trim(value.Name(), "0123456789.+-")) > 0 || value.Kind() == forms.Bool
	if o.F != checker.Acquire || word {
		return 0
	}
	return 1
}

// shared reads whether an acquire is shared. In a release or a renewal it says nothing new: what its client holds is
// known.
func (r *recorder) shared(f forms.Form, o *checker.Op) error {
	if f.Kind() != forms.Bool {
		return wrong(f, "found %s as the value of shared; want true or false", found(f))
	}
	o.Value.Shared = o.F == checker.Acquire && string(f.Name()) == "true"
	return nil
}

// outcomes are words for whether an operation took place, in the value of one that is ok.
var outcomes = map[string]bool{
	"acquired": true, "granted": true, "released": true, "renewed": true, "success": true, "result": true, "ok": true,
}

// outcome makes a fail of an op that is ok and says in its value that it did not take place. An absent value decides
// nothing, and so does a number: 0 may be a failure, a token, or a code of success.
func (r *recorder) outcome(key, value forms.Form, o *checker.Op) error {
	switch outcomeOf(value) {
	case failed:
		o.Type = checker.Fail
		r.Falses++
	case unclear:
		return wrong(key, "found %s %s in an op that is ok; want true or false, or the type fail",
			key.Text(), brief(value))
	}
	return nil
}

// What a value says about whether an operation took place.
type cameAbout uint8

const (
	unclear cameAbout = iota
	came
	failed
)

func outcomeOf(f forms.Form) cameAbout {
	text := string(f.Name())
	switch {
	case f.Kind() != forms.Bool && !isName(f):
		return unclear
	case isFalse(text):
		return failed
	case isResult(text):
		return came
	}
	return unclear
}

// debug reads who acts from a map next to the value.
func (r *recorder) debug(f forms.Form) error {
	if !there(f) || f.Kind() != forms.Map {
		return nil
	}
	for key, value := range entries(f) {
		word := synonym(key.Name())
		if !there(value) || word != "owner" && word != "uid" && (word != "token" || value.Kind() == forms.Int) {
			continue
		}
		if err := r.claim(word, value); err != nil {
			return err
		}
	}
	return nil
}

// synonyms are our words for the keys of an op and of its value, by all words that others write for them, in small
// letters.
var synonyms = map[string]string{
	"key": "lock", "lockname": "lock", "lockid": "lock",
	"resource": "lock", "resourcename": "lock", "resourceid": "lock",
	"fence": "fence", "fencingtoken": "fence", "fencetoken": "fence",
	"lock": "lock", "owner": "owner", "token": "token", "uid": "uid",
	"plain": "plain", "fenced": "fenced", "permits": "permits", "shared": "shared",
	"client": "owner", "holder": "owner", "ownerid": "owner", "clientid": "owner",
	"id": "uid", "uuid": "uid",
}

// synonym returns our word for a key, however its letters are set: Lock, lock-name, lock_name and LockName are one.
func synonym(key []byte) string {
	var small [24]byte // enough for our words, and on the stack
	plain := small[:0]
	for _, c := range key {
		switch {
		case c == '-' || c == '_':
			continue
		case c >= 'A' && c <= 'Z':
			c += 'a' - 'A'
		}
		plain = append(plain, c)
	}
	if word, known := synonyms[string(plain)]; known {
		return word
	}
	return string(plain)
}

// claim reads who acts, or the number of an operation.
func (r *recorder) claim(word string, value forms.Form) error {
	switch {
	case word == "uid":
		if r.ids == nil {
			r.ids = map[int]string{}
		}
		var id string
		err := r.claimText(value, &id)
		r.ids[len(r.History)] = id
		return err
	case r.Value == Ignored:
		return nil
	case word == "owner":
		return r.claimText(value, &r.current.owner)
	}
	return r.claimText(value, &r.current.token)
}

// claimText keeps what an op says of its owner, its token or its number.
func (r *recorder) claimText(f forms.Form, to *string) (err error) {
	text := f.Name()
	switch {
	case f.Kind() == forms.Int:
		text = f.Numeral()
	case !isName(f):
		text = spoken(f)
	}
	if before := *to; before != "" && before != string(text) {
		return wrong(f, "found %q after %q, which mean the same; want one of them",
			clip(string(text)), clip(before))
	}
	*to, err = r.intern(f, text)
	return err
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
		return wrong(f, "found %s as the number of permits; want 1, and a separate op for each permit", found(f))
	}
	return nil
}

// bare reads a value that is not in a map. It rejects a value whose meaning is not plain.
func (r *recorder) bare(f forms.Form, o *checker.Op, has *checker.Value) error {
	switch {
	case o.Type == checker.OK && (f.Kind() == forms.Bool || f.Kind() == forms.String) && isFalse(string(f.Name())):
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
		if n, _ := f.Unsigned(); n == 0 { // to some it is no token, to others that nothing was acquired
			return wrong(f, "found %s as the result of this acquire; "+
				"want its fencing token, counted from 1, or the type fail", f.Text())
		}
		return number64(f, "fencing token", &o.Value.Fence, &has.Fence)
	case f.Kind() == forms.Int:
		return wrong(f, "found %s as the value of this %v of %v; "+
			"want it in a map, as {:lock %[1]s} or {:fence %[1]s}", f.Text(), o.Type, o.F)
	}
	return wrong(f, "found %s as the value of this %v of %v; "+
		"want nil or a map, such as {:lock \"a\" :fence 7}", found(f), o.Type, o.F)
}

// isFalse reports whether a text says that the operation did not take place.
func isFalse(text string) bool { return text == "" || text == "false" }

// data reads the value of a read, a write or a compare-and-set that is no map. The end of a write or a compare-and-set
// does not have to repeat it, and brings back nothing except perhaps that a compare-and-set did not take place.
func (r *recorder) data(f forms.Form, o *checker.Op, has *checker.Value) (err error) {
	switch {
	case o.F == checker.CompareAndSet && o.Type == checker.OK && outcomeOf(f) == failed:
		o.Type = checker.Fail
		r.Falses++
		return nil
	case o.F == checker.Read && o.Type == checker.OK || o.F == checker.Write && o.Type == checker.Invoke:
		has.Data = 1
		o.Value.Data, err = r.number(f)
		return err
	case o.F != checker.CompareAndSet || o.Type > checker.OK || o.Type == checker.OK && outcomeOf(f) == came:
		return nil
	}
	expected, set, pair := pairOf(f)
	if pair && o.Type == checker.OK {
		return nil
	}
	if !pair {
		return wrong(f, "found %s as the value of a cas; want the pair [expected new]", found(f))
	}
	has.Data = 1
	if o.Value.Expected, err = r.number(expected); err == nil {
		o.Value.Data, err = r.number(set)
	}
	return err
}

// pairOf returns the two values in [expected new].
func pairOf(f forms.Form) (expected, set forms.Form, pair bool) {
	if f.Kind() != forms.Vector && f.Kind() != forms.List {
		return expected, set, false
	}
	kids := f.Kids()
	expected, one := kids.Next()
	set, two := kids.Next()
	_, three := kids.Next()
	return expected, set, one && two && !three
}

// hasPair reports whether the value of a compare-and-set is a tuple of Jepsen's independent: [name [expected new]], or
// in an ok [name true].
func hasPair(f forms.Form, t checker.Type) bool {
	name, inner, tuple := pairOf(f)
	if !tuple || !isName(name) && name.Kind() != forms.Int {
		return false
	}
	_, _, pair := pairOf(inner)
	return pair || t == checker.OK && inner.Kind() == forms.Bool
}

// initial returns the number of the value that a register has at first.
func (r *recorder) initial(text string) (uint32, error) {
	r.Values, r.numbers = []string{"nil"}, map[string]uint32{"nil": 0}
	if text == "" {
		return 0, nil
	}
	in := forms.NewReader(bytes.NewReader([]byte(text)), EDN)
	f, err := in.Next()
	if err != nil {
		return 0, fmt.Errorf("the initial value %q can't be read: %w", clip(text), err)
	}
	return r.number(f)
}

// number returns the number of a value: the same for the same value, however it is written.
func (r *recorder) number(f forms.Form) (uint32, error) {
	text := f.AppendValue(nil)
	if n, known := r.numbers[string(text)]; known {
		return n, nil
	}
	value, err := r.intern(f, text)
	if err != nil {
		return 0, err
	}
	r.numbers[value] = uint32(len(r.Values))
	r.Values = append(r.Values, value)
	return r.numbers[value], nil
}

// note keeps the first places at which something is missing.
func (r *recorder) note(o *checker.Op, has checker.Value, place Place) {
	if guards(o.F) == 0 {
		if r.token(o, has, place); o.Value.Shared && r.Shared == (Place{}) {
			r.Shared = place
		}
		return
	}
	first := func(p *Place, missing bool) {
		if missing && *p == (Place{}) {
			*p = place
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

// token notes the first successful acquire without a fencing token, until one comes that has it. No token is one thing.
// 0, or a number under a word that is not ours, is another: it may be the token that breaks the order.
func (r *recorder) token(o *checker.Op, has checker.Value, place Place) {
	if o.F != checker.Acquire || o.Type != checker.OK {
		return
	}
	if o.Value.Fence == 0 {
		r.Tokenless++
	}
	switch {
	case o.Value.Fence > 0:
		if r.tokens = true; !r.doubtful {
			r.NoToken = Place{}
		}
	case has.Fence+uint64(has.Data) > 0 && !r.doubtful:
		r.doubtful, r.NoToken = true, place
	case r.NoToken == Place{} && !r.tokens:
		r.NoToken = place
	}
}
