package checker

import (
	"slices"
	"time"

	"github.com/lockstorm/lockstorm/clock"
)

// begun returns when the attempt began that won a hold or, if that is not known, when its acquire returned.
func (e *Evidence) begun(h *Hold) clock.Instant {
	if h.Try < 0 || h.Try >= len(e.Tries) {
		return h.From
	}
	return e.Tries[h.Try].From
}

// entitledUntil returns the end of the last of a hold's validity windows that began by t.
func (e *Evidence) entitledUntil(hold int, t clock.Instant) clock.Instant {
	end := e.Holds[hold].Valid
	for _, r := range e.Renewals {
		if r.Hold == hold && r.OK && r.At <= t {
			end = max(end, r.Valid)
		}
	}
	return end
}

// ends returns the instants at which the validity of a hold ended before its release: the end of its last window, and
// those after which an extension restored it.
func (e *Evidence) ends(hold int, released clock.Instant) (all []clock.Instant) {
	end := e.Holds[hold].Valid
	for _, r := range e.Renewals {
		if r.Hold != hold || !r.OK {
			continue
		}
		if r.At > end {
			all = append(all, end)
		}
		end = max(end, r.Valid)
	}
	if end < released {
		all = append(all, end)
	}
	return all
}

// validity returns the window in which the hold is valid at t. There must be one.
func (e *Evidence) validity(hold int, t clock.Instant) window {
	j := Judge{e: e}
	valids := j.entitlements()
	return valids[slices.IndexFunc(valids, func(w window) bool {
		return w.index == hold && w.from <= t && t < w.until
	})]
}

// released returns the instant at which the holder called release: the first call after its belief ended.
func (e *Evidence) released(h *Hold) clock.Instant {
	for _, op := range e.History {
		if op.Time >= h.Gone && op.F == Release && op.Type == Invoke && e.clientOf(op.Process) == h.Client {
			return op.Time
		}
	}
	return clock.Forever
}

// latest returns the index of the latest entry of those that count; of several, the last in the list; -1 if none
// counts.
func latest[T any](list []T, when func(*T) (t clock.Instant, counts bool)) int {
	last, end := -1, clock.Instant(0)
	for i := range list {
		if t, counts := when(&list[i]); counts && (last < 0 || t >= end) {
			last, end = i, t
		}
	}
	return last
}

// lastExtension returns the last extension of a hold that succeeded, or -1.
func (e *Evidence) lastExtension(hold int) int {
	return latest(e.Renewals, func(r *Renewal) (clock.Instant, bool) { return 0, r.Hold == hold && r.OK })
}

// won returns the hold that an attempt won, or -1.
func (e *Evidence) won(t *Try) int {
	return slices.IndexFunc(e.Holds, func(h Hold) bool {
		return t.Outcome == Won && h.Client == t.Client && h.Token == t.Token && h.From >= t.To
	})
}

// holdAt returns the client's latest hold that began by t, or -1.
func (e *Evidence) holdAt(client int, t clock.Instant) int {
	return latest(e.Holds, func(h *Hold) (clock.Instant, bool) { return 0, h.Client == client && h.From <= t })
}

// latestHold returns the hold that began last by t; -1 if none had.
func (e *Evidence) latestHold(t clock.Instant) int {
	return latest(e.Holds, func(h *Hold) (clock.Instant, bool) { return h.From, h.From <= t })
}

// latestHolder returns the client that acquired last by t; -1 if none had.
func (e *Evidence) latestHolder(t clock.Instant) int {
	if h := e.latestHold(t); h >= 0 {
		return e.Holds[h].Client
	}
	return -1
}

// previous returns the hold that began last before another one; -1 if there is none.
func (e *Evidence) previous(hold int) int {
	next := &e.Holds[hold]
	return latest(e.Holds, func(h *Hold) (clock.Instant, bool) { return h.From, h != next && h.From <= next.From })
}

