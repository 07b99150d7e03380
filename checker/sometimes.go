package checker

import (
	"cmp"
	"slices"

	"github.com/lockstorm/lockstorm/clock"
)

// contended reports whether a Try [From, To) of one client overlaps the belief [From, Gone) of another. It is exact: two
// windows overlap only if one of them starts while the other is open, so it is enough to go through all starts in order
// and to compare each with the latest end of the other kind.
func (j *Judge) contended() bool {
	j.windows, j.others = j.beliefs(j.windows[:0]), j.others[:0]
	for i := range j.e.Tries {
		t := &j.e.Tries[i]
		j.others = addWindow(j.others, window{t.From, t.To, t.Client, i})
	}
	inOrder(j.others)
	return anyOverlap(j.windows, j.others)
}

// anyOverlap reports whether a window of one list overlaps one of the other list and of another client. Both must be in order.
func anyOverlap(as, bs []window) bool {
	var a, b reach
	for len(as) > 0 || len(bs) > 0 {
		if len(bs) == 0 || len(as) > 0 && as[0].from <= bs[0].from {
			as, bs, a, b = bs, as, b, a
		}
		w := bs[0]
		if a.without(w.client) > w.from {
			return true
		}
		b.add(w)
		bs = bs[1:]
	}
	return false
}

func (j *Judge) acquired() bool { return len(j.e.Holds) > 0 }

func (j *Judge) acquiredByTwo() bool {
	return slices.ContainsFunc(j.e.Holds, func(h Hold) bool { return h.Client != j.e.Holds[0].Client })
}

// faultStruck reports whether there are planned faults and all of them struck. A run without any has not shown what it was
// made to show. A strike that changed nothing does not count.
func (j *Judge) faultStruck() bool {
	j.windows = j.windows[:0]
	for _, s := range j.e.Strikes {
		if !s.Idle && s.Index >= 0 && s.Index < j.e.Planned {
			j.windows = append(j.windows, window{index: s.Index})
		}
	}
	inOrder(j.windows)
	struck := slices.CompactFunc(j.windows, func(a, b window) bool { return a.index == b.index })
	return j.e.Planned > 0 && len(struck) == j.e.Planned
}

// expiredWhileHeld reports whether some instant of a belief lies in no validity window of its hold: after the last, or in a
// gap before a renewal that came too late. The windows are maximal, so a belief is covered only if it lies within one of
// them. Only what was seen counts: in a run that ended before the validity did, nothing expired.
func (j *Judge) expiredWhileHeld() bool {
	valids := j.entitlements()
	for i := range j.e.Holds {
		h := &j.e.Holds[i]
		until := min(h.Gone, j.e.End)
		covered := h.From >= until
		for ; len(valids) > 0 && valids[0].index == i; valids = valids[1:] {
			covered = covered || valids[0].from <= h.From && until <= valids[0].until
		}
		if !covered {
			return true
		}
	}
	return false
}

// quorumLost judges as quorum does, over longer windows: belief and validity together.
func (j *Judge) quorumLost() bool {
	j.keys()
	j.windows = j.windows[:0]
	for i := range j.e.Holds {
		h := &j.e.Holds[i]
		j.windows = addWindow(j.windows, window{h.From, max(h.Gone, h.Valid), h.Client, i})
	}
	for i := range j.e.Renewals {
		if r := &j.e.Renewals[i]; r.OK {
			j.windows = addWindow(j.windows, window{r.At, r.Valid, 0, r.Hold})
		}
	}
	_, lost := j.firstLack()
	return lost
}

func (j *Judge) refusedTooLate() bool {
	return slices.ContainsFunc(j.e.Tries, func(t Try) bool { return t.Outcome == TooLate })
}

func (j *Judge) staleWriteRefused() bool {
	return slices.ContainsFunc(j.e.Writes, func(u Update) bool { return u.Plain.Made != 0 && u.Fenced.Made == 0 })
}

// lateWrite reports whether storage applied an update when the hold it was made under was Gone. That is the latest hold of
// its client when it invoked the write: by the time the write arrives, the client may have acquired again.
func (j *Judge) lateWrite() bool {
	j.gatherByClient()
	return slices.ContainsFunc(j.e.Writes, func(u Update) bool {
		h := j.holdOf(u.Client, j.e.invoked(&u))
		return u.Plain.Made != 0 && h >= 0 && u.At >= j.e.Holds[h].Gone
	})
}

// invoked returns the instant at which the client sent the update or, without a history, at which it arrived.
func (e *Evidence) invoked(u *Update) clock.Instant {
	if !e.sent(u) {
		return u.At
	}
	return e.History[u.Op].Time
}

// sent reports whether the history has the call of the write that the update came from.
func (e *Evidence) sent(u *Update) bool { return u.Op >= 0 && u.Op < len(e.History) }

func (j *Judge) gatherByClient() {
	j.windows = j.windows[:0]
	for i := range j.e.Holds {
		h := &j.e.Holds[i]
		j.windows = append(j.windows, window{from: h.From, client: h.Client, index: i})
	}
	slices.SortFunc(j.windows, func(a, b window) int {
		return cmp.Or(cmp.Compare(a.client, b.client), cmp.Compare(a.from, b.from), cmp.Compare(a.index, b.index))
	})
}

// holdOf returns the index of the client's latest hold at t, or -1. It needs gatherByClient.
func (j *Judge) holdOf(client int, t clock.Instant) int {
	end, _ := slices.BinarySearchFunc(j.windows, t, func(w window, t clock.Instant) int {
		if w.client < client || w.client == client && w.from <= t {
			return -1
		}
		return 1
	})
	if end == 0 || j.windows[end-1].client != client {
		return -1
	}
	return j.windows[end-1].index
}

func (j *Judge) extended() bool {
	return slices.ContainsFunc(j.e.Renewals, func(r Renewal) bool { return r.OK })
}

// extensionFailed reports whether an extension returned without success. One that never returned is not known to have
// failed.
func (j *Judge) extensionFailed() bool { return j.failedRenewals() > 0 }

func (j *Judge) wasUnavailable() bool { return len(j.unavailable()) > 0 }

func (j *Judge) crashedWhileHeld() bool {
	return slices.ContainsFunc(j.e.Holds, func(h Hold) bool { return h.Crashed })
}

func (j *Judge) wasOvertaken() bool {
	pairs, known := j.overtaken()
	return known && pairs > 0
}
