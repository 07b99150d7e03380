package codec

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/lockstorm/lockstorm/checker"
)

// This file decides what a bare string as a value means, and who acts: the client that the ops name, or else each
// process by itself.

// A claim is what one op says of itself, apart from what checker.Op has: its bare value, its owner, its token, and the
// name of its process.
type claim struct{ bare, owner, token, process string }

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

func (r *recorder) refuse(i int, format string, args ...any) error {
	return r.Locate(i, fmt.Sprintf(format, args...))
}

// An operation is an invoke and what closes it, by index; closed is -1 if nothing does.
type operation struct{ invoked, closed int }

func (r *recorder) operations() []operation {
	var all []operation
	open := map[int]int{} // by process, the place in all; looked up, never ranged over
	for i, o := range r.History {
		if o.Type == checker.Invoke {
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
		r.Unread = slices.DeleteFunc(r.Unread, func(u Unread) bool {
			return u.InValue && synonym([]byte(u.Key)) == "uid"
		})
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

// takeBare makes the bare value of each op its owner or token.
func (r *recorder) takeBare(take func(*claim)) {
	for i := range r.claimed {
		if r.claimed[i].bare != "" {
			take(&r.claimed[i])
		}
	}
}

// repeatsIDs reports whether the bare values number the operations: no two invokes have the same, and an ok has a map
// whose uid is the value of its invoke, as in Hazelcast's tests.
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

// nameLocks sets the name of the lock of each operation: the bare value of its invoke, if bare values are names.
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
			return r.refuse(op.closed, closesOther, clip(back), o.F, r.places[op.invoked].line, lockOr(o.Lock))
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
			return r.refuse(op.invoked, "found an op that names %s, unlike the ops before; want a lock's name "+
				"in all of them or in none; if a value is not a name, %s", lockOr(o.Lock), wantValueFlag)
		}
	}
	return nil
}

// mayNameLocks returns an error if the bare values can hardly be the names of locks.
func (r *recorder) mayNameLocks(all []operation) error {
	for _, op := range all {
		name, lock := r.claimed[op.invoked].bare, r.History[op.invoked].Lock
		if name != "" && lock != "" && name != lock {
			return r.refuse(op.invoked, "found the value %q next to the lock %q in the same op; want one name, or %s",
				clip(name), clip(lock), wantValueFlag)
		}
		if op.closed < 0 {
			continue
		}
		back := r.claimed[op.closed].bare
		if back != "" && back != name && (name != "" || lock != back) && !isResult(back) {
			value := "no name"
			if name != "" {
				value = strconv.Quote(clip(name))
			}
			return r.refuse(op.closed, "found the value %q in what closes the %v of line %d, whose value is %s; "+
				"if it is not the lock's name, %s",
				clip(back), r.History[op.closed].F, r.places[op.invoked].line, value, wantValueFlag)
		}
	}
	return r.names(all).doubt(r)
}

// isResult reports whether a text says that an operation took place.
func isResult(s string) bool { return s == "true" || s == "ok" || s == "OK" }

