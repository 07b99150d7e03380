package blackbox

import (
	"slices"
	"sort"

	"github.com/lockstorm/lockstorm/checker"
)

// An Excerpt is the part of a history that shows a violation: a few operations that have no legal order by themselves.
type Excerpt struct {
	Ops       []int           // indices in the whole history, rising
	History   checker.History // the same ops by themselves, renumbered from 0
	Minimal   bool            // its end and every group are needed; false if the budget ended before
	Confirmed bool            // porcupine alone found no legal order of it either
}

// Minimize returns an Excerpt of a history that was found to be Violated: what remains when everything unneeded is left
// out. Anything less is legal, or shows something that the history does not. Minimize is a pure function, and the work
// it does is bounded, whatever the history.
//
// Not every operation may be left out: without its release, a hold may conflict with one that it did not conflict with.
// So Minimize leaves out only what never makes a legal history illegal. Then, if the rest is Violated, so is the whole.
// That is the operations that mean nothing to the model, operations of other locks, the end of the history, and the
// groups of the model, which groups.go lists with the argument for each. The end may go because a part of an order is
// an order, and an operation open at the end has taken effect or not.
//
// Since leaving out more never makes a violation of a legal history, halving finds a set of groups that is needed, as
// QuickXplain would (Junker, 2004). There may be a smaller set: the first one found is returned.
func Minimize(h checker.History, m Model, r Result) Excerpt {
	if r.Verdict != checker.Violated {
		return Excerpt{}
	}
	x := minimize(h, &m, r, effort)
	m.fast = nil // porcupine alone
	x.Confirmed = len(x.Ops) > 0 && judge(x.History, &m).Verdict == checker.Violated
	return x
}

// effort is the budget of Minimize: one for each operation that it looks at, each op that it judges and each step of a
// search.
const effort = 5_000_000

// A minimizer holds an excerpt while it becomes smaller.
type minimizer struct {
	whole  checker.History
	model  *Model
	kept   []int // of whole
	effort int   // what is left
}

func minimize(h checker.History, m *Model, r Result, effort int) Excerpt {
	s := minimizer{whole: h, model: m, kept: ofLock(h, r.Lock), effort: effort}
	s.filter()
	s.startNear(r.Ops)
	for before := len(s.kept) + 1; len(s.kept) < before && s.effort > 0; {
		before = len(s.kept)
		// The end goes first.
		s.kept = s.kept[:sort.Search(len(s.kept), func(n int) bool { return s.violates(s.kept[:n]) })]
		for _, groups := range m.removable {
			s.reduce(groups)
			s.filter()
		}
	}
	return Excerpt{Ops: s.kept, History: part(h, s.kept), Minimal: s.effort > 0}
}

// ofLock returns the ops of one lock. The ops that close an operation belong to the lock that its invoke names.
func ofLock(h checker.History, lock string) (ops []int) {
	other := map[int]bool{} // by process, whose open operation is of another; looked up, never ranged over
	for i, o := range h {
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

// part returns a history of some ops, renumbered.
func part(h checker.History, ops []int) checker.History {
	p := make(checker.History, len(ops))
	for i, at := range ops {
		p[i] = h[at]
		p[i].Index = i
	}
	return p
}

// violates judges some of the ops. With no effort left it returns false, and what was to be left out stays in.
func (s *minimizer) violates(ops []int) bool {
	if s.effort <= 0 {
		return false
	}
	m := *s.model
	m.Steps = min(or(m.Steps, standardSteps), s.effort)
	r := judge(part(s.whole, ops), &m)
	s.effort -= len(ops) + r.Steps
	return r.Verdict == checker.Violated
}

// operations returns the operations among the ops kept that mean something to the model.
func (s *minimizer) operations() *operations {
	c, err := collect(part(s.whole, s.kept), s.model)
	if err != nil {
		panic("checker: part of a history is not well formed: " + err.Error())
	}
	c.filter(s.model)
	return c
}

func (s *minimizer) filter() { s.kept = s.without(s.operations(), nil) }

// without returns the ops of all operations, except those at the given places in the list.
func (s *minimizer) without(c *operations, left []int) []int {
	keep := slices.Repeat([]bool{true}, len(c.list))
	for _, i := range left {
		keep[i] = false
	}
	return s.chosen(c, keep)
}

func (s *minimizer) chosen(c *operations, keep []bool) []int {
	var ops []int
	for i, k := range c.list {
		if !keep[i] {
			continue
		}
		ops = append(ops, s.kept[k.invoke])
		if k.done > k.invoke {
			ops = append(ops, s.kept[k.done])
		}
	}
	slices.Sort(ops)
	return ops
}

// startNear starts from the groups of the ops in conflict, if they suffice. Most other groups don't have to be tried
// then.
func (s *minimizer) startNear(conflict []int) {
	if len(conflict) == 0 {
		return
	}
	c := s.operations()
	marked := make([]bool, len(s.kept))
	for i, at := range s.kept {
		_, marked[i] = slices.BinarySearch(conflict, at)
	}
	var left []int
	for _, u := range s.model.removable[0](c) {
		if !slices.ContainsFunc(u, func(i int) bool {
			k := &c.list[i]
			return marked[k.invoke] || marked[max(k.invoke, k.done)]
		}) {
			left = append(left, u...)
		}
	}
	if ops := s.without(c, left); s.violates(ops) {
		s.kept = ops
		return
	}
	if end, _ := slices.BinarySearch(s.kept, conflict[len(conflict)-1]+1); s.violates(s.kept[:end]) {
		s.kept = s.kept[:end]
	}
}

// reduce leaves out all groups of one kind except some that are needed. Groups that suffice also suffice with more, so
// halving finds how many suffice with those that are needed already. The last of them is needed then, and no later one.
func (s *minimizer) reduce(groups func(*operations) [][]int) {
	c := s.operations()
	left := groups(c)
	keep := slices.Repeat([]bool{true}, len(c.list))
	set := func(groups [][]int, kept bool) {
		for _, g := range groups {
			for _, i := range g {
				keep[i] = kept
			}
		}
	}
	split := func(n int) {
		set(left[:n], true)
		set(left[n:], false)
	}
	suffices := func() bool {
		s.effort -= len(keep)
		return s.violates(s.chosen(c, keep))
	}
	var needed [][]int
	for len(left) > 0 && s.effort > 0 {
		n := sort.Search(len(left), func(n int) bool {
			split(n)
			return suffices()
		})
		split(n)
		if n > 0 {
			needed = append(needed, left[n-1])
		}
		left = left[:max(0, n-1)]
	}
	slices.Reverse(needed)
	for i := range needed { // once more, because a search may have given up before
		if set(needed[i:i+1], false); !suffices() {
			set(needed[i:i+1], true)
		}
	}
	s.kept = s.chosen(c, keep)
}