// closest returns the two holds of different clients, one after the other, with the shortest time between them; -1 if
// there are no two.
func (e *Evidence) closest() (first, second int) {
	first, second = -1, -1
	least := clock.Forever.Sub(0)
	for b := range e.Holds {
		a := e.previous(b)
		if a < 0 || e.Holds[a].Client == e.Holds[b].Client {
			continue
		}
		if gap := e.Holds[b].From.Sub(e.Holds[a].Gone); gap < least {
			first, second, least = a, b, gap
		}
	}
	return first, second
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

// readBefore returns the answer to the read on which a write was based: the last one of its process.
func (e *Evidence) readBefore(write int) (Op, bool) {
	if write >= len(e.History) {
		return Op{}, false
	}
	for i := write; i >= 0; i-- {
		if op := e.History[i]; op.F == Read && op.Type == OK && op.Process == e.History[write].Process {
			return op, true
		}
	}
	return Op{}, false
}

// granted returns the first key that each lane had for a hold by the time its acquire returned, in the order of the
// lanes. A key that was gone before the attempt began belongs to an earlier hold: some clients use one name for all.
func (e *Evidence) granted(h *Hold) (keys []*Span) {
	var begun clock.Instant
	if h.Try >= 0 && h.Try < len(e.Tries) {
		begun = e.Tries[h.Try].From
	}
	for n := range e.Lanes {
		var first *Span
		for i := range e.Keys {
			s := &e.Keys[i]
			mine := s.Lane == n && s.Token == h.Token && s.From <= h.From && s.From < s.To && s.To > begun
			if mine && (first == nil || s.From < first.From) {
				first = s
			}
		}
		if first != nil {
			keys = append(keys, first)
		}
	}
	return keys
}

// nodesWith counts the lanes that have a token at t.
func (e *Evidence) nodesWith(token string, t clock.Instant) (n int) {
	for lane := range e.Lanes {
		n += truth(slices.ContainsFunc(e.Keys, func(s Span) bool {
			return s.Lane == lane && s.Token == token && s.From <= t && t < s.To
		}))
	}
	return n
}

// lastEnd returns the index of the span of this token that was the last to end at or before t, or -1; of spans that end
// together, the first in the list.
func (e *Evidence) lastEnd(token string, t clock.Instant) int {
	last := -1
	for i, s := range e.Keys {
		if s.Token == token && s.From < s.To && s.To <= t && (last < 0 || s.To > e.Keys[last].To) {
			last = i
		}
	}
	return last
}

// previousSpan returns the latest earlier span of the same key on the same lane, or nil.
func (e *Evidence) previousSpan(s *Span) (last *Span) {
	for i := range e.Keys {
		k := &e.Keys[i]
		if k.Lane == s.Lane && k.Token == s.Token && k.To <= s.From && (last == nil || k.To > last.To) {
			last = k
		}
	}
	return last
}

// ownerOf names the client that a token belongs to.
func (e *Evidence) ownerOf(token string) string {
	for i := range e.Tries {
		if e.Tries[i].Token == token {
			return client(e.Tries[i].Client)
		}
	}
	for i := range e.Holds {
		if e.Holds[i].Token == token {
			return client(e.Holds[i].Client)
		}
	}
	return "no known client"
}

// early reports whether the lane ended a key so early that the hold's validity outlasted it. A true clock would have
// kept the key until then.
func (s *Span) early(end clock.Instant) bool {
	return s.Ended.Cause == Stepped || s.Ended.Gained > 0 && s.Ended.Gained >= end.Sub(s.To)
}

// firstStrike returns the first fault that affected anything; -1 if there is none.
func (e *Evidence) firstStrike() int {
	first := -1
	for i, s := range e.Strikes {
		if !s.Idle && (first < 0 || s.From < e.Strikes[first].From) {
			first = i
		}
	}
	return first
}

func (s *Strike) strikes(who string) bool { return !s.Idle && slices.Contains(s.Hosts, who) }

func (s *Strike) lasted() time.Duration { return s.To.Sub(s.From) }
