package checker

import (
	"sort"

	"github.com/lockstorm/lockstorm/clock"
)

var leakFree = Property{
	Name: "leak-free", Conflict: "key leaked", find: (*Judge).leakFree,
	Plain: "No leftover key", Asks: "Does a key outlive its release, or lack a TTL?",
	Broken: "A key was left behind.", Fixed: "No key is left behind.",
	sentence: (*Evidence).leakFreeSentence,
	summary: func(e *Evidence, w Witness) string {
		lane := e.lane(e.Keys[w.First].Lane)
		if w.Second < 0 {
			return lane + " has a key whose owner is not known"
		}
		return lane + " still has a key that " + client(e.Tries[w.Second].Client) + " is done with"
	},
	argument: (*Evidence).leakFreeArgument,
	story: func(s *Story) {
		s.leak(s.w.First, s.w.Second)
		s.last(s.w.First)
	},
}

// leakFree looks for a lock key that outlives what its owner did with it.
//
// The owner of a span is the last Try with its token that began before the span ended. A key is leaked when it lives
// past the Left of its owner, and either
//   - it has no TTL, so that it would stay for ever; or
//   - no node failed to acknowledge its owner's release (Clean), perhaps because no node was asked for one; and the key
//     is still there, with or without a TTL.
//
// So a key that a release could not reach and that ends by its TTL is no leak: a TTL is there for that. If a later Try
// uses a token again, it has taken the key over, and the key is judged by that Try.
//
// An owner that never Left was still active when the run ended. In a run that was not cut short every client had
// finished or was dead. There a key without TTL that lives past End is leaked too, even one without an owner. In a run
// that was cut short the owner might still have removed it.
//
// Of several the one that was first leaked counts, then the one with the smaller index. The interval runs from the
// instant at which the key should have been gone to its end.
func (j *Judge) leakFree() (Witness, bool) {
	j.keys()
	best, found := Witness{}, false
	for _, p := range j.spans.sorted {
		w, leaked := j.leak(p)
		if leaked && (!found || w.From < best.From || w.From == best.From && w.First < best.First) {
			best, found = w, true
		}
	}
	return best, found
}

func (j *Judge) leak(p piece) (Witness, bool) {
	owner := j.owner(p)
	left, clean := clock.Forever, false
	if owner >= 0 {
		left, clean = j.e.Tries[owner].Left, j.e.Tries[owner].Clean
	}
	if left == clock.Forever && j.e.Cut == "" {
		left, clean = j.e.End, false
	}
	w := Witness{First: p.index, Second: owner, From: max(left, p.from), To: p.until}
	return w, p.until > left && (clean || j.e.Keys[p.index].Endless)
}

// owner returns the index of the last Try with the piece's token that began before the piece ended, or -1.
func (j *Judge) owner(p piece) int {
	tries := j.owners.group(p.token)
	end := sort.Search(len(tries), func(i int) bool { return tries[i].from >= p.until })
	if end == 0 {
		return -1
	}
	return tries[end-1].index
}

// leakFreeSentence says whose key stayed where, and why it should not have.
func (e *Evidence) leakFreeSentence(w Witness) string {
	s := &e.Keys[w.First]
	life := "lived on to " + seconds(s.To)
	if s.To == clock.Forever {
		life = "was never removed"
	}
	if s.Endless {
		life = "had no TTL and " + life
	}
	if w.Second < 0 {
		return say("A key on %v, set at %v by an unknown owner, %v", e.lane(s.Lane), s.From, life)
	}
	t := &e.Tries[w.Second]
	return say("A key of %v on %v, set at %v, %v%v", t, e.lane(s.Lane), s.From, life, e.ownerClause(t))
}

// ownerClause says until when the key's owner used it, as the end of a sentence.
func (e *Evidence) ownerClause(t *Try) string {
	switch {
	case t.Left == clock.Forever:
		return say(", although its owner did nothing more until the run ended at %v", e.End)
	case t.Clean:
		return say(", although its owner was done with it by %v, and no release of it was left without an answer",
			t.Left)
	}
	return say(", although its owner was done with it at %v", t.Left)
}

// leakFreeArgument explains why a key was left behind.
func (e *Evidence) leakFreeArgument(w Witness) []string {
	s := &e.Keys[w.First]
	var sentences []string
	if w.Second >= 0 {
		t := &e.Tries[w.Second]
		who := client(t.Client)
		switch {
		case t.Left == clock.Forever:
		case s.From > t.Left && e.previousSpan(s) != nil:
			return e.returnedArgument(s, who)
		case s.From > t.Left:
			sentences = append(sentences, say("The key was set %v after %v was done with it: its request came late.",
				s.From.Sub(t.Left), t))
		case t.Outcome == Won:
			sentences = append(sentences, say("%v had won the lock, and was done with it %v after the key was set.",
				t, t.Left.Sub(s.From)))
		default:
			sentences = append(sentences, say(
				"The attempt of %v had ended without the lock (%v), and so should its keys have.", t, t.Outcome))
		}
	}
	rule := "a release leaves no key of its owner on any node"
	if s.Endless {
		rule = "the command that sets a key sets its TTL too, so that it ends even if no client removes it"
	}
	fault := e.faultOn(e.lane(s.Lane), s.From, min(s.To, e.End))
	return append(sentences, say("Broken rule: %v%v.", rule, fault))
}

// returnedArgument describes a key that was released and came back, because its lane had forgotten the release.
func (e *Evidence) returnedArgument(s *Span, who string) []string {
	had, lane := e.previousSpan(s), e.lane(s.Lane)
	return []string{
		say("The key of %v was on %v before, until %v, and again from %v on%v.",
			who, lane, had.To, s.From, e.faultOn(lane, had.To, s.From)),
		say("Broken rule: %v remembers what it has acknowledged, a release too.", lane)}
}
