package blackbox

import (
	"fmt"
	"slices"

	"github.com/lockstorm/lockstorm/checker"
)

// This file judges a register of values without a search, in O(n log n), where each value that shows was written once.
// It is the rule of Gibbons and Korach (Testing Shared Memories, 1997), with unknown outcomes and compare-and-set.
//
// A value shows if a read brought it back, or a compare-and-set that took effect expected it. The first value counts as
// written before everything. So an operation that shows a value names the operation that made it, which then took
// effect, whatever is known of its outcome. If that is an unknown compare-and-set, it names what made the value that it
// expected, and so on. Every other operation with an unknown outcome made a value that does not show: a legal order is
// still legal without it. Those are left out, and so are reads that brought back no value.
//
// In a legal order, what made a value and what shows it are neighbours: after another write in between, the value would
// have to be written again. A compare-and-set belongs to two values, and is the last of the one and the first of the
// other. A chain is the operations that values link in this way. They come in order: what made the first value, the
// reads of it, the compare-and-set that replaced it, the reads of the next value, and so on. If two compare-and-sets
// replaced one value, no order is legal.
//
// Let f be the first return in a chain, and s the last invoke. The chain of the first value has returned before
// everything. A chain has a legal order within a given stretch of time if and only if no operation in it returned
// before an earlier one was invoked, and the stretch begins before f and ends after s. Then let each operation take
// effect at the latest of three: the beginning of the stretch, its own invoke, and the last invoke of the earlier ones.
//
// If f < s, the chain fills the time from f to s: a tenure. If s < f, one moment from s to f is enough: a touch. So the
// history has a legal order if and only if each chain has one, no two tenures overlap, and no touch is within a tenure,
// as in a mutex.
//
// Where values that show were written more than once, their reads are left out, and a compare-and-set that expected one
// begins a chain. If the rest is illegal, so is the whole. If it is legal, the judge is not sure.

// A uniqueJudge judges one register of values. Operations go by their place in the list. The first value has the place
// after the last.
type uniqueJudge struct {
	*operations
	makers   map[uint32]int // what made each value; several, if more than one may have; looked up, never ranged over
	happened []bool         // the operation is known to have taken effect
	replacer []int          // the compare-and-set that replaced what an operation made; -1 for none
	version  []int          // what an operation made, counted chain by chain; -1 for nothing
	sure     bool           // each value that shows was written once
}

const several = -1

// A chain is some operations that are neighbours in each legal order.
type chain struct {
	linked   bool       // it has several values
	earliest *operation // the first to return; nil in the chain of the first value
	latest   *operation // the last to be invoked
}

func judgeUniqueWrites(m *Model, c *operations) (Result, bool) {
	n := len(c.list)
	s := uniqueJudge{operations: c, makers: map[uint32]int{m.Initial: n}, sure: true,
		happened: make([]bool, n+1), replacer: slices.Repeat([]int{-1}, n+1), version: slices.Repeat([]int{-1}, n+1)}
	for i := range c.list {
		k := &c.list[i]
		if _, known := s.makers[k.value.Data]; known && k.f != checker.Read {
			s.makers[k.value.Data] = several
		} else if k.f != checker.Read {
			s.makers[k.value.Data] = i
		}
	}
	for i := range c.list {
		if c.list[i].outcome != checker.OK {
			continue
		}
		if r, wrong := s.happen(i); wrong {
			return r, true
		}
	}
	if r, wrong := s.replace(); wrong {
		return r, true
	}
	first, counted := s.count()
	if !counted {
		return Result{}, false
	}
	r := s.chains(first)
	return r, s.sure || r.Verdict == checker.Violated
}

// shown returns the value that an operation shows, if it does.
func (k *operation) shown() (value uint32, shows bool) {
	switch k.f {
	case checker.Read:
		return k.value.Data, k.value.Data != 0
	case checker.CompareAndSet:
		return k.value.Expected, true
	}
	return 0, false
}

// maker returns the place of what made the value that an operation shows; several, if it is not known or none shows.
func (s *uniqueJudge) maker(k *operation) int {
	value, shows := k.shown()
	if made, known := s.makers[value]; shows && known {
		return made
	}
	return several
}

// happen notes that an operation took effect, and so what made the value that it shows, and so on.
func (s *uniqueJudge) happen(start int) (r Result, wrong bool) {
	for i := start; !s.happened[i]; {
		s.happened[i] = true
		if i == len(s.list) {
			break
		}
		k := &s.list[i]
		value, shows := k.shown()
		if _, made := s.makers[value]; shows && !made {
			return s.violated(fmt.Sprintf("%s, invoked at index %d, found a value that no operation can have written.",
				s.describe(k), k.invoke), s.ends(k, &s.list[start])...), true
		}
		next := s.maker(k)
		if next == several {
			s.sure = s.sure && !shows
			break
		}
		i = next
	}
	return Result{}, false
}

