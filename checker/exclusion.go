package checker

import (
	"cmp"
	"slices"
	"strings"

	"github.com/lockstorm/lockstorm/clock"
)

// uncontested returns that no two clients held the lock; "" if two did.
func (e *Evidence) uncontested() string {
	if len(e.Holds) == 0 {
		return "no client had the lock"
	}
	if slices.ContainsFunc(e.Holds, func(h Hold) bool { return h.Client != e.Holds[0].Client }) {
		return ""
	}
	return say("%v alone had the lock", client(e.Holds[0].Client))
}

var belief = Property{
	Name: "belief", Conflict: "two holders", find: (*Judge).belief, vacuous: (*Evidence).uncontested,
	Plain: "One acting holder", Asks: "Do two clients act as holder together?",
	Broken: "Two clients acted as holder at the same time.", Fixed: "Only one client acts as holder.",
	sentence: func(e *Evidence, w Witness) string {
		return say("%v both %v and %v acted as holder", interval(w), e.holder(w.First), e.holder(w.Second))
	},
	summary: func(e *Evidence, w Witness) string {
		return say("%v and %v both act as holder", &e.Holds[w.First], &e.Holds[w.Second])
	},
	argument: (*Evidence).overlapArgument, story: (*Story).both, kept: (*Evidence).beliefKept,
}

var validity = Property{
	Name: "validity", Conflict: "two windows", find: (*Judge).validity, vacuous: (*Evidence).uncontested,
	Plain: "One valid lock", Asks: "Do two validity windows overlap?",
	Broken: "The lock was valid for two clients at the same time.",
	Fixed:  "The lock is valid for one client at a time.",
	sentence: func(e *Evidence, w Witness) string {
		return say("%v the validity windows of %v and %v overlapped",
			interval(w), e.holder(w.First), e.holder(w.Second))
	},
	summary: func(e *Evidence, w Witness) string {
		return say("the computed validity of %v and that of %v overlap", &e.Holds[w.First], &e.Holds[w.Second])
	},
	argument: (*Evidence).overlapArgument, story: (*Story).both, kept: (*Evidence).validityKept,
}

// belief looks for two different clients whose beliefs [From, Gone) overlap, unless both share the lock. Two holds of
// one client are no conflict: a client is one thread of control, and acquires again only after its belief has ended.
func (j *Judge) belief() (Witness, bool) {
	j.windows = j.beliefs(j.windows[:0])
	return j.overlap()
}

// validity looks for two different clients whose computed windows overlap, from their acquires and their successful
// renewals. It does not matter whether either client acted as holder, because the computation itself is judged.
func (j *Judge) validity() (Witness, bool) {
	j.windows = j.validities(j.windows[:0])
	return j.overlap()
}

// overlap finds the first overlap of two clients' windows, unless both belong to holds that share the lock. They must
// be in j.windows, in order and not empty.
//
// It is exact although it keeps only two reaches. Windows overlap only if one starts while the other is open. A window
// of another client is open if and only if the latest end of those windows lies later. A shared one conflicts with
// those that are not shared, any other with all.
//
// Of several overlaps the one that starts first counts, then the one with the earlier Second, then the earlier First.
func (j *Judge) overlap() (Witness, bool) {
	var open reaches
	for i, w := range j.windows {
		shared := j.e.Holds[w.index].Shared
		if open.inTheWay(w.client, shared) > w.from {
			return j.firstOver(j.windows[:i], w), true
		}
		open.add(w, shared)
	}
	return Witness{}, false
}

// firstOver returns the witness for w and the first of the earlier windows that conflicts with it and is open when it
// starts.
func (j *Judge) firstOver(earlier []window, w window) Witness {
	i := slices.IndexFunc(earlier, func(v window) bool {
		return v.client != w.client && v.until > w.from && !(j.e.Holds[v.index].Shared && j.e.Holds[w.index].Shared)
	})
	v := earlier[i]
	return Witness{First: v.index, Second: w.index, From: w.from, To: min(v.until, w.until)}
}

