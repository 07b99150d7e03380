package blackbox

import (
	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
)

// leaseMachine is a lock that may expire at any moment, and does not say when. Its holder is the client granted last,
// if it may still hold it:
//
//	state       op           outcome   next
//	any         acquire c    ok        held by c: an earlier lease has expired, its own too
//	held by c   renew c      ok        the same: it had not expired
//	held by c   release c    ok        free: it had not expired
//	other       either c     ok        illegal: no client gets a lease back
//	held by c   either c     fail      free: it had expired
//	other       either c     fail      the same
//	any         acquire      fail      the same
//	any         acquire c    unknown   as for ok, or the same
//	any         either       unknown   the same: it can have nothing to show for it
//
// Here, either is a renew or a release. Expiry is not a separate step: it shows only in the next grant or the failure
// of one of these, and there it is counted. Before that it is not known, and an open lease allows everything that an
// expired one would, and success too.
func leaseMachine(*Model) machine {
	return machineOf(noClient, func(holder int, c *operation) (int, bool) {
		switch {
		case c.f == checker.Acquire:
			return c.client, true
		case holder != c.client:
			return holder, c.outcome == checker.Fail
		case c.f == checker.Renew && c.outcome == checker.OK:
			return holder, true
		}
		return noClient, true
	})
}

// A leaseState is a timed lease: who was granted it last, if it may still hold it, and until when it cannot have
// expired. Now is the earliest moment that the last operation can have had.
type leaseState struct {
	holder    int
	now, ends clock.Instant
}

// leaseTimedMachine is a lease that lasts for Least at least, unless it is released. Each operation takes effect at a
// moment t between the times of its invoke and its return, both included, and no earlier than the operation before it.
// Nothing is assumed about when the lease really expires after that, or about any clock: the times come from the
// history.
//
//	state              op           outcome   next
//	free               acquire c    ok        held by c until t+Least
//	held until e≤t     acquire c    ok        held by c until t+Least: the earlier lease has expired, its own too
//	held until e>t     acquire      ok        illegal: it cannot have expired yet
//	held by c          renew c      ok        held by c until t+Least
//	held by c          release c    ok        free
//	other              either c     ok        illegal: no client gets a lease back
//	held by c, e≤t     either c     fail      free: it had expired
//	held by c, e>t     either c     fail      illegal: it cannot have expired yet
//	other              either c     fail      the same
//	any                acquire      fail      the same
//	any                acquire c    unknown   as for ok, where that is legal, or the same
//	held by c          release c    unknown   free, or the same
//	any                renew        unknown   the same: it could only keep others waiting
//
// An order of the operations alone does not say whether there are such moments. But an operation requires of its moment
// only that it is late enough (not before its invoke, the operation before, or, for an acquire or a failure, the end of
// the lease) and that it does not pass its return. So let each operation have the earliest moment that it can. By
// induction no choice leads to an earlier one for any operation, or an earlier end of any lease: both are maxima of
// what came before, or that and Least. If these moments keep to the returns they are the proof; if one does not, no
// choice would. So a search over orders, with the earliest moment in the state, is exact. Without a Least this is the
// lease.
func leaseTimedMachine(m *Model) machine {
	least := max(m.Least, 0)
	return machineOf(leaseState{holder: noClient}, func(s leaseState, c *operation) (leaseState, bool) {
		s.now = max(s.now, c.from)
		mine := s.holder == c.client
		switch {
		case c.f == checker.Acquire:
			s.now = max(s.now, s.ends)
			s.holder, s.ends = c.client, s.now.Add(least)
		case !mine:
			return s, c.outcome == checker.Fail && s.now <= c.to
		case c.f == checker.Renew && c.outcome == checker.OK:
			s.ends = s.now.Add(least)
		default:
			if c.outcome == checker.Fail {
				s.now = max(s.now, s.ends)
			}
			s.holder, s.ends = noClient, 0
		}
		return s, s.now <= c.to
	})
}

// This file judges a lease without a search, in O(n log n), by the tenures and touches of mutexjudge.go.
//
// Assume first that every outcome is known. A grant ends every lease before it, so only what its own client does next
// can show that a lease is held: as long as its renewals, and then its release, succeed, no other client can have been
// granted the lease. That is a tenure, from the return of the acquire to the invoke of the last of them. A failed one
// ends it, and so does the client's next acquire. A grant without any such success needs no more than a moment within
// its acquire, outside the tenures of others: a touch. And a success that comes after a failure, a release, or nothing,
// has no legal order. Fails forbid others nothing.
//
// If two tenures overlap, one client was granted the lease while the other is shown to hold it, in any order. If none
// do, let every acquire take effect at its return, or at a moment between the tenures if it is a touch, every renewal
// and release at its invoke, or anywhere in it, and every failure anywhere in it: that is a legal order.
//
// Now let some acquires have an unknown outcome. One is spent where its client succeeds without a lease: it was granted
// just before, so the success is a touch if it is a release, and if it is a renewal it begins a lease, as an acquire
// does. These are forced. But where a client succeeds again and again in a lease, with an unknown acquire to spare, the
// tenure may have had a gap, in which others were granted the lease. What is legal without gaps is legal. What is
// illegal, where there may have been a gap, is left to the search. Unknown releases and renewals mean nothing
// (leaseMeans).

func judgeLease(_ *Model, c *operations) (Result, bool) {
	s := c.mutexJudge()
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

// succeeded records a renewal or release that shows that its client has the lease.
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
		s.reject(i, i, did[c.f]+" what it did not hold")
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
