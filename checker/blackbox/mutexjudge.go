package blackbox

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/lockstorm/lockstorm/checker"
)

// This file judges a mutex without a search, in O(n log n).
//
// Assume first that every outcome is known. A client is one thread, so its acquires and releases must take turns,
// starting with an acquire. It then holds the lock at least from the return of the acquire to the invoke of the
// release. The history has a legal order if and only if no two of these tenures overlap. If two do, any order has two
// simultaneous holders. If none do, let every acquire take effect at its return and every release at its invoke: that
// is a legal order. A failed acquire does nothing and plays no part.
//
// Now let some outcomes be unknown. Such an operation may take effect at any time after its invoke, so all a client's
// unknown releases that have been invoked are alike, and so are its unknown acquires; it is enough to count each. For
// one client:
//
//   - Acquire, acquire: one unknown release took effect between. If one was to spare when the first was invoked, the
//     hold may be as short as a moment, anywhere within that first acquire: a touch. If not, it lasts from the return
//     of the acquire to the invoke of the first unknown release after it: a tenure. If there is none, no order is
//     legal.
//   - Acquire at the end: the same, but if there is no unknown release it lasts for ever.
//   - Release, without a hold: one unknown acquire took effect just before. A touch, anywhere within that release. If
//     there is none to spare, no order is legal.
//   - Acquire, release: a tenure, unless an unknown release and an unknown acquire of the same client were both to
//     spare. They might have made a gap in it.
//   - A renewal shows that its client holds the lock at some moment within it. Within a hold, that moment may be its
//     invoke, and the hold lasts until then at least, whatever ends it; but again an unknown release and an unknown
//     acquire, both to spare, might have made a gap. Without a hold, one unknown acquire took effect just before, and
//     the renewal takes its place: as for an acquire, the hold lasts from its return, or is a touch.
//   - An unknown acquire elsewhere gets its client a hold that only an unknown release can end, or nothing. Leave both
//     out.
//
// Which unknown operation takes effect where is forced, except at the gaps and after the last acquire of a client, when
// nothing else needs one. So without gaps an order exists if and only if the tenures are disjoint and each touch finds
// a moment outside them. Touches do not conflict with one another: two of them can be at any two moments. A history
// that is found legal this way is legal. One that is found illegal may still be legal if a gap was possible: then the
// search decides.

// A tenure is the part of a hold that it has in every legal order.
type tenure struct {
	from, to int // the return of its acquire, and the earliest invoke that can have ended it; or operations.ops
	op       int // the place of its acquire in the list
}

// A touch is a hold that needs no more than one moment, somewhere between two indices.
type touch struct {
	after, before int
	op            int // the place in the list of the operation whose return is before
}

// A clientState is what one client has done so far.
type clientState struct {
	holding  bool
	acquire  int // the place of the acquire by which it holds
	pooled   bool
	first    int // the invoke of the first unknown release since that acquire; -1 for none
	shown    int // the invoke of the last operation since that showed the hold and did not end it; -1 for none
	releases int // unknown, to spare
	acquires int // unknown, to spare
}

// A mutexJudge judges one mutex without a search.
type mutexJudge struct {
	*operations
	states  []clientState
	tenures []tenure // rising once sorted
	touches []touch
	gaps    bool    // some tenure may have had a gap
	wrong   *Result // a client whose own operations have no legal order
}

func judgeMutex(_ *Model, c *operations) (Result, bool) {
	s := newMutexJudge(c)
	return s.mutex()
}

func newMutexJudge(c *operations) *mutexJudge {
	s := c.mutexJudge()
	for i := range c.list {
		s.add(i)
	}
	for i := range s.states {
		if t := &s.states[i]; t.holding {
			s.endUnknown(t)
		}
	}
	s.inOrder()
	return s
}

// mutexJudge returns a judge that has seen nothing: the kept one, if there is one, so that a Judge needs no other
// memory for its next mutex.
func (c *operations) mutexJudge() *mutexJudge {
	s := c.kept
	if s == nil {
		s = new(mutexJudge)
	}
	states := slices.Grow(s.states[:0], len(c.clients))[:len(c.clients)]
	clear(states)
	*s = mutexJudge{operations: c, states: states, tenures: s.tenures[:0], touches: s.touches[:0]}
	return s
}