// overlapArgument says why a second client could get the lock. It serves belief and validity, and storage.
func (e *Evidence) overlapArgument(w Witness) []string {
	for _, i := range []int{w.First, w.Second} {
		h := &e.Holds[i]
		if end := e.entitledUntil(i, w.From); end <= w.From {
			return e.overstayedArgument(h, end, w.From)
		}
	}
	a, b := &e.Holds[w.First], &e.Holds[w.Second]
	sentences := []string{say("%v was granted the lock while %v still had %v of its validity, by its own clock.",
		b, a, e.entitledUntil(w.First, w.From).Sub(w.From))}
	for _, h := range []*Hold{a, b} {
		if short := e.outvotedArgument(h); short != "" {
			return append(sentences, short)
		}
	}
	first, second := e.granted(a), e.granted(b)
	if e.alone() != "" && len(first) > 0 && len(second) > 0 {
		return append(sentences, e.secondGrantArgument(w, first[0], second[0])...)
	}
	return append(sentences, e.doubleVoteArgument(w, first, second)...)
}

// overstayedArgument describes a hold whose client acted as holder after its validity.
func (e *Evidence) overstayedArgument(h *Hold, end, t clock.Instant) []string {
	who := client(h.Client)
	if end <= h.From {
		return []string{say("%v's validity had ended at %v, by the time its acquire returned%v.",
			h, end, e.faultOn(who, e.begun(h), h.From)),
			e.endedInAcquireStep()}
	}
	return []string{
		say("%v was no longer entitled to the lock: its validity had ended at %v, %v before, by its own clock.",
			h, end, t.Sub(end)),
		say("So %v could grant it to another client. %v should have stopped when its validity ended%v.",
			cmp.Or(e.alone(), "the nodes"), h, e.faultOn(who, end, t))}
}

// endedInAcquireStep names the step that lets a client hold a lock whose validity ended while it was acquired.
func (e *Evidence) endedInAcquireStep() string {
	if e.alone() != "" {
		return "The client should have rejected a lock whose validity had ended when its acquire returned."
	}
	return "The third step failed: a client subtracts the time of its acquire from the validity, " +
		"and rejects a lock if nothing is left."
}

// outvotedArgument describes a hold that never had a majority, or had lost it to expiry when its acquire returned; ""
// for any other.
func (e *Evidence) outvotedArgument(h *Hold) string {
	votes := e.granted(h)
	living := count(votes, func(s *Span) bool { // or taken away: only a time to live is the client's to reckon with
		return s.To >= h.From || s.Ended.Cause != Expired && s.Ended.Cause != Stepped
	})
	all, enough, alone := len(e.Lanes), Majority(len(e.Lanes)), e.alone()
	switch {
	case all == 0 || living >= enough:
		return ""
	case alone != "" && len(votes) == 0:
		return e.neverGrantedArgument(h)
	case alone != "":
		return say("When the acquire of %v returned, %v no longer had its key%v", h, alone, e.endingSentence(votes[0])) +
			" Broken rule: a client counts on a key only while it lives."
	case len(votes) < enough:
		return say("Only %d of %d nodes had granted %v the lock by then. "+
			"Broken rule: an acquire takes at least %d votes.", len(votes), all, h, enough)
	}
	return say("When the acquire of %v returned, %d of %d nodes still had its key, and %d are needed. "+
		"Broken rule: a vote counts only while its key lives.",
		h, living, all, enough)
}

// doubleVoteArgument names the first node that granted both, and why its first key went.
func (e *Evidence) doubleVoteArgument(w Witness, first, second []*Span) []string {
	for _, s := range second {
		i := slices.IndexFunc(first, func(v *Span) bool {
			return v.Lane == s.Lane && v.From < s.From && v.To <= s.From
		})
		if i < 0 {
			continue
		}
		v := first[i]
		return []string{
			say("Two majorities of %d nodes share a node. %v had the key of %v from %v%v%v",
				len(e.Lanes), e.lane(s.Lane), e.owner(w.First), v.From, to(v.To), e.endingSentence(v)) +
				say(" Then, at %v, %v set its own.", s.From, e.owner(w.Second)),
			e.failedSentence(v, w.First, e.entitledUntil(w.First, s.From))}
	}
	return []string{"No node that granted both is seen to have given up the first key before."}
}

