package checker

import (
	"cmp"
	"slices"
	"time"

	"github.com/lockstorm/lockstorm/clock"
)

// unavailable returns the maximal intervals within [0, End) in which no client held the lock, by belief or by validity,
// and none could have been granted it, because no client had a majority of lanes that were in touch with it and had no
// live key. They are in order, and valid until the next call. Without clients or lanes there are none.
//
// It is exact: what counts changes only at the edges of spans, outages and holds. A client is shut out while the
// lanes that would grant it the lock are no majority. The edges of those times are summed over all
// clients, and the sum equals the number of clients while all are shut out. Each time in which a client holds subtracts
// one from the sum, so that it reaches that number only where no client holds.
//
// A client that was never out of touch can be granted the lock whenever another can. If there is one, it is enough to
// look at that one.
func (j *Judge) unavailable() []window {
	if j.idled {
		return j.idle
	}
	j.idled, j.idle = true, j.idle[:0]
	if len(j.e.Lanes) <= 0 || j.e.Clients <= 0 {
		return j.idle
	}
	all := j.shutOut()
	j.windows = union(j.held(j.windows[:0]))
	for _, w := range j.windows {
		j.turns = append(j.turns, edge{w.from, -1}, edge{w.until, 1})
	}
	inTime(j.turns)
	j.runs = atLeast(all, j.turns, j.runs[:0])
	for _, w := range j.runs {
		if w.from < j.e.End {
			j.idle = append(j.idle, window{from: w.from, until: min(w.until, j.e.End)})
		}
	}
	return j.idle
}

// shutOut puts into turns the edges of the times in which each client is shut out, and returns how many clients it
// looked at.
func (j *Judge) shutOut() (all int) {
	j.part()
	j.turns, j.pieces = j.turns[:0], j.pieces[:0]
	for i, s := range j.e.Keys {
		if s.From < s.To {
			j.pieces = append(j.pieces, piece{lane: s.Lane, index: i, from: s.From, until: s.To})
		}
	}
	if j.oneInTouch() {
		j.shut(nil)
		return 1
	}
	for c := range j.e.Clients {
		j.shut(j.outs.group(c))
	}
	return j.e.Clients
}

// oneInTouch reports whether some client was never out of touch with any lane.
func (j *Judge) oneInTouch() bool {
	if len(j.e.Outages) == 0 {
		return true
	}
	for c := range j.e.Clients {
		if len(j.outs.group(c)) == 0 {
			return true
		}
	}
	return false
}

// shut puts into turns the edges of the times in which keys and a client's outages leave it no majority of lanes.
func (j *Judge) shut(outages []piece) {
	j.spare = append(append(j.spare[:0], j.pieces...), outages...)
	slices.SortFunc(j.spare, inGroup)
	j.collect(j.spare)
	j.runs = atLeast(tooMany(len(j.e.Lanes)), j.edges, j.runs[:0])
	for _, w := range j.runs {
		j.turns = append(j.turns, edge{w.from, 1}, edge{w.until, -1})
	}
}

// idleTime is not known without clients and lanes: then no client can ask, or nothing can grant.
func (j *Judge) idleTime() (sum int64, known bool) {
	for _, w := range j.unavailable() {
		sum += int64(w.until - w.from)
	}
	return sum, len(j.e.Lanes) > 0 && j.e.Clients > 0
}

// longest returns the longest stretch of unavailability; of several, the first.
func (j *Judge) longest() (best window) {
	for _, w := range j.unavailable() {
		if w.until-w.from > best.until-best.from {
			best = w
		}
	}
	return best
}

func (j *Judge) idleLongest() (int64, bool) {
	w := j.longest()
	return int64(w.until - w.from), len(j.e.Lanes) > 0 && j.e.Clients > 0
}

func (j *Judge) idleLongestFrom() (int64, bool) {
	w := j.longest()
	return int64(w.from), w.from < w.until
}

// heldTime counts each instant before End once, however many holds are valid then.
func (j *Judge) heldTime() (sum int64, known bool) {
	j.windows = union(append(j.windows[:0], j.entitlements()...))
	for _, w := range j.windows {
		sum += max(0, int64(min(w.until, j.e.End)-w.from))
	}
	return sum, true
}

// wait takes one of the waits of the successful acquires: the place of n waits, the shortest first.
func wait(place func(n int) int) func(*Judge) (int64, bool) {
	return func(j *Judge) (int64, bool) {
		j.windows = j.wins(j.windows[:0])
		if len(j.windows) == 0 {
			return 0, false
		}
		slices.SortFunc(j.windows, func(a, b window) int { return cmp.Compare(a.until-a.from, b.until-b.from) })
		w := j.windows[place(len(j.windows))]
		return int64(w.until - w.from), true
	}
}