// A nameCount is how the ops use one name.
type nameCount struct {
	first, acquires int
	process         int  // that used it last
	gone            bool // it has ended with an unknown outcome
	shared          bool // two processes that both continued have used it
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

// doubt returns an error if the names are more likely tokens, numbers of operations, or owners. Locks that no client
// acquires twice are not worth judging; and if each name belongs to one process, no two processes want the same lock.
func (c *census) doubt(r *recorder) error {
	if len(c.order) < 2 {
		return nil
	}
	owners := !c.changing
	for _, name := range c.order {
		n := c.names[name]
		if n.acquires < 2 {
			return r.refuse(n.first, "found the value %q in %s acquire, and %d different ones in %d operations: "+
				"probably no lock's name but a token of each hold, or a number of each operation; %s",
				clip(name), [...]string{"no", "a single"}[n.acquires], len(c.order), c.ops, wantValueFlag)
		}
		owners = owners && !n.shared
	}
	if owners {
		return r.refuse(c.names[c.order[0]].first, "found %d different values, each used by a separate process: "+
			"probably no lock's name but the owner's; %s", len(c.order), wantValueFlag)
	}
	return nil
}

// assignOwners makes the owners act in place of the processes, if the ops name any: a process becomes its owner's
// number, and after an unknown outcome that plus the number of owners, so that the owners are the clients of a Model.
func (r *recorder) assignOwners(all []operation) error {
	actor := r.actor()
	if actor == "" {
		return nil
	}
	who, err := r.whoActs(all, actor)
	if err != nil {
		return err
	}
	if r.Named = actor == byProcess; !r.Named {
		r.processes = make([]int, len(r.History))
		for i := range r.History {
			r.processes[i] = r.History[i].Process
		}
	}
	return r.renumber(all, who)
}

// The ways to name the actor of an operation.
const (
	byOwner   = "owner"
	byToken   = "token"
	byProcess = "process"
)

// actor returns what names who acts in this history, or "" where nothing does and each process is a number. A token
// does if a release repeats it, or a renewal in a history that ends before any release.
func (r *recorder) actor() string {
	var owner, token, process, renewed, released bool
	for i, c := range r.claimed {
		owner = owner || c.owner != ""
		f := r.History[i].F
		token = token || c.token != "" && (r.Value == Token || f == checker.Release)
		renewed = renewed || c.token != "" && f == checker.Renew
		released = released || f == checker.Release
		process = process || c.process != ""
	}
	switch {
	case owner:
		return byOwner
	case token, renewed && !released:
		return byToken
	case process:
		return byProcess
	}
	return ""
}

// whoActs returns who acts in each operation: the owner or the token that its ops name, or else the one owner that its
// process has elsewhere, or else the process. An operation that failed, or one on a register, doesn't have to name one.
func (r *recorder) whoActs(all []operation, actor string) ([]string, error) {
	who := make([]string, len(all))
	for i, op := range all {
		name, err := r.nameIn(op, actor)
		if err != nil {
			return nil, err
		}
		if name != "" {
			who[i] = fmt.Sprintf("%s %q", actor, name)
		}
	}
	elsewhere := map[int]string{}
	if actor == byOwner { // a token is of one hold, so it says nothing of the others of its process
		elsewhere = r.onlyOwners(all, who)
	}
	for i, op := range all {
		o := &r.History[op.invoked]
		if who[i] = cmp.Or(who[i], elsewhere[r.client(o.Process)]); who[i] != "" {
			continue
		}
		who[i] = "process " + cmp.Or(r.claimed[op.invoked].process, strconv.Itoa(r.client(o.Process)))
		if actor != byProcess && guards(o.F) == 0 && (op.closed < 0 || r.History[op.closed].Type != checker.Fail) {
			return nil, r.refuse(op.invoked, "found a %v without the %s, which other ops name, "+
				"and whose outcome is not fail; want it in the value of its invoke, "+
				"or --value ignore, which judges each process as a client", o.F, actor)
		}
	}
	return who, nil
}

// nameIn returns the owner or the token that an operation's ops name, which must agree; "" if they name none.
func (r *recorder) nameIn(op operation, actor string) (string, error) {
	name := r.claimed[op.invoked].of(actor)
	if op.closed < 0 {
		return name, nil
	}
	back := r.claimed[op.closed].of(actor)
	if name != "" && back != "" && name != back {
		return "", r.refuse(op.closed,
			"found the %s %q in what closes the %v of line %d, which names %q; want the same, or none here",
			actor, clip(back), r.History[op.closed].F, r.places[op.invoked].line, clip(name))
	}
	return cmp.Or(name, back), nil
}

func (c *claim) of(actor string) string {
	switch actor {
	case byOwner:
		return c.owner
	case byToken:
		return c.token
	}
	return ""
}

// onlyOwners returns the owner of each process that has one, and "" for one that has several; looked up, never ranged
// over.
func (r *recorder) onlyOwners(all []operation, owner []string) map[int]string {
	only := map[int]string{}
	for i, op := range all {
		if owner[i] == "" {
			continue
		}
		p := r.client(r.History[op.invoked].Process)
		before, known := only[p]
		if only[p] = owner[i]; known && before != owner[i] {
			only[p] = ""
		}
	}
	return only
}

// renumber numbers the ops by the owners in who. Each owner has one operation open at a time.
func (r *recorder) renumber(all []operation, who []string) error {
	number := map[string]int{} // of each who acts; looked up, never ranged over
	for _, name := range who {
		if _, known := number[name]; !known {
			number[name] = len(r.Owners)
			r.Owners = append(r.Owners, name)
		}
	}
	used := make([]int, len(r.Owners))        // process numbers that are gone
	last := make([]*operation, len(r.Owners)) // what began last
	for i := range all {
		op, n := &all[i], number[who[i]]
		switch before := last[n]; {
		case before == nil:
		case before.closed > op.invoked:
			return r.refuse(op.invoked, "found an operation of %s while its %v of line %d is open; "+
				"want one at a time, or --value ignore, which judges each process as a client",
				who[i], r.History[before.invoked].F, r.places[before.invoked].line)
		case before.closed < 0 || r.History[before.closed].Type == checker.Info:
			used[n]++
		}
		last[n] = op
		r.History[op.invoked].Process = n + used[n]*len(r.Owners)
		if op.closed >= 0 {
			r.History[op.closed].Process = r.History[op.invoked].Process
		}
	}
	return nil
}

// client returns the thread of a process.
func (r *recorder) client(process int) int {
	if r.Clients > 0 {
		return process % r.Clients
	}
	return process
}