// secondGrantArgument says how the one server granted both: v is the key of the first hold, and s of the second.
func (e *Evidence) secondGrantArgument(w Witness, v, s *Span) []string {
	alone := sentence(e.alone())
	return []string{
		say("%v held the lock for %v from %v%v%v", alone, e.owner(w.First), v.From, to(v.To), e.endingSentence(v)) +
			say(" %v held the lock for %v from %v on.", alone, e.owner(w.Second), s.From),
		e.failedSentence(v, w.First, e.entitledUntil(w.First, s.From))}
}

// beliefKept says how close two clients were to a joint hold, and which never asked for the lock.
func (e *Evidence) beliefKept() (all []string) {
	switch a, b := e.closest(); {
	case len(e.Holds) == 0:
		all = []string{"No client ever had the lock."}
	case a < 0:
		all = []string{"No client had the lock after another: " + e.owner(0) + " alone had it."}
	case e.Holds[b].From >= e.Holds[a].Gone:
		all = []string{say("%v, and %v had the lock %v later.",
			e.stoppedClause(a), e.owner(b), e.Holds[b].From.Sub(e.Holds[a].Gone))}
	}
	return slices.Concat(e.outlivedSentence(), all, e.abstainersSentence())
}

func (e *Evidence) validityKept() []string {
	a, b := e.closest()
	if a < 0 {
		return e.beliefKept()
	}
	end := e.entitledUntil(a, e.Holds[b].From)
	gap := say("The validity of %v had ended at %v, and %v had the lock at %v.",
		e.owner(a), end, e.owner(b), e.Holds[b].From)
	return slices.Concat(e.outlivedSentence(), []string{gap}, e.abstainersSentence())
}

// outlivedSentence names the longest fault on a client that held the lock, if it had ended before the validity of that
// client: no other client could get the lock meanwhile.
func (e *Evidence) outlivedSentence() []string {
	longest, hold := -1, -1
	for i, s := range e.Strikes {
		h := e.latestHold(s.From)
		held := h >= 0 && s.From < e.Holds[h].Gone && s.strikes(e.owner(h))
		if held && (longest < 0 || s.lasted() > e.Strikes[longest].lasted()) {
			longest, hold = i, h
		}
	}
	if longest < 0 || e.Strikes[longest].To >= e.entitledUntil(hold, e.Strikes[longest].From) {
		return nil
	}
	s := &e.Strikes[longest]
	return []string{say("%q was over at %v, before the validity of %v had ended: it was still the holder.",
		s.Fault, s.To, e.owner(hold))}
}

func (e *Evidence) stoppedClause(hold int) string {
	h := &e.Holds[hold]
	who, at := client(h.Client), " at "+seconds(h.Gone)
	switch released := e.released(h); {
	case h.Crashed:
		return who + " crashed" + at
	case h.Gone < released && released != clock.Forever:
		return who + " gave up" + at + ", as its validity had passed"
	}
	return who + " released the lock" + at
}

// abstainersSentence names the clients, other than the holder, that never asked for the lock after the first fault had
// hit.
func (e *Evidence) abstainersSentence() []string {
	strike := e.firstStrike()
	if strike < 0 {
		return []string{"No fault touched anything."}
	}
	at, holder := e.Strikes[strike].From, e.latestHolder(e.Strikes[strike].From)
	var names []string
	for c := range e.Clients {
		if c != holder && !slices.ContainsFunc(e.Tries, func(t Try) bool { return t.Client == c && t.To > at }) {
			names = append(names, client(c))
		}
	}
	if len(names) == 0 {
		return nil
	}
	return []string{say("%v never asked for the lock after %v, when the first fault hit.",
		strings.Join(names, " and "), at)}
}
