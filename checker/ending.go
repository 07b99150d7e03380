package checker

import (
	"cmp"
	"time"

	"github.com/lockstorm/lockstorm/clock"
)

// This file describes why a key went, and which step of the algorithm that defeated. It quotes what the key's lane recorded.

// begun returns when the attempt began that won a hold or, if that is not known, when its acquire returned.
func (e *Evidence) begun(h *Hold) clock.Instant {
	if h.Try < 0 || h.Try >= len(e.Tries) {
		return h.From
	}
	return e.Tries[h.Try].From
}

// entitledUntil returns the end of the last of a hold's validity windows that began by some time.
func (e *Evidence) entitledUntil(hold int, by clock.Instant) clock.Instant {
	end := e.Holds[hold].Valid
	for i := range e.Renewals {
		if r := &e.Renewals[i]; r.Hold == hold && r.OK && r.At <= by {
			end = max(end, r.Valid)
		}
	}
	return end
}

// granted returns the first key that each lane had for a hold by the time its acquire returned, in the order of the lanes.
// A key that was gone before the attempt began belongs to an earlier hold: some clients use one name for all.
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

// timed reports whether the key ended because its time to live had passed, by its lane's clock.
func (s *Span) timed() bool { return s.Ended.Cause == Expired || s.Ended.Cause == Stepped }

// endingClause returns why a key went, as text to follow a colon; empty if that is not on record.
func (e *Evidence) endingClause(s *Span) string {
	by := "a command"
	if s.Ended.Client >= 0 {
		by = client(s.Ended.Client)
	}
	switch lane := e.lane(s.Lane); s.Ended.Cause {
	case Expired:
		if s.Ended.Gained < time.Microsecond {
			return "it expired"
		}
		return "it expired by the clock of " + lane + ", which had gained " + seconds(clock.Instant(s.Ended.Gained))
	case Stepped:
		return "the clock of " + lane + " jumped over its deadline"
	case Deleted:
		return by + " deleted it"
	case Overwritten:
		return by + " set its own key over it"
	case Failed:
		return by + " made a mistake, and that ended its session"
	case Lost:
		return lane + " forgot it"
	case Copied:
		return "its master had removed it"
	case Superseded:
		return "another server became master, which did not have it"
	}
	return ""
}

// endingSentence returns why a key went, as the end of a sentence: a colon, the reason with the fault that is on record for
// it, and a full stop.
func (e *Evidence) endingSentence(s *Span) string {
	switch s.Ended.Cause {
	case Expired, Stepped, Lost:
		if s.Ended.Cause != Expired || s.Ended.Gained >= time.Microsecond {
			return e.endingSuffix(s) + mention(s.Ended.Strike) + "."
		}
	}
	return e.endingSuffix(s) + "."
}

// endingSuffix returns a colon and why a key went, to follow the statement that it did; "" if that is not on record.
func (e *Evidence) endingSuffix(s *Span) string {
	if why := e.endingClause(s); why != "" {
		return ": " + why
	}
	return ""
}

// early reports whether the lane ended a key of a hold so much before its time that the hold's validity lasted longer. Had
// its clock run true, it would have kept the key until then.
func (s *Span) early(end clock.Instant) bool {
	return s.Ended.Cause == Stepped || s.Ended.Gained > 0 && s.Ended.Gained >= end.Sub(s.To)
}

// defeatedSentence returns a sentence about the step of the algorithm that was defeated when a key of a hold went before the
// hold's validity had ended.
func (e *Evidence) defeatedSentence(s *Span, hold int, end clock.Instant) string {
	const step = "The step that was defeated is "
	alone := e.alone()
	switch {
	case s.Ended.Cause == Unrecorded:
		return "What ended the key is not on record."
	case s.Ended.Cause == Overwritten:
		return step + "the acquire: to set a key only where there is none."
	case s.Ended.Cause == Deleted && s.Ended.Client == e.Holds[hold].Client, s.Ended.Cause == Failed:
		return step + "the client's own: to count on no key that it has ended itself."
	case s.Ended.Cause == Deleted:
		return step + "the release: to remove a key only if it is the client's own."
	case s.Ended.Cause != Expired || s.early(end):
		keep := step + cmp.Or(alone, "the node") + "'s: to keep a key until its time to live has passed"
		if alone != "" {
			return keep + "."
		}
		return keep + ", so that it votes once."
	case alone != "":
		return e.slowClockSentence(hold) + step + "that a hold ends for its client before it ends for " + alone + "."
	}
	return e.slowClockSentence(hold) + step + "the sum for the validity: it should end before the first of the keys that it counts on."
}

// slowClockSentence returns a sentence if the clock that a hold's validity counts on ran slow, and "" if not.
func (e *Evidence) slowClockSentence(hold int) string {
	h := &e.Holds[hold]
	if h.Slow < time.Microsecond {
		return ""
	}
	return "The clock of " + client(h.Client) + " had lost " + seconds(clock.Instant(h.Slow)) + mention(h.Slowed) + ". "
}

// neverGrantedArgument describes a hold that the one lane never granted. Either something else granted it, such as a server that was
// master before and does not know that another is now, or its client only believed so.
func (e *Evidence) neverGrantedArgument(h *Hold) string {
	return sentence(e.alone()) + " never held the lock for " + client(h.Client) + ", whose acquire returned all the same. The step that " +
		"was defeated is that the lock is had from " + e.alone() + " alone."
}
