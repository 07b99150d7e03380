package blackbox

import (
	"slices"

	"github.com/lockstorm/lockstorm/checker"
)

// An Excerpt is the part of a history that shows a violation: few operations, that still have no legal order.
type Excerpt struct {
	Ops       []int           // indices in the whole history, rising
	History   checker.History // the same ops by themselves, numbered anew from 0
	Minimal   bool            // neither its end nor any unit can be left out; false if its budget ended before that was known
	Confirmed bool            // porcupine alone found no legal order of it either
}

// Minimal gives an Excerpt of a history that was found to be Violated: what is left when everything that can be left out
// is. An excerpt of it that leaves out more is legal, or shows something that the history does not. It is a pure function,
// and takes a number of judgements that is bounded, whatever the history.
//
// What may be left out? Not any operation: a lock that is never released again is a violation that the history does not
// have. So only such things are left out as never turn a legal history into one that is not: then what is still
// Violated without them shows that the whole is. These are the operations that mean nothing to the model, those of
// other locks, the end of the history (a part of an order is an order; what is open at the end may or may not have
// taken effect), and the units of the model, which are listed in units.go with the argument for each.
//
// As leaving out more never makes a violation of none, a set of units that is needed is found by halving (QuickXplain),
// and then each unit that is left is tried once more. There may be another set that is smaller: the first is given.
func Minimal(h checker.History, m Model, r Result) Excerpt {
	if r.Verdict != checker.Violated {
		return Excerpt{}
	}
	x := shrink(h, &m, r, effort)
	x.confirm(&m)
	return x
}

// effort is how much work Minimal may do: one for each call looked at, each op judged and each step of a search.
const effort = 5_000_000

// A shrinking is an excerpt that becomes smaller.
type shrinking struct {
	whole  checker.History
	model  *Model
	ops    []int // of whole
	effort int   // what is left
}

func shrink(h checker.History, m *Model, r Result, effort int) Excerpt {
	s := shrinking{whole: h, model: m, ops: ofLock(h, r.Lock), effort: effort}
	s.sift()
	s.near(r.Ops)
	for before := len(s.ops) + 1; len(s.ops) < before && s.effort > 0; {
		before = len(s.ops)
		s.cut()
		for _, units := range m.units {
			s.reduce(units)
			s.sift()
		}
	}
	return Excerpt{Ops: s.ops, History: part(h, s.ops), Minimal: s.effort > 0}
}

// ofLock gives the ops of one lock. Those that close an operation belong to the lock that its invoke names.
func ofLock(h checker.History, lock string) (ops []int) {
	other := map[int]bool{} // by process, whose open operation is of another; looked up, never ranged over
	for i := range h {
		o := &h[i]
		switch {
		case o.Type == checker.Invoke && o.Lock != lock:
			other[o.Process] = true
		case other[o.Process]:
			delete(other, o.Process)
		default:
			ops = append(ops, i)
		}
	}
	return ops
}

// part gives a history of some ops, numbered anew.
func part(h checker.History, ops []int) checker.History {
	p := make(checker.History, len(ops))
	for i, at := range ops {
		p[i] = h[at]
		p[i].Index = i
	}
	return p
}

// violates judges some of the ops. What it cannot tell, for its effort is spent, counts as legal, and so stays in.
func (s *shrinking) violates(ops []int) bool {
	if s.effort <= 0 {
		return false
	}
	m := *s.model
	m.Steps = min(or(m.Steps, standardSteps), s.effort)
	r := judge(part(s.whole, ops), &m)
	s.effort -= len(ops) + r.Steps
	return r.Verdict == checker.Violated
}

// calls gives what counts of the ops.
func (s *shrinking) calls() *calls {
	c, err := gather(part(s.whole, s.ops), s.model)
	if err != nil {
		panic("checker: part of a history is not well formed: " + err.Error())
	}
	c.sift(s.model)
	return c
}

// sift leaves out what means nothing to the model.
func (s *shrinking) sift() { s.ops = s.without(s.calls(), nil) }

