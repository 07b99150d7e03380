package blackbox

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/lockstorm/lockstorm/checker"
)

// This file judges by a single order, in O(n log n): the one in which every hold is as short as it can be.
//
// Let every acquire take effect at its return, and every renewal and release at its invoke. A client is one thread, so the
// order of its own calls is what it is in any order. If every outcome is known, a history of a mutex, of a reentrant one,
// or of a semaphore has a legal order if and only if this one is legal. For take a legal order, with a moment for each
// call. At any moment, a client holds the lock here no more often than it does there, for what it acquired it has later,
// and what it released it has given back sooner. An acquire of c returns at t. There, at t, it holds the lock already, and
// still, for its release comes later. So there, what others hold at t, or how many hold at all, leaves room for it; and so
// it does here, where it is no more. What the calls of one client must be among themselves is the same in both. So is what
// fencing tokens must be: within a stay they are in the order of its client's calls, and two stays come in the same order
// in both, for they are disjoint in both. So if this order is not legal, no order is.
//
// Where some outcomes are unknown, or where the judge of the order goes by the time as well, a legal order is a legal
// order still, but one that is not shows nothing. Of the unknown calls, those releases are tried whose clients acquire
// next, or do nothing more; they need not take effect.

// squeeze judges what needs no more than this order, if every outcome is known.
func squeeze(m *Model, c *calls) (Result, bool) {
	order, at := c.squeezed(m)
	if at < 0 {
		return Result{Verdict: checker.Holds}, true
	}
	return c.tight(order, at), c.unknown() == 0
}

// squeezeTimed knows only of what is legal. A timed lease that is granted later also ends later, so that another order
// may do where this one does not.
func squeezeTimed(m *Model, c *calls) (Result, bool) {
	_, at := c.squeezed(m)
	return Result{Verdict: checker.Holds}, at < 0
}

// squeezed gives the order, and the place in it of the first call that is not legal there; -1 if all are.
func (c *calls) squeezed(m *Model) (order []*call, at int) {
	order = c.inTurn()
	s := m.machine(m)
	state := s.start
	for i, k := range order {
		next, legal := s.step(state, k)
		switch {
		case legal:
			state = next
		case k.outcome != checker.Info:
			return order, i
		}
	}
	return order, -1
}

// inTurn puts the calls into the order of this file.
func (c *calls) inTurn() []*call {
	order := make([]*call, 0, len(c.list))
	needed := make([]bool, len(c.clients)) // by what the client does next
	for i := range c.list {
		k := &c.list[len(c.list)-1-i]
		if k.outcome != checker.Info {
			needed[k.client] = k.f != checker.Acquire
		}
		if k.outcome != checker.Info || k.f == checker.Release && !needed[k.client] {
			order = append(order, k)
		}
	}
	slices.SortFunc(order, func(a, b *call) int { return cmp.Compare(a.turn(), b.turn()) })
	return order
}

// turn gives the index at which a call takes effect.
func (k *call) turn() int {
	if k.f == checker.Acquire || k.outcome == checker.Fail {
		return k.done
	}
	return k.invoke
}

// tight says which call is not legal, and who holds the lock when it comes.
func (c *calls) tight(order []*call, at int) Result {
	k := order[at]
	ops := []int{k.invoke, k.done}
	var others []string
	for _, holds := range c.holding(order[:at]) {
		for _, a := range holds {
			ops = append(ops, a.invoke, a.done)
			others = append(others, fmt.Sprintf("%s, which acquired at index %d", c.who(a), a.done))
		}
	}
	return c.violated(fmt.Sprintf("%s is not legal (indices %d and %d)%s, even with each hold as short as it can be: "+
		"from the return of its acquire to the invoke of its release.", c.describe(k), k.invoke, k.done, heldBy(others)), ops...)
}

// heldBy says who holds the lock, if it can be said in few words.
func heldBy(holders []string) string {
	switch n := len(holders); {
	case n == 0:
		return " while nobody holds it"
	case n > 4:
		return fmt.Sprintf(" while there are %d holds", n)
	}
	return " while it is held by " + strings.Join(holders, ", and by ")
}

// holding gives the acquires of each client that are not released after these calls.
func (c *calls) holding(order []*call) [][]*call {
	held := make([][]*call, len(c.clients))
	for _, k := range order {
		switch h := held[k.client]; {
		case k.f == checker.Acquire:
			held[k.client] = append(h, k)
		case k.f == checker.Release && len(h) > 0:
			held[k.client] = h[:len(h)-1]
		}
	}
	return held
}