func (s *mutexJudge) inOrder() {
	slices.SortFunc(s.tenures, func(a, b tenure) int { return cmp.Compare(a.from, b.from) })
}

func (s *mutexJudge) add(i int) {
	c := &s.list[i]
	t := &s.states[c.client]
	switch known := c.outcome == checker.OK; {
	case c.f == checker.Acquire && known:
		s.acquired(t, i)
	case c.f == checker.Acquire:
		t.acquires++
	case c.f == checker.Renew:
		s.renewed(t, i)
	case known:
		s.released(t, i)
	default:
		if t.holding && t.first < 0 {
			t.first = c.invoke
		}
		t.releases++
	}
}

func (s *mutexJudge) acquired(t *clientState, i int) {
	if t.holding {
		if t.releases == 0 {
			s.reject(t.acquire, i, "acquired twice, without a release between that can have taken effect")
		}
		s.endUnknown(t)
	}
	t.begin(i)
}

// begin lets a hold begin with the operation at place i.
func (t *clientState) begin(i int) {
	t.holding, t.acquire, t.pooled, t.first, t.shown = true, i, t.releases > 0, -1, -1
}

func (s *mutexJudge) renewed(t *clientState, i int) {
	switch {
	case t.holding:
		s.gaps = s.gaps || t.releases > 0 && t.acquires > 0
		t.shown = s.list[i].invoke
	case t.acquires > 0:
		t.acquires--
		t.begin(i)
	default:
		s.reject(i, i, did[s.list[i].f]+" what it did not hold")
	}
}

func (s *mutexJudge) released(t *clientState, i int) {
	c := &s.list[i]
	switch {
	case t.holding:
		s.gaps = s.gaps || t.releases > 0 && t.acquires > 0
		s.tenures = append(s.tenures, tenure{s.list[t.acquire].done, c.invoke, t.acquire})
	case t.acquires > 0:
		t.acquires--
		s.touches = append(s.touches, touch{c.invoke, c.done, i})
	default:
		s.reject(i, i, did[c.f]+" what it did not hold")
	}
	t.holding = false
}

// endUnknown ends a hold whose client never learned that it ended, or for which it never ended.
func (s *mutexJudge) endUnknown(t *clientState) {
	c := &s.list[t.acquire]
	switch {
	case t.pooled && t.shown < 0:
		s.touches = append(s.touches, touch{c.invoke, c.done, t.acquire})
	case t.pooled || t.first >= 0:
		end := t.shown
		if !t.pooled {
			end = max(end, t.first)
		}
		s.tenures = append(s.tenures, tenure{c.done, end, t.acquire})
	default:
		s.tenures = append(s.tenures, tenure{c.done, s.ops, t.acquire})
	}
	t.releases-- // below 0 it does not count: then the client has made a mistake, or has ended
}

// reject records what one client did against all rules. The first counts.
func (s *mutexJudge) reject(i, k int, deed string) {
	if s.wrong != nil {
		return
	}
	a, b := &s.list[i], &s.list[k]
	r := s.violated(fmt.Sprintf("The client of %s %s: indices %d and %d.", s.who(b), deed, a.invoke, b.done),
		a.invoke, a.done, b.invoke, b.done)
	s.wrong = &r
}

// mutex judges. It is not sure if a gap might make legal what it found illegal.
func (s *mutexJudge) mutex() (Result, bool) {
	if s.wrong != nil {
		return *s.wrong, true
	}
	if a, b, found := s.overlapping(); found {
		return s.both(a, b), !s.gaps
	}
	if k, a, found := s.crowdedOut(); found {
		return s.within(k, a), !s.gaps
	}
	return Result{Verdict: checker.Holds}, true
}

// overlapping returns the first tenure in order that begins within another. No earlier one does, so the other is the
// one just before it.
func (s *mutexJudge) overlapping() (a, b tenure, found bool) {
	for i := 1; i < len(s.tenures); i++ {
		if a, b = s.tenures[i-1], s.tenures[i]; a.to > b.from {
			return a, b, true
		}
	}
	return a, b, false
}