// ends returns the indices of operations.
func (s *uniqueJudge) ends(all ...*operation) (indices []int) {
	for _, k := range all {
		if k == nil {
			continue
		}
		indices = append(indices, k.invoke)
		if k.outcome == checker.OK {
			indices = append(indices, k.done)
		}
	}
	return indices
}

// replace finds the compare-and-set that replaced each value.
func (s *uniqueJudge) replace() (r Result, wrong bool) {
	for i := range s.list {
		k := &s.list[i]
		if k.f != checker.CompareAndSet || !s.happened[i] || s.maker(k) == several {
			continue
		}
		if other := s.replacer[s.maker(k)]; other >= 0 {
			a := &s.list[other]
			return s.violated(fmt.Sprintf("Two replaced one value, which was written once: %s at index %d, "+
				"and %s at index %d.", s.describe(a), a.invoke, s.describe(k), k.invoke), s.ends(a, k)...), true
		}
		s.replacer[s.maker(k)] = i
	}
	return Result{}, false
}

// count counts the versions, and returns the first of each chain. It is not sure if compare-and-sets lead in a circle.
func (s *uniqueJudge) count() (first []int, sure bool) {
	versions := 0
	for i := range s.version {
		if i < len(s.list) {
			k := &s.list[i]
			if !s.happened[i] || k.f == checker.Read || s.maker(k) != several {
				continue
			}
		}
		first = append(first, versions)
		for made := i; made >= 0; made = s.replacer[made] {
			s.version[made] = versions
			versions++
		}
	}
	for i := range s.list {
		if s.list[i].f != checker.Read && s.happened[i] && s.version[i] < 0 {
			return nil, false
		}
	}
	return append(first, versions), true
}

// chains judges each chain by itself, and then all together.
func (s *uniqueJudge) chains(first []int) Result {
	all := s.ordered()
	chains := make([]chain, len(first)-1)
	order := mutexJudge{operations: s.operations}
	for i := range chains {
		n := 0
		for n < len(all) && all[n].rank < 2*uint64(first[i+1]) {
			n++
		}
		if r, wrong := s.lateCall(all[:n]); wrong {
			return r
		}
		c := &chains[i]
		c.add(all[:n])
		c.linked = first[i+1] > first[i]+1
		all = all[n:]
		from, to := -1, -1
		if first[i] == s.version[len(s.list)] {
			c.earliest = nil
		} else {
			from = c.earliest.done
		}
		if c.latest != nil {
			to = c.latest.invoke
		}
		if from < to {
			order.tenures = append(order.tenures, tenure{from, to, i})
		} else {
			order.touches = append(order.touches, touch{to, from, i})
		}
	}
	order.inOrder()
	if a, b, found := order.overlapping(); found {
		return s.together(&chains[a.op], &chains[b.op])
	}
	if k, a, found := order.crowdedOut(); found {
		return s.together(&chains[a.op], &chains[k.op])
	}
	return Result{Verdict: checker.Holds}
}

// ordered returns the operations that took effect, chain by chain, and each chain in order.
func (s *uniqueJudge) ordered() []ranked {
	all := make([]ranked, 0, len(s.list))
	for i := range s.list {
		k := &s.list[i]
		version := s.version[i]
		if k.f == checker.Read && s.maker(k) != several {
			version = s.version[s.maker(k)]
		}
		if version >= 0 {
			all = append(all, placed(k, uint64(version), 0))
		}
	}
	slices.SortStableFunc(all, byPlace)
	return all
}

func (c *chain) add(all []ranked) {
	for _, k := range all {
		if k.op.outcome == checker.OK && (c.earliest == nil || k.op.done < c.earliest.done) {
			c.earliest = k.op
		}
		if c.latest == nil || k.op.invoke > c.latest.invoke {
			c.latest = k.op
		}
	}
}

// together is the conflict of two chains that can't have separate stretches of time.
func (s *uniqueJudge) together(a, b *chain) Result {
	return s.violated(fmt.Sprintf("Two values at once: %s, and %s.", s.lasted(a), s.lasted(b)),
		s.ends(a.earliest, a.latest, b.earliest, b.latest)...)
}

// lasted says when the register had the values of a chain.
func (s *uniqueJudge) lasted(c *chain) string {
	value, last := "one", fmt.Sprintf("%s, invoked at index %d", s.describe(c.latest), c.latest.invoke)
	if c.linked {
		value = "some that compare-and-sets link"
	}
	if c.earliest == nil {
		return value + ", from the start to " + last
	}
	first := fmt.Sprintf("%s, which returned at index %d", s.describe(c.earliest), c.earliest.done)
	if c.earliest.done > c.latest.invoke {
		return value + ", at some moment from " + last + ", to " + first
	}
	return value + ", from " + first + ", to " + last
}
