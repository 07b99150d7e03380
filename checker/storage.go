package checker

import (
	"cmp"
	"slices"
)

var storage = Property{
	Name: "storage", Conflict: "update lost", Loses: true,
	Plain: "No lost update", Asks: "Is an update lost if storage accepts every write?",
	Broken: "An update was lost.", Fixed: "No update is lost.",
	find:     func(j *Judge) (Witness, bool) { return j.lost(plainChange) },
	sentence: func(e *Evidence, w Witness) string { return e.lossSentence(w, plainChange) },
	summary:  (*Evidence).lossSummary,
	argument: func(e *Evidence, w Witness) []string { return e.lossArgument(w, false) },
	kept:     (*Evidence).storageKept,
	story:    (*Story).updates,
	vacuous:  func(e *Evidence) string { return e.unwritten(plainChange) },
}

var fenced = Property{
	Name: "fenced", Conflict: "fenced update lost", Loses: true,
	Plain: "No lost update with fencing", Asks: "Is an update lost although storage checks tokens?",
	Broken: "An update was lost despite fencing.", Fixed: "Fencing saves every update.",
	find: func(j *Judge) (Witness, bool) { return j.lost(fencedChange) },
	sentence: func(e *Evidence, w Witness) string {
		return "In fenced storage, " + e.lossSentence(w, fencedChange)
	},
	summary:  func(e *Evidence, w Witness) string { return e.lossSummary(w) + ", despite fencing" },
	argument: func(e *Evidence, w Witness) []string { return e.lossArgument(w, true) },
	story:    (*Story).updates,
	vacuous:  (*Evidence).unfenced,
}

func plainChange(u Update) Change { return u.Plain }

func fencedChange(u Update) Change { return u.Fenced }

// rejected reports whether only the plain register applied the update.
func (u Update) rejected() bool { return u.Plain.Made != 0 && u.Fenced.Made == 0 }

// unwritten returns that no update was applied, so that none could be lost; "" if one was.
func (e *Evidence) unwritten(in func(Update) Change) string {
	if slices.ContainsFunc(e.Writes, func(u Update) bool { return in(u).Made != 0 }) {
		return ""
	}
	return "nothing was written"
}

// unfenced returns that fencing had nothing to check: no update was applied, or storage compares tokens and no write
// had one; "" if it had.
func (e *Evidence) unfenced() string {
	if e.Guard != ByOrder || slices.ContainsFunc(e.Writes, func(u Update) bool { return u.Fence != 0 }) {
		return e.unwritten(fencedChange)
	}
	return cmp.Or(e.unwritten(plainChange), "no write had a fencing token")
}

// lost finds the first update that overwrites others that it has not seen: it is based on a version older than the
// current one, so all versions in between are lost. First is the earliest of them. A write that the register rejected
// does nothing there, so it loses nothing and cannot be lost.
//
// It is exact: while every update is based on the version before it, each version contains all earlier ones, and
// nothing is lost. The first update that is not is the first to lose something. The order is that in which storage
// handled the writes. It does not matter whether a client learned that its write was applied.
//
// The interval runs from the lost update to the one that overwrote it.
func (j *Judge) lost(in func(Update) Change) (Witness, bool) {
	current := uint64(0)
	for i, u := range j.e.Writes {
		c := in(u)
		if c.Made == 0 {
			continue
		}
		if c.Base < current {
			first := slices.IndexFunc(j.e.Writes, func(u Update) bool { return in(u).Made > c.Base })
			return Witness{First: first, Second: i, From: j.e.Writes[first].At, To: u.At}, true
		}
		current = c.Made
	}
	return Witness{}, false
}

func (s *Story) updates() {
	s.update(s.w.First)
	s.update(s.w.Second)
}

// lossSummary returns: c1 overwrites an update of c2 that it has not seen
func (e *Evidence) lossSummary(w Witness) string {
	return say("%v overwrites an update of %v that it has not seen", &e.Writes[w.Second], &e.Writes[w.First])
}

// lossSentence returns: c2's update (version 1, token 34), applied at 10.9s, was overwritten at 15s by c1 (token 33), …
func (e *Evidence) lossSentence(w Witness, in func(Update) Change) string {
	lost, over := &e.Writes[w.First], &e.Writes[w.Second]
	was, is := in(*lost), in(*over)
	more := ""
	if lastLost := is.Made - 1; lastLost > was.Made {
		more = say(", with all up to version %d,", lastLost)
	}
	return say("%v's update (version %d%v), applied at %v, was overwritten%v at %v by %v%v, which had read version %d",
		lost, was.Made, fence(", ", lost.Fence, ""), lost.At, more,
		over.At, over, fence(" (", over.Fence, ")"), is.Base)
}