// crowdedOut returns the first touch that lies within a tenure. Tenures are disjoint by now, and between two of them
// there is a moment, so a touch is crowded out by one of them alone.
func (s *mutexJudge) crowdedOut() (touch, tenure, bool) {
	for _, k := range s.touches {
		i, _ := slices.BinarySearchFunc(s.tenures, k.after, func(a tenure, t int) int { return cmp.Compare(a.from, t) })
		if i > 0 && s.tenures[i-1].to > k.before {
			return k, s.tenures[i-1], true
		}
	}
	return touch{}, tenure{}, false
}

func (s *mutexJudge) both(a, b tenure) Result {
	first, second := &s.list[a.op], &s.list[b.op]
	return s.violated(fmt.Sprintf("Two holders at once: %s, which %s at index %d and held it %s, "+
		"and %s, which %s at index %d and held it %s.",
		s.who(first), got(first), a.from, s.until(a), s.who(second), got(second), b.from, s.until(b)),
		first.invoke, a.from, a.to, second.invoke, b.from, b.to)
}

func (s *mutexJudge) within(k touch, a tenure) Result {
	inner, outer := &s.list[k.op], &s.list[a.op]
	return s.violated(fmt.Sprintf("Two holders at once: %s, which %s at index %d and held it %s, and %s, "+
		"which held it at some moment from index %d to %d.",
		s.who(outer), got(outer), a.from, s.until(a), s.who(inner), k.after, k.before),
		outer.invoke, a.from, a.to, k.after, k.before)
}

// got returns how it is known that a hold has begun: an acquire with an unknown outcome may show by a renewal.
func got(k *operation) string {
	if k.f == checker.Renew {
		return "renewed it"
	}
	return "acquired"
}

func (s *mutexJudge) until(a tenure) string {
	if a.to == s.ops {
		return "to the end"
	}
	return "to index " + strconv.Itoa(a.to) + " at least"
}

// who names a client by its first process, which is its number unless the history begins in the middle.
func (c *operations) who(k *operation) string { return "process " + strconv.Itoa(c.clients[k.client]) }

// violated makes the Result for a conflict of the ops of these indices. It leaves out the index of an end that never
// came.
func (c *operations) violated(reason string, indices ...int) Result {
	indices = slices.DeleteFunc(indices, func(i int) bool { return i >= c.ops })
	slices.Sort(indices)
	if first := strings.ToUpper(reason[:1]); first != reason[:1] {
		reason = first + reason[1:]
	}
	return Result{Verdict: checker.Violated, Reason: reason, Ops: slices.Compact(indices)}
}

// judgeFencedMutex judges a fenced mutex. Its holds must be legal for a mutex, and their tokens must rise in order. The
// order of tenures is forced, so it is exact without gaps and where no token belongs to a touch, which may come before
// or after others. A touch in which an unknown acquire took effect has no token.
func judgeFencedMutex(_ *Model, c *operations) (Result, bool) {
	s := newMutexJudge(c)
	r, sure := s.mutex()
	if !sure || r.Verdict == checker.Violated {
		return r, sure
	}
	if r, found := s.falling(); found {
		return r, !s.gaps
	}
	loose := func(k touch) bool { return c.list[k.op].f == checker.Acquire && c.list[k.op].token() != 0 }
	return r, !slices.ContainsFunc(s.touches, loose)
}

// falling returns the first tenure in order whose token is no larger than one before it.
func (s *mutexJudge) falling() (Result, bool) {
	var top *operation
	for _, a := range s.tenures {
		c := &s.list[a.op]
		switch token := c.token(); {
		case token == 0:
		case top != nil && token <= top.token():
			return s.violated(fmt.Sprintf("%s acquired at index %d with token %d, after %s at index %d with token %d.",
				s.who(c), c.done, token, s.who(top), top.done, top.token()),
				top.invoke, top.done, c.invoke, c.done), true
		default:
			top = c
		}
	}
	return Result{}, false
}