// without gives the ops of all calls but those of some places in the list.
func (s *shrinking) without(c *calls, left []int) []int {
	keep := make([]bool, len(c.list))
	for i := range keep {
		keep[i] = true
	}
	for _, i := range left {
		keep[i] = false
	}
	return s.of(c, keep)
}

// of gives the ops of those calls that are kept.
func (s *shrinking) of(c *calls, keep []bool) []int {
	var ops []int
	for i := range c.list {
		k := &c.list[i]
		if !keep[i] {
			continue
		}
		ops = append(ops, s.ops[k.invoke])
		if k.done > k.invoke {
			ops = append(ops, s.ops[k.done])
		}
	}
	slices.Sort(ops)
	return ops
}

// near starts from the units of the ops in conflict, if they suffice. It spares the many that are far from them.
func (s *shrinking) near(conflict []int) {
	if len(conflict) == 0 {
		return
	}
	c := s.calls()
	marked := make([]bool, len(s.ops))
	for i, at := range s.ops {
		_, marked[i] = slices.BinarySearch(conflict, at)
	}
	var left []int
	for _, u := range s.model.units[0](c) {
		if !slices.ContainsFunc(u, func(i int) bool { return marked[c.list[i].invoke] || marked[max(c.list[i].invoke, c.list[i].done)] }) {
			left = append(left, u...)
		}
	}
	if ops := s.without(c, left); s.violates(ops) {
		s.ops = ops
		return
	}
	if end, _ := slices.BinarySearch(s.ops, conflict[len(conflict)-1]+1); s.violates(s.ops[:end]) {
		s.ops = s.ops[:end]
	}
}

// cut leaves out the end, as much of it as can be. A longer beginning is never legal where a shorter one is not.
func (s *shrinking) cut() {
	legal, violated := 0, len(s.ops)
	for legal+1 < violated {
		if end := (legal + violated) / 2; s.violates(s.ops[:end]) {
			violated = end
		} else {
			legal = end
		}
	}
	s.ops = s.ops[:violated]
}

// reduce leaves out all units of one kind but some that are needed.
func (s *shrinking) reduce(units func(*calls) [][]int) {
	c := s.calls()
	q := quick{s, c, units(c), make([]bool, len(c.list))}
	for i := range q.keep {
		q.keep[i] = true
	}
	places := make([]int, len(q.units))
	for i := range places {
		places[i] = i
		q.set(i, false)
	}
	if len(places) > 0 {
		q.need(places, true)
	}
	for _, i := range places { // the needed ones are set
		if q.keep[q.units[i][0]] {
			q.set(i, false)
			if !q.suffices() {
				q.set(i, true)
			}
		}
	}
	s.ops = s.of(c, q.keep)
}

// A quick is QuickXplain at work: which units, besides what is kept already, do we need?
type quick struct {
	*shrinking
	calls *calls
	units [][]int // places of calls
	keep  []bool  // by call
}

func (q *quick) set(unit int, keep bool) {
	for _, i := range q.units[unit] {
		q.keep[i] = keep
	}
}

// suffices says whether what is set violates.
func (q *quick) suffices() bool {
	if q.effort <= 0 {
		return false
	}
	q.effort -= len(q.keep)
	return q.violates(q.of(q.calls, q.keep))
}

// need sets those of the units that are needed with what is set. All of them with it violate. More says that something
// was set since it was last asked whether it suffices.
func (q *quick) need(units []int, more bool) {
	if more && q.suffices() {
		return
	}
	if len(units) == 1 || q.effort <= 0 {
		for _, u := range units {
			q.set(u, true)
		}
		return
	}
	left, right := units[:len(units)/2], units[len(units)/2:]
	for _, u := range left {
		q.set(u, true)
	}
	q.need(right, true)
	for _, u := range left {
		q.set(u, false)
	}
	q.need(left, slices.ContainsFunc(right, func(u int) bool { return q.keep[q.units[u][0]] }))
}

// confirm asks porcupine alone.
func (x *Excerpt) confirm(m *Model) {
	alone := *m
	alone.fast = nil
	x.Confirmed = len(x.Ops) > 0 && judge(x.History, &alone).Verdict == checker.Violated
}
