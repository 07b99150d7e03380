package checker

import (
	"cmp"
	"slices"

	"github.com/lockstorm/lockstorm/clock"
)

// A window is a half-open interval [from, until) of one client. Half-open, because a client that stops at the instant at
// which another starts has stopped: windows that touch do not overlap, and an empty one overlaps nothing.
type window struct {
	from, until   clock.Instant
	client, index int
}

// inOrder sorts windows by start and then by index, so that their order is unique.
func inOrder(ws []window) {
	slices.SortFunc(ws, func(a, b window) int {
		if c := cmp.Compare(a.from, b.from); c != 0 {
			return c
		}
		return cmp.Compare(a.index, b.index)
	})
}

// beliefs appends the belief [From, Gone) of each hold, in order.
func (j *Judge) beliefs(into []window) []window {
	for i := range j.e.Holds {
		h := &j.e.Holds[i]
		into = addWindow(into, window{h.From, h.Gone, h.Client, i})
	}
	inOrder(into)
	return into
}

func (j *Judge) validities(into []window) []window {
	into = append(into, j.entitlements()...)
	inOrder(into)
	return into
}

// entitlements returns the validity windows of each hold, in the order of Holds: [From, Valid), and [At, Valid) for each
// renewal that succeeded. Those that overlap or touch are joined. So between two of one hold there is a gap, in which
// the client was not entitled.
func (j *Judge) entitlements() []window {
	if j.entitled {
		return j.valids
	}
	j.entitled, j.valids = true, j.valids[:0]
	for i := range j.e.Holds {
		h := &j.e.Holds[i]
		j.valids = addWindow(j.valids, window{h.From, h.Valid, h.Client, i})
	}
	if len(j.e.Renewals) > 0 {
		j.valids = joined(j.renewals(j.valids))
	}
	return j.valids
}

// renewals appends the windows of the renewals that succeeded, and sorts all by hold and start.
func (j *Judge) renewals(into []window) []window {
	for i := range j.e.Renewals {
		if r := &j.e.Renewals[i]; r.OK {
			into = addWindow(into, window{r.At, r.Valid, j.e.Holds[r.Hold].Client, r.Hold})
		}
	}
	slices.SortFunc(into, func(a, b window) int {
		return cmp.Or(cmp.Compare(a.index, b.index), cmp.Compare(a.from, b.from))
	})
	return into
}

// joined merges windows of the same index that overlap or touch. They must be sorted by index and start.
func joined(ws []window) []window {
	n := 0
	for _, w := range ws {
		if n > 0 && ws[n-1].index == w.index && w.from <= ws[n-1].until {
			ws[n-1].until = max(ws[n-1].until, w.until)
			continue
		}
		ws[n] = w
		n++
	}
	return ws[:n]
}

// union merges windows, of whichever client, into the maximal intervals that they cover together.
func union(ws []window) []window {
	for i := range ws {
		ws[i].index = 0
	}
	inOrder(ws)
	return joined(ws)
}

// held appends all windows in which some client held the lock, by belief or by validity.
func (j *Judge) held(into []window) []window {
	for i := range j.e.Holds {
		h := &j.e.Holds[i]
		into = addWindow(into, window{h.From, h.Gone, h.Client, i})
	}
	return append(into, j.entitlements()...)
}

func addWindow(into []window, w window) []window {
	if w.from < w.until {
		into = append(into, w)
	}
	return into
}

// endingAfter returns the windows that end after an instant. They must be in order, and none may overlap another.
func endingAfter(ws []window, t clock.Instant) []window {
	first, _ := slices.BinarySearchFunc(ws, t, func(w window, t clock.Instant) int {
		if w.until <= t {
			return -1
		}
		return 1
	})
	return ws[first:]
}

// A reach is the latest end of the windows so far, with its client, and the latest end of those of other clients.
type reach struct {
	client       int
	until, other clock.Instant
}

func (r *reach) add(w window) {
	switch {
	case w.client == r.client:
		r.until = max(r.until, w.until)
	case w.until > r.until:
		*r = reach{w.client, w.until, r.until}
	default:
		r.other = max(r.other, w.until)
	}
}

// without returns the latest end of the windows of all clients but this one.
func (r *reach) without(client int) clock.Instant {
	if client == r.client {
		return r.other
	}
	return r.until
}
