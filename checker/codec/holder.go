package codec

import (
	"cmp"
	"fmt"
	"strconv"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/checker/codec/internal/forms"
)

// This file decides what a value means that is a bare string, and who acts: whoever the ops name, or else each process for
// itself.

// A Meaning is what a string, keyword or symbol means that is the whole value of an op on a lock.
type Meaning uint8

// The meanings. Undecided takes it for the lock's name, and refuses a history in which it can hardly be one.
const (
	Undecided Meaning = iota
	Lock              // the name of the lock, in an invoke; what closes an operation brings back a result
	Owner             // who acts
	Token             // a random text for each hold, which its release repeats
	Ignored           // nothing, and so are owners and tokens in maps
)

// A claim is what one op says of itself, beside what checker.Op has: its bare value, its owner, its token, and the name of
// its process.
type claim struct{ bare, owner, token, process string }

// firstNamed is the process of the first client that has a name: beyond all numbers that a history has.
const firstNamed = 1 << 40

// process reads the process of a client. A name in digits is a number.
func (r *recorder) process(f forms.Form) (int, error) {
	const want = "the number of a client, from 0"
	if !isName(f) {
		n, err := whole(f, "process", want)
		return int(n), err
	}
	name := string(f.Name())
	if n, err := strconv.Atoi(name); err == nil && n >= 0 && n < firstNamed {
		return n, nil
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

// keepName keeps the name of an op's process. After an unknown outcome its client goes on under another number.
func (r *recorder) keepName(f forms.Form, o *checker.Op) {
	if o.Process < firstNamed || !isName(f) {
		return
	}
	r.current.process = string(f.Name())
	if o.Type == checker.Info {
		delete(r.threads, r.current.process)
	}
}

// keepClaim keeps the claims of the op that was added last. Most histories have none.
func (r *recorder) keepClaim() {
	if r.claimed == nil && r.current == (claim{}) {
		return
	}
	for len(r.claimed) < len(r.History)-1 {
		r.claimed = append(r.claimed, claim{})
	}
	r.claimed, r.current = append(r.claimed, r.current), claim{}
}

// hasBare reports whether an op so far has a bare value.
func (r *recorder) hasBare(i int) bool { return i < len(r.claimed) && r.claimed[i].bare != "" }

// An operation is an invoke and what closes it, by index; closed is -1 if nothing does.
type operation struct{ invoked, closed int }

// operations pairs the ops of the recording.
func (r *recorder) operations() []operation {
	var all []operation
	open := map[int]int{} // by process, the place in all; looked up, never ranged over
	for i := range r.History {
		if o := &r.History[i]; o.Type == checker.Invoke {
			open[o.Process] = len(all)
			all = append(all, operation{i, -1})
		} else {
			all[open[o.Process]].closed = i
		}
	}
	return all
}

// finish decides what the bare values are, and who acts.
func (r *recorder) finish() error {
	if r.claimed == nil {
		return nil
	}
	for len(r.claimed) < len(r.History) {
		r.claimed = append(r.claimed, claim{})
	}
	all := r.operations()
	how := r.Value
	if how == Undecided && r.repeatsIDs(all) {
		how = Ignored
		r.IDs = true
	}
	switch how {
	case Undecided:
		if err := r.mayNameLocks(all); err != nil {
			return err
		}
	case Owner:
		r.takeBare(func(c *claim) { c.owner = c.bare })
	case Token:
		r.takeBare(func(c *claim) { c.owner, c.token = "", c.bare })
	}
	if err := r.nameLocks(all, how == Undecided || how == Lock); err != nil {
		return err
	}
	return r.assignOwners(all)
}

// takeBare lets the bare value of each op be its owner or token.
func (r *recorder) takeBare(take func(*claim)) {
	for i := range r.claimed {
		if r.claimed[i].bare != "" {
			take(&r.claimed[i])
		}
	}
}

// repeatsIDs reports whether the bare values number the operations: no two invokes have the same, and an ok has a map that
// names the value of its invoke as its uid, as in Hazelcast's tests.
func (r *recorder) repeatsIDs(all []operation) (repeats bool) {
	seen := map[string]bool{} // looked up, never ranged over
	for _, op := range all {
		id := r.claimed[op.invoked].bare
		if id == "" {
			continue
		}
		if seen[id] {
			return false
		}
		seen[id] = true
		repeats = repeats || op.closed >= 0 && r.ids[op.closed] == id
	}
	return repeats
}

const wantValueFlag = "say what the values are, as --value lock, owner, token or ignore"

// nameLocks sets the name of the lock of each operation: the bare value of its invoke, if those are names.
func (r *recorder) nameLocks(all []operation, bare bool) error {
	for _, op := range all {
		o := &r.History[op.invoked]
		if name := r.claimed[op.invoked].bare; bare && name != "" && o.Lock == "" {
			o.Lock = name
		}
		if op.closed < 0 {
			continue
		}
		if back := r.History[op.closed].Lock; back != "" && back != o.Lock {
			return r.Locate(op.closed, fmt.Sprintf("found the lock %q in what closes the %v of line %d, which names %s; want the same lock, or none here",
				clip(back), o.F, r.places[op.invoked].line, lockOr(o.Lock)))
		}
		r.History[op.closed].Lock = o.Lock
	}
	first := map[int]int{} // by what they guard; looked up, never ranged over
	for _, op := range all {
		o := &r.History[op.invoked]
		at, known := first[guards(o.F)]
		if !known {
			first[guards(o.F)] = op.invoked
		} else if (r.History[at].Lock == "") != (o.Lock == "") {
			return r.Locate(op.invoked, fmt.Sprintf("found an op that names %s, other than those before; want a lock's name in all of them or in none; "+
				"if a value is not a name, %s", lockOr(o.Lock), wantValueFlag))
		}
	}
	return nil
}

// mayNameLocks returns an error if the bare values can hardly be the names of locks.
func (r *recorder) mayNameLocks(all []operation) error {
	for _, op := range all {
		name, lock := r.claimed[op.invoked].bare, r.History[op.invoked].Lock
		if name != "" && lock != "" && name != lock {
			return r.Locate(op.invoked, fmt.Sprintf("found the value %q beside the lock %q in the same op; want one name, or %s", clip(name), clip(lock), wantValueFlag))
		}
		if op.closed < 0 {
			continue
		}
		if back := r.claimed[op.closed].bare; back != "" && back != name && (name != "" || r.History[op.invoked].Lock != back) && !isResult(back) {
			return r.Locate(op.closed, fmt.Sprintf("found the value %q in what closes the %v of line %d, whose value is %s; if it is not the lock's name, %s",
				clip(back), r.History[op.closed].F, r.places[op.invoked].line, valueOr(name), wantValueFlag))
		}
	}
	return r.names(all).doubt(r)
}

// isResult reports whether a text says that an operation came about.
func isResult(s string) bool { return s == "true" || s == "ok" || s == "OK" }

func valueOr(s string) string {
	if s == "" {
		return "no name"
	}
	return fmt.Sprintf("%q", clip(s))
}

// A nameCount is how the ops use one name.
type nameCount struct {
	first, acquires int
	process         int  // that used it last
	gone            bool // it has ended with an unknown outcome
	shared          bool // two processes that both went on have used it
}

// A census is how the ops use the names in their bare values.
type census struct {
	names    map[string]*nameCount // looked up, never ranged over
	order    []string              // in which they first come
	ops      int
	of       map[int]string // the name that a process uses; looked up, never ranged over
	changing bool           // a process uses several
}

func (r *recorder) names(all []operation) *census {
	c := &census{names: map[string]*nameCount{}, of: map[int]string{}}
	for _, op := range all {
		name, o := r.claimed[op.invoked].bare, &r.History[op.invoked]
		if name == "" {
			continue
		}
		c.ops++
		n := c.names[name]
		if n == nil {
			n = &nameCount{first: op.invoked, process: o.Process}
			c.names[name], c.order = n, append(c.order, name)
		}
		if o.F == checker.Acquire {
			n.acquires++
		}
		n.shared = n.shared || n.process != o.Process && !n.gone
		n.process = o.Process
		n.gone = op.closed >= 0 && r.History[op.closed].Type == checker.Info
		before, known := c.of[o.Process]
		c.changing = c.changing || known && before != name
		c.of[o.Process] = name
	}
	return c
}

// doubt returns an error if the names are rather tokens, numbers of operations, or owners. It is no use to judge locks that
// nobody acquires twice; and if each name belongs to one process, no two processes want the same lock.
func (c *census) doubt(r *recorder) error {
	if len(c.order) < 2 {
		return nil
	}
	owners := !c.changing
	for _, name := range c.order {
		n := c.names[name]
		if n.acquires < 2 {
			return r.Locate(n.first, fmt.Sprintf("found the value %q in %s, and %d different ones in %d operations: probably no lock's name but a token of each hold, "+
				"or a number of each operation; %s", clip(name), acquiresOf(n.acquires), len(c.order), c.ops, wantValueFlag))
		}
		owners = owners && !n.shared
	}
	if owners {
		return r.Locate(c.names[c.order[0]].first, fmt.Sprintf("found %d different values, each used by a process of its own: probably no lock's name but the owner's; %s",
			len(c.order), wantValueFlag))
	}
	return nil
}

func acquiresOf(n int) string {
	if n == 0 {
		return "no acquire"
	}
	return "a single acquire"
}

// An identity numbers the owners, and numbers processes as Jepsen does.
type identity struct {
	number map[string]int // of each owner; looked up, never ranged over
	owners []string
	ages   []int // by owner: how many of its process numbers are used up
	open   []int // by owner: the operation that it began last, from 1
}

func (id *identity) of(owner string) int {
	n, known := id.number[owner]
	if !known {
		n = len(id.owners)
		id.number[owner] = n
		id.owners, id.ages, id.open = append(id.owners, owner), append(id.ages, 0), append(id.open, 0)
	}
	return n
}

// assignOwners lets the owners act in place of the processes, if the ops name any: a process becomes its owner's number,
// and after an unknown outcome that plus the number of owners, so that the owners are the clients of a Model.
func (r *recorder) assignOwners(all []operation) error {
	named := r.anyClaim(func(_ int, c *claim) bool { return c.process != "" })
	tokens := !r.anyClaim(func(_ int, c *claim) bool { return c.owner != "" })
	if tokens && !r.anyClaim(func(i int, c *claim) bool {
		return c.token != "" && (r.Value == Token || r.History[i].F == checker.Release)
	}) {
		if !named {
			return nil
		}
		tokens = false
	}
	id := &identity{number: map[string]int{}}
	owner, err := r.ownersOf(all, tokens)
	if err != nil {
		return err
	}
	for _, name := range owner {
		id.of(name)
	}
	if !r.Named {
		r.processes = make([]int, len(r.History))
		for i := range r.History {
			r.processes[i] = r.History[i].Process
		}
	}
	for i, op := range all {
		n := id.of(owner[i])
		if last := id.open[n]; last > 0 {
			switch before := all[last-1]; {
			case before.closed < 0:
				id.ages[n]++
			case before.closed > op.invoked:
				return r.Locate(op.invoked, fmt.Sprintf("found an operation of %s while its %v of line %d is open; want one at a time, or --value ignore, which judges each process as a client",
					owner[i], r.History[before.invoked].F, r.places[before.invoked].line))
			case r.History[before.closed].Type == checker.Info:
				id.ages[n]++
			}
		}
		id.open[n] = i + 1
		r.History[op.invoked].Process = n + id.ages[n]*len(id.owners)
		if op.closed >= 0 {
			r.History[op.closed].Process = r.History[op.invoked].Process
		}
	}
	r.Owners = id.owners
	return nil
}

func (r *recorder) anyClaim(is func(int, *claim) bool) bool {
	for i := range r.claimed {
		if is(i, &r.claimed[i]) {
			return true
		}
	}
	return false
}

// ownersOf returns who acts in each operation: the owner or the token that its ops name, or else the one owner that its
// process has elsewhere. An operation that failed, or one on a register, may be of nobody in particular.
func (r *recorder) ownersOf(all []operation, tokens bool) ([]string, error) {
	owner := make([]string, len(all))
	r.Named = !tokens && !r.anyClaim(func(_ int, c *claim) bool { return c.owner != "" })
	if r.Named {
		for i, op := range all {
			owner[i] = r.nameOf(op.invoked)
		}
		return owner, nil
	}
	if err := r.ownersNamed(all, tokens, owner); err != nil {
		return nil, err
	}
	if err := r.ownersByProcess(all, tokens, owner); err != nil {
		return nil, err
	}
	return owner, nil
}

func (r *recorder) ownersNamed(all []operation, tokens bool, owner []string) error {
	for i, op := range all {
		name, err := r.ownerIn(op, tokens)
		if err != nil {
			return err
		}
		if name != "" {
			owner[i] = fmt.Sprintf("%s %q", ownerWord(tokens), name)
		}
	}
	return nil
}

// ownerIn returns the owner or the token that an operation's ops name, which must agree; "" if they name none.
func (r *recorder) ownerIn(op operation, tokens bool) (string, error) {
	name := r.claimed[op.invoked].actor(tokens)
	if op.closed < 0 {
		return name, nil
	}
	back := r.claimed[op.closed].actor(tokens)
	if name != "" && back != "" && name != back {
		return "", r.Locate(op.closed, fmt.Sprintf("found the %s %q in what closes the %v of line %d, which names %q; want the same, or none here",
			ownerWord(tokens), clip(back), r.History[op.closed].F, r.places[op.invoked].line, clip(name)))
	}
	return max(name, back), nil
}

func (c *claim) actor(tokens bool) string {
	if tokens {
		return c.token
	}
	return c.owner
}

func ownerWord(tokens bool) string {
	if tokens {
		return "token"
	}
	return "owner"
}

// ownersByProcess sets the owners that are missing: the one that the process has elsewhere, or else the process itself.
func (r *recorder) ownersByProcess(all []operation, tokens bool, owner []string) error {
	known := map[int]string{}
	if !tokens { // a token is of one hold, so it says nothing of the others of its process
		known = r.onlyOwners(all, owner)
	}
	for i, op := range all {
		if owner[i] != "" {
			continue
		}
		o := &r.History[op.invoked]
		if owner[i] = known[r.client(o.Process)]; owner[i] != "" {
			continue
		}
		if owner[i] = r.nameOf(op.invoked); guards(o.F) == 0 && (op.closed < 0 || r.History[op.closed].Type != checker.Fail) {
			return r.Locate(op.invoked, fmt.Sprintf("found a %v without the %s, which other ops name, and whose outcome is not fail; "+
				"want it in the value of its invoke, or --value ignore, which judges each process as a client", o.F, ownerWord(tokens)))
		}
	}
	return nil
}

// onlyOwners returns the owner of each process that has one, and "" for one that has several. The map is never ranged over.
func (r *recorder) onlyOwners(all []operation, owner []string) map[int]string {
	only := map[int]string{}
	for i, op := range all {
		if owner[i] == "" {
			continue
		}
		p := r.client(r.History[op.invoked].Process)
		if before, known := only[p]; known && before != owner[i] {
			only[p] = ""
		} else {
			only[p] = owner[i]
		}
	}
	return only
}

func (r *recorder) nameOf(i int) string {
	return "process " + cmp.Or(r.claimed[i].process, strconv.Itoa(r.client(r.History[i].Process)))
}

// client returns the thread of a process.
func (r *recorder) client(process int) int {
	if r.Clients > 0 {
		return process % r.Clients
	}
	return process
}

// Process returns the process that the i-th op came with. It is another than in History where the ops name owners.
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

// HasValues reports whether the ops are of registers of values.
func (r *Recording) HasValues() bool { return r != nil && (len(r.Values) > 1 || r.CAS != Place{}) }

// Who describes a process of History: by its owner, where the ops name owners.
func (r *Recording) Who(process int) string {
	if len(r.Owners) == 0 {
		return fmt.Sprintf("process %d", process)
	}
	return r.Owners[process%len(r.Owners)]
}

// claimText keeps what an op says of its owner, its token or its number.
func (r *recorder) claimText(f forms.Form, to *string) (err error) {
	text := f.Name()
	switch {
	case f.Kind() == forms.Int:
		text = numeral(f)
	case !isName(f):
		text = spoken(f)
	}
	*to, err = r.intern(f, text)
	return err
}