func (j *Judge) firstWinner() (int64, bool) {
	j.windows = j.wins(j.windows[:0])
	if len(j.windows) == 0 {
		return 0, false
	}
	calls := j.operations()
	asked := calls[slices.IndexFunc(calls, func(c call) bool { return c.f == Acquire })]
	first := slices.MinFunc(j.windows, func(a, b window) int { return cmp.Compare(a.until, b.until) })
	return int64(first.until - j.e.History[asked.invoke].Time), true
}

// splitVotes counts the tries without quorum that overlap no time in which some client held the lock. It is exact:
// those times are maximal, so it is enough to compare a try with the first that ends after the try began.
func (j *Judge) splitVotes() int {
	j.windows = union(j.held(j.windows[:0]))
	return count(j.e.Tries, func(t Try) bool {
		rest := endingAfter(j.windows, t.From)
		return t.Outcome == NoQuorum &&
			(len(rest) == 0 || max(rest[0].from, t.From) >= min(rest[0].until, t.To))
	})
}

// overtaken counts the pairs in which the call came earlier and the success later. Equal instants have no order:
// acquires that were called together are sorted by success, and those that succeeded together don't count.
func (j *Judge) overtaken() (int64, bool) {
	j.windows = j.wins(j.windows[:0])
	slices.SortFunc(j.windows, func(a, b window) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.until, b.until))
	})
	j.others = append(j.others[:0], j.windows...)
	return inversions(j.windows, j.others), j.e.Clients > 0
}

// overlaps counts the holds that began while another client still acted as holder, unless both share the lock. If the
// lock is there to save double work, that is how often work was done twice.
//
// It is exact: a hold overlaps an earlier one of another client if and only if it begins before the latest end among
// the earlier holds of other clients that it does not share the lock with.
func (j *Judge) overlaps() (n int) {
	j.windows = j.beliefs(j.windows[:0])
	var ended reaches
	for _, w := range j.windows {
		shared := j.e.Holds[w.index].Shared
		n += truth(ended.inTheWay(w.client, shared) > w.from)
		ended.add(w, shared)
	}
	return n
}

// lostIn counts the updates that a register applied and that its last version does not contain. A version contains the
// update that made it and everything that its base contains. So a walk back from the last version, base by base, finds
// what it contains.
func (j *Judge) lostIn(in func(Update) Change) (n int) {
	next, begun := uint64(0), false
	for i := len(j.e.Writes) - 1; i >= 0; i-- {
		c := in(j.e.Writes[i])
		switch {
		case c.Made == 0:
		case !begun || c.Made == next:
			begun, next = true, c.Base
		default:
			n++
		}
	}
	return n
}

// failedRenewals counts the renewals that returned without success. It leaves out those that never returned.
func (j *Judge) failedRenewals() int {
	return count(j.e.Renewals, func(r Renewal) bool { return !r.OK && r.At != clock.Forever })
}

// count returns how many entries of a list are as asked.
func count[T any](list []T, is func(T) bool) (n int) {
	for _, t := range list {
		n += truth(is(t))
	}
	return n
}

// whileHeld counts the faults that touched something, at a moment when some client held by belief or validity. A
// moment is Forever where there is no moment.
func whileHeld(moment func(s *Strike, end clock.Instant) clock.Instant) func(*Judge) (int64, bool) {
	return tally(func(j *Judge) int {
		j.windows = union(j.held(j.windows[:0]))
		return count(j.e.Strikes, func(s Strike) bool {
			t := moment(&s, j.e.End)
			rest := endingAfter(j.windows, t)
			return !s.Idle && !s.Slight && len(rest) > 0 && rest[0].from <= t
		})
	})
}

// forward is when a fault steps a clock forward: at its beginning, or at its end if it had stepped it back.
func forward(s *Strike, end clock.Instant) clock.Instant { return s.stepped(s.Step, end) }

func back(s *Strike, end clock.Instant) clock.Instant { return s.stepped(-s.Step, end) }

func (s *Strike) stepped(d time.Duration, end clock.Instant) clock.Instant {
	switch {
	case !s.Strobe && d > 0:
		return s.From
	case !s.Strobe && d < 0 && s.To < end:
		return s.To
	}
	return clock.Forever
}

func strobed(s *Strike, _ clock.Instant) clock.Instant {
	if s.Strobe {
		return s.From
	}
	return clock.Forever
}
