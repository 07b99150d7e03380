package blackbox

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/lockstorm/lockstorm/checker"
)

// This file judges by a single order of the operations, in O(n log n): the one in which every hold is as short as it
// can be. There every acquire takes effect at its return, and every renewal and every release at its invoke. Call it S.
//
// If every outcome is known, a history of a mutex, of a reentrant one, of a semaphore, or of a lock for readers and
// writers has a legal order if and only if S is legal. If S is legal, it is one. For the other direction take any legal
// order, call it L, with a moment for each operation.
//
//   1. A client is one thread. So its own operations come in the same order in S as in L, and have the same legal order
//      among themselves. A release or renewal needs no more.
//   2. At no moment does a client hold the lock more often in S than in L: in S it acquires no earlier, and releases no
//      later.
//   3. Take an acquire of a client c, which returns at t. In L it has taken effect by t, and the release that ends it
//      has not, because that is invoked after t. So c has this hold in L at t, and L is legal: what the others hold in
//      L at t, or how many holds there are in all, leaves room for it.
//   4. By 2 the others hold no more in S at t than in L. So there is room for it in S too, where it takes effect at t.
//   5. The same goes for a lock for readers and writers, hold by hold: two exclude each other unless both are shared.
//      Where a release may end either of two holds of its client, let it end in S the one that it ends in L.
//   6. Fencing tokens must rise from stay to stay. A stay is everything from the acquire of a free lock to its last
//      release. Within a stay they are in the order of its client's operations. Two stays are disjoint in L, so by 2
//      also in S, and they come in the same order in both. So S allows the tokens that L allows.
//
// So S is legal if L is: if S is not legal, no order is.
//
// Where some outcomes are unknown, or where the model goes by times, S proves a history legal if it is legal itself. If
// it is not, it proves nothing. Of the unknown operations, only those releases are tried whose clients acquire next, or
// do nothing more. They don't have to take effect.

// judgeShortestHolds judges by this order. It is sure if the order is legal, or if every outcome is known.
func judgeShortestHolds(m *Model, c *operations) (Result, bool) {
	order, at := c.shortestHolds(m)
	if at < 0 {
		return Result{Verdict: checker.Holds}, true
	}
	return c.illegalAt(order, at), c.unknown() == 0
}

// acceptShortestHolds is sure only of legal histories. A timed lease that is granted later also ends later, so another
// order may be legal where this one is not.
func acceptShortestHolds(m *Model, c *operations) (Result, bool) {
	_, at := c.shortestHolds(m)
	return Result{Verdict: checker.Holds}, at < 0
}

// shortestHolds returns the order, and the place in it of the first operation that is not legal there; -1 if all are.
func (c *operations) shortestHolds(m *Model) (order []*operation, wrong int) {
	order = c.inShortestOrder()
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

// inShortestOrder returns the operations in the order of this file.
func (c *operations) inShortestOrder() []*operation {
	order := make([]*operation, 0, len(c.list))
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
	slices.SortFunc(order, func(a, b *operation) int { return cmp.Compare(a.effectIndex(), b.effectIndex()) })
	return order
}

func (k *operation) effectIndex() int {
	if k.f == checker.Acquire || k.outcome == checker.Fail {
		return k.done
	}
	return k.invoke
}

// illegalAt says which operation is not legal, and who holds the lock when it comes.
func (c *operations) illegalAt(order []*operation, i int) Result {
	k := order[i]
	ops := []int{k.invoke, k.done}
	holds := slices.Concat(c.holding(order[:i])...)
	slices.SortFunc(holds, func(a, b *operation) int { return cmp.Compare(a.done, b.done) })
	var others []string
	for _, a := range holds {
		ops = append(ops, a.invoke, a.done)
		since := "which acquired at"
		if a.value.Shared {
			since = "which has shared it since"
		}
		others = append(others, fmt.Sprintf("%s, %s index %d", c.who(a), since, a.done))
	}
	return c.violated(fmt.Sprintf("%s is not legal (indices %d and %d)%s, even with each hold as short as it can be: "+
		"from the return of its acquire to the invoke of its release.",
		c.describe(k), k.invoke, k.done, heldBy(others)), ops...)
}

// heldBy names the holders of the lock, up to four.
func heldBy(holders []string) string {
	switch n := len(holders); {
	case n == 0:
		return " while no client holds it"
	case n > 4:
		return fmt.Sprintf(" while there are %d holds", n)
	}
	return " while it is held by " + strings.Join(holders, ", and by ")
}

// holding returns the acquires of each client that are not released after these operations.
func (c *operations) holding(order []*operation) [][]*operation {
	held := make([][]*operation, len(c.clients))
	for _, k := range order {
		switch h := held[k.client]; {
		case k.f == checker.Acquire:
			held[k.client] = append(h, k)
		case k.f == checker.Release && len(h) > 1 && h[1].value.Shared: // of a writer that turns to sharing
			held[k.client] = h[1:]
		case k.f == checker.Release && len(h) > 0:
			held[k.client] = h[:len(h)-1]
		}
	}
	return held
}
