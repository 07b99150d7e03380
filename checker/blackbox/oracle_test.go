package blackbox_test

// The oracle judges histories slowly, in the most obvious way, so that tests can check the judges of blackbox against
// it.
//
// It shares only the History and the Model's numbers with them. It has its own code for the models' tables
// (oracle_rules_test.go), leaves no operation out, judges all locks together, and lets time tick where time matters. It
// tries every possibility, one operation after another, and remembers only where it has been before. So it is
// exponential, and meant for histories of up to 63 operations.
//
// Two makers of histories feed it: drawHistory draws histories of a correct lock or register, some of them spoilt, and
// smallHistories makes all small ones. soundness_test.go puts them together and counts disagreements, which must be 0.

import (
	"slices"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/checker/blackbox"
	"github.com/lockstorm/lockstorm/clock"
)

// An op is one operation, from its invoke to what closed it.
type op struct {
	client, lock int
	f            checker.Func
	outcome      checker.Type // Info as well for what was never closed
	value        checker.Value
	invoke, done int // indices in the history; done is beyond its end where the outcome is not known
	from, to     clock.Instant
}

// A place is a point of a search: which operations have taken effect, the state of all locks, and the time.
type place struct {
	taken uint64
	locks [locks]state
	now   clock.Instant
}

// locks is how many names a history may use.
const locks = 2

// A trial is one search.
type trial struct {
	rules
	ops  []op
	seen map[place]bool // looked up, never ranged over
	end  clock.Instant  // no known operation returned later
}

// isLegal reports whether the history is linearizable under the model. The history must be well formed, with at most 63
// operations and two names of locks, and the model one of blackbox.Models.
func isLegal(h checker.History, m blackbox.Model) bool {
	t := trial{rules: rulesOf(m, h), ops: operations(h, m), seen: map[place]bool{}}
	for _, o := range h {
		t.end = max(t.end, o.Time)
	}
	if len(t.ops) > 63 {
		panic("oracle: a history of more than 63 operations")
	}
	var here place
	for i := range here.locks {
		here.locks[i].data = m.Initial
	}
	return t.from(here)
}

// operations pairs what was invoked with what closed it.
func operations(h checker.History, m blackbox.Model) (all []op) {
	var names []string
	open := map[int]int{} // by process
	clients := map[int]int{}
	for _, o := range h {
		if o.Type != checker.Invoke {
			k := &all[open[o.Process]]
			if k.outcome = o.Type; o.Type != checker.Info {
				k.done, k.to = o.Index, o.Time
			}
			if o.Type == checker.OK {
				k.brought(o.Value)
			}
			continue
		}
		if !slices.Contains(names, o.Lock) {
			names = append(names, o.Lock)
		}
		client := o.Process
		if m.Clients > 0 {
			client %= m.Clients
		}
		if _, known := clients[client]; !known {
			clients[client] = len(clients)
		}
		open[o.Process] = len(all)
		all = append(all, op{clients[client], slices.Index(names, o.Lock), o.F, checker.Info, o.Value, o.Index, len(h), o.Time, clock.Forever})
	}
	return all
}

// brought takes in what came back. A read or write keeps the token that it was sent with, a write or compare-and-set
// the values.
func (o *op) brought(v checker.Value) {
	if o.f == checker.Read || o.f == checker.Write {
		v.Fence = o.value.Fence
	}
	if o.f == checker.Write || o.f == checker.CompareAndSet {
		v.Expected, v.Data = o.value.Expected, o.value.Data
	}
	v.Shared = v.Shared || o.value.Shared
	o.value = v
}

// from reports whether there is a legal order from this place on.
func (t *trial) from(here place) bool {
	if t.over(here) {
		return true
	}
	if t.seen[here] {
		return false
	}
	t.seen[here] = true
	for i := range t.ops {
		if t.ready(here, i) {
			for _, next := range t.outcomes(here.locks[t.ops[i].lock], &t.ops[i], here.now) {
				to := here
				to.taken |= 1 << i
				to.locks[t.ops[i].lock] = next
				if t.from(to) {
					return true
				}
			}
		}
	}
	if !t.timed || here.now >= t.end {
		return false
	}
	here.now++
	return t.from(here)
}

// over reports whether all operations with a known outcome have taken effect. The others don't have to.
func (t *trial) over(here place) bool {
	for i := range t.ops {
		if here.taken&(1<<i) == 0 && t.known(&t.ops[i]) {
			return false
		}
	}
	return true
}

// ready reports whether operation i may take effect now. It was invoked and has not returned, and every operation that
// returned before its invoke has taken effect.
func (t *trial) ready(here place, i int) bool {
	o := &t.ops[i]
	if here.taken&(1<<i) != 0 || t.timed && (here.now < o.from || here.now > o.to) {
		return false
	}
	for k := range t.ops {
		if p := &t.ops[k]; here.taken&(1<<k) == 0 && t.known(p) && p.done < o.invoke {
			return false
		}
	}
	return true
}
