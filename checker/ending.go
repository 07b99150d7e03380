package checker

import (
	"slices"

	"github.com/lockstorm/lockstorm/clock"
)

// begun gives the time at which the attempt began that won a hold; the time of its acquire's return if that is not
// known.
func (e *Evidence) begun(h *Hold) clock.Instant {
	if h.Try < 0 || h.Try >= len(e.Tries) {
		return h.From
	}
	return e.Tries[h.Try].From
}

// entitledUntil gives the end of the last of a hold's validity windows that began by some time.
func (e *Evidence) entitledUntil(hold int, by clock.Instant) clock.Instant {
	end := e.Holds[hold].Valid
	for i := range e.Renewals {
		if r := &e.Renewals[i]; r.Hold == hold && r.OK && r.At <= by {
			end = max(end, r.Valid)
		}
	}
	return end
}

// granted gives the first key that each node had for a hold when its acquire returned, or before, in the order of the
// nodes. One that was gone before the attempt began is of an earlier hold: some clients have one name for all.
func (e *Evidence) granted(h *Hold) (keys []*Span) {
	var begun clock.Instant
	if h.Try >= 0 && h.Try < len(e.Tries) {
		begun = e.Tries[h.Try].From
	}
	for n := range e.Nodes {
		var first *Span
		for i := range e.Keys {
			s := &e.Keys[i]
			mine := s.Node == n && s.Token == h.Token && s.From <= h.From && s.From < s.To && s.To > begun
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

// lost says how a node came to lose a key before its owner's validity had ended, and which step that defeated.
func (e *Evidence) lost(s *Span, owner int) (why, step string) {
	fault := e.taker(s)
	switch {
	case fault != nil && (s.Expired || fault.From == s.To || fault.To == s.To):
		return fault.since(s.From), "The step that was defeated is the node's: to keep a key until its time to live has passed, so that it votes once."
	case s.Expired:
		return "", "No fault of the schedule took it." + e.meanwhile(client(owner), s) + " The step that was defeated is the sum for the " +
			"validity: it should end before the first of the keys that it counts on."
	}
	return e.taken(s, owner)
}

// taken says the same of a key that did not expire, and that no fault took: so somebody did.
func (e *Evidence) taken(s *Span, owner int) (why, step string) {
	next := slices.IndexFunc(e.Keys, func(k Span) bool { return k.Node == s.Node && k.From == s.To && k.Token != s.Token && k.From < k.To })
	if next >= 0 {
		return " At that moment a key of " + e.ownerOf(e.Keys[next].Token) + " was set over it.",
			"The step that was defeated is the acquire: to set a key only where there is none."
	}
	step = "The step that was defeated is the release: to remove a key only if it is the client's own."
	if other := e.cleaning(s.To, owner); other >= 0 {
		return " When the key went, " + client(other) + " was busy with its own keys: it removes them when an attempt fails, and when " +
			"it releases.", step
	}
	return " It had not expired, and no fault of the schedule took it: it was removed.", step
}

// cleaning gives another client that may have been removing its keys at some time, in an attempt that it lost or after
// a hold; -1 for none.
func (e *Evidence) cleaning(at clock.Instant, owner int) int {
	for i := range e.Tries {
		t := &e.Tries[i]
		from := t.From
		for k := range e.Holds {
			if e.Holds[k].Try == i {
				from = e.Holds[k].Gone
			}
		}
		if t.Client != owner && t.Left != clock.Forever && from <= at && at <= t.Left {
			return t.Client
		}
	}
	return -1
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
	return "nobody known"
}

// unseen says of a hold that the service has not on its books. Then something else granted it, such as a server that was
// master before and does not know that it is so no more; or nothing did, and its client only took it so.
func (e *Evidence) unseen(h *Hold) string {
	return sentence(e.Service) + " never held the lock for " + client(h.Client) + ", whose acquire returned all the same. The step that " +
		"was defeated is that the lock is had from " + e.Service + " alone."
}

// early is the step that is defeated when a hold ends on the books while its client still counts on it: for whatever
// reason, for the books may be lost, or wrong, and the clocks may differ.
func (e *Evidence) early() string {
	return "The step that was defeated is that a hold ends for its client before it ends for " + e.Service + "."
}