// lossArgument says why a write based on an old version was applied.
func (e *Evidence) lossArgument(w Witness, fenced bool) []string {
	lost, over := &e.Writes[w.First], &e.Writes[w.Second]
	sentences, entitled := e.sendingArgument(over)
	if entitled {
		first, also := e.sendingArgument(lost)
		if sentences = append(sentences, first...); also {
			sentences = append(sentences, "So both were sent and applied under a valid lock, "+
				"and it is the lock that did not keep the two updates apart.")
			sentences = append(sentences, e.bothHeldArgument(lost, over)...)
		}
	}
	switch {
	case fenced:
		return append(sentences, e.appliedSentence(lost, over))
	case over.Fenced.Made == 0:
		return append(sentences, "Plain storage accepts every write. "+e.refusalSentence(over))
	}
	return sentences
}

// bothHeldArgument explains how the clients of two writes held the lock at the same time, if they did.
func (e *Evidence) bothHeldArgument(a, b *Update) []string {
	first, second := e.holdAt(a.Client, e.History[a.Op].Time), e.holdAt(b.Client, e.History[b.Op].Time)
	if first < 0 || second < 0 {
		return nil
	}
	if e.Holds[second].From < e.Holds[first].From {
		first, second = second, first
	}
	if at := e.Holds[second].From; at < e.Holds[first].Gone {
		return e.overlapArgument(Witness{First: first, Second: second, From: at})
	}
	return nil
}

// refusalSentence says why the fenced register rejected a write.
func (e *Evidence) refusalSentence(u *Update) string {
	switch e.Guard {
	case ByEquality:
		return "Storage that compares random tokens rejected this write, because the last read had brought another token."
	case ByVersion:
		return "Storage that compares versions rejected this write, because it was based on an outdated version."
	}
	return say("Storage that checks fencing tokens rejected this write, because its token, %d, was too old.",
		u.Fence)
}

// appliedSentence says why the fenced register applied a write that overwrites another.
func (e *Evidence) appliedSentence(lost, over *Update) string {
	switch {
	case over.Asked:
		return "Storage had been asked about this write before, and when it came it did not look again. " +
			"Broken rule: storage checks and writes in one step."
	case e.Guard != ByOrder:
		return "Storage accepted it anyway. Broken rule: storage rejects stale writes."
	case over.Fence == lost.Fence:
		return say("Fencing did not help: both writes carried token %d. Broken rule: tokens rise with each grant.",
			over.Fence)
	case over.Fence > lost.Fence:
		return say("Fencing did not help: storage accepted the write with token %d, because it had not seen the larger "+
			"token %d by then. Broken rule: storage sees each token before an older holder writes, so reads carry tokens too.",
			lost.Fence, over.Fence)
	}
	return say("The write carried token %d, smaller than %d, and was applied anyway. "+
		"Broken rule: storage rejects such a token.", over.Fence, lost.Fence)
}

// sendingArgument describes whether a write's client was entitled to the lock when it sent the write and when it
// arrived. It reports whether the client was entitled from then till then.
func (e *Evidence) sendingArgument(u *Update) (sentences []string, entitled bool) {
	if !e.sent(u) {
		return nil, false
	}
	who, sent := client(u.Client), e.History[u.Op].Time
	hold := e.holdAt(u.Client, sent)
	did := say("sent its write at %v, ", sent)
	passed := "Looking at a clock before sending can't help: the time passed on the way"
	if u.Asked {
		did = say("asked at %v whether storage would accept its write, ", sent)
		passed = "The time passed between the question and the write"
	}
	began := who + " " + did
	if hold < 0 {
		return []string{began + "without ever having held the lock."}, false
	}
	end, h := e.entitledUntil(hold, sent), &e.Holds[hold]
	switch {
	case end <= h.From:
		return []string{say("%vthough its validity had ended by the time its acquire returned, at %v%v.",
			began, h.From, e.faultOn(who, e.begun(h), h.From)), e.endedInAcquireStep()}, false
	case end <= sent:
		return []string{say("%v should have stopped: it %v%v after its validity had ended at %v%v.",
			u, did, sent.Sub(end), end, e.faultOn(who, end, sent))}, false
	case end <= u.At:
		return []string{say("%vwhile it still had %v of its validity, and it arrived at %v, %v after that had ended.",
			began, end.Sub(sent), u.At, u.At.Sub(end)), passed + e.faultOn(who, sent, u.At) + "."}, false
	}
	return []string{say("%vand it arrived at %v, while its validity still ran to %v.", began, u.At, end)}, true
}

// storageKept says why no update was lost: who held the lock and did not write, and that each write was based on the
// version before it.
func (e *Evidence) storageKept() (all []string) {
	for i := range e.Holds {
		if !slices.ContainsFunc(e.Writes, func(u Update) bool { return e.holdAt(u.Client, e.invoked(&u)) == i }) {
			all = append(all, e.stoppedClause(i)+", and no write of that hold reached storage.")
		}
	}
	if len(e.Writes) > 1 {
		all = append(all, "Each write that reached storage was based on the version before it.")
	}
	return append(all, e.beliefKept()...)
}
