package blackbox

import "github.com/lockstorm/lockstorm/checker"

// This file judges a lease without a search, in O(n log n), by the tenures and touches of mutexjudge.go.
//
// Assume first that every outcome is known. A grant ends every lease before it, so what is granted can be shown to be held
// only by what its own client does next: as long as its renewals, and then its release, succeed, nobody else can have
// been granted the lease. That is a tenure, from the return of the acquire to the invoke of the last of them. A failed one
// ends it, and so does the client's next acquire. A grant of which nothing of the kind is seen needs no more than a
// moment within its acquire, outside the tenures of others: a touch. And a success that comes after a failure, a release,
// or nothing, has no legal order. Fails forbid others nothing.
//
// If two tenures overlap, one client was granted the lease while the other is shown to hold it, in any order. If none do,
// let every acquire take effect at its return, or at a moment between the tenures if it is a touch, every renewal and
// release at its invoke, or anywhere in it, and every failure anywhere in it: that is a legal order.
//
// Now let some acquires have an unknown outcome. One is spent where its client succeeds without a lease: it was granted
// just before, so the success is a touch if it is a release, and if it is a renewal it begins a lease, as an acquire
// does. These are forced. But where a client goes on succeeding in a lease, with an unknown acquire to spare, the
// tenure may have had a gap, in which others were granted the lease. What is found legal without gaps is legal; what is
// found illegal, where there may have been one, is left to the search. Unknown releases and renewals mean nothing
// (leaseMeans).

func judgeLease(_ *Model, c *operations) (Result, bool) {
	s := &mutexJudge{operations: c, states: make([]clientState, len(c.clients))}
	for i := range c.list {
		s.lease(i)
	}
	for i := range s.states {
		s.lapse(&s.states[i])
	}
	s.inOrder()
	return s.mutex()
}

func (s *mutexJudge) lease(i int) {
	c := &s.list[i]
	t := &s.states[c.client]
	switch {
	case c.f == checker.Acquire && c.outcome == checker.Info:
		t.acquires++
	case c.f == checker.Acquire:
		s.lapse(t)
		t.holding, t.acquire, t.shown = true, i, -1
	case c.outcome == checker.Fail:
		s.lapse(t)
	default:
		s.succeeded(t, i)
	}
}

// succeeded puts down a renewal or release that shows that its client has the lease.
func (s *mutexJudge) succeeded(t *clientState, i int) {
	c := &s.list[i]
	switch {
	case t.holding:
		s.gaps = s.gaps || t.acquires > 0
		t.shown = c.invoke
	case t.acquires > 0:
		t.acquires--
		t.holding, t.acquire, t.shown = true, i, -1
	default:
		s.reject(i, i, did(c)+" what it did not hold")
	}
	if c.f == checker.Release {
		s.lapse(t)
	}
}

// lapse ends a lease where it was last shown to be held.
func (s *mutexJudge) lapse(t *clientState) {
	if !t.holding {
		return
	}
	c := &s.list[t.acquire]
	if t.shown < 0 {
		s.touches = append(s.touches, touch{c.invoke, c.done, t.acquire})
	} else {
		s.tenures = append(s.tenures, tenure{c.done, t.shown, t.acquire})
	}
	t.holding = false
}
