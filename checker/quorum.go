package checker

import "cmp"

var quorum = Property{
	Name: "quorum", Conflict: "quorum short", find: (*Judge).quorum,
	Plain:  "Majority kept",
	Asks:   "Does a majority, or the service that grants the lock, store the key throughout the validity?",
	Broken: "A valid lock lost its majority.", Fixed: "Valid locks keep their majority.",
	sentence: (*Evidence).quorumSentence,
	summary: func(e *Evidence, w Witness) string {
		if alone := e.alone(); alone != "" {
			return alone + " no longer has the key that " + e.owner(w.First) + " counts on"
		}
		return "too few nodes have the key that " + e.owner(w.First) + " counts on"
	},
	argument: (*Evidence).quorumArgument,
	story: func(s *Story) {
		s.hold(s.w.First)
		s.keys(s.w.First)
	},
}

// quorum looks for a hold whose token lacks a majority of lanes at some instant of its validity: of the window that its
// acquire computed, or of one that a renewal did. Nothing after End was seen, so it is not judged. A run without lanes
// has no quorum to lose.
//
// It is exact: the number of lanes that have a token changes only at the edges of that token's spans. So those edges
// show the maximal intervals with a majority, and a window keeps the promise if and only if it lies within one. The
// windows of a hold are maximal, so the first lack within one of them is as long as it can be.
func (j *Judge) quorum() (Witness, bool) {
	j.keys()
	j.windows = j.validities(j.windows[:0])
	return j.firstLack()
}

// firstLack finds the first instant within any of the windows at which its hold's token has no majority.
func (j *Judge) firstLack() (Witness, bool) {
	best, found := Witness{}, false
	if len(j.e.Lanes) <= 0 {
		return best, found
	}
	for _, w := range j.windows {
		w.until = min(w.until, j.e.End)
		gap, lacks := j.lack(j.id(j.e.Holds[w.index].Token), w)
		if !lacks {
			continue
		}
		if !found || gap.from < best.From || gap.from == best.From && gap.index < best.First {
			best, found = Witness{First: gap.index, From: gap.from, To: gap.until}, true
		}
	}
	if found {
		best.Second = j.e.lastEnd(j.e.Holds[best.First].Token, best.From)
	}
	return best, found
}

// quorumSentence returns: From 3s to 9s fewer than 3 of 5 nodes (2 at first) held the key of c1 (token 33), …
func (e *Evidence) quorumSentence(w Witness) string {
	valid := e.validity(w.First, w.From)
	if alone := e.alone(); alone != "" {
		return say("%v %v did not hold the lock for %v, whose validity ran from %v%v",
			interval(w), alone, e.holder(w.First), valid.from, to(valid.until))
	}
	text := say("%v fewer than %d of %d nodes (%d at first) held the key of %v, whose validity ran from %v%v",
		interval(w), Majority(len(e.Lanes)),
		len(e.Lanes), e.nodesWith(e.Holds[w.First].Token, w.From), e.holder(w.First), valid.from, to(valid.until))
	if w.Second < 0 {
		return text
	}
	s := &e.Keys[w.Second]
	return say("%v; the last key to go was that on %v, at %v", text, e.lane(s.Lane), s.To)
}

// quorumArgument says which keys of a hold went before its validity ended.
func (e *Evidence) quorumArgument(w Witness) []string {
	h, end := &e.Holds[w.First], e.validity(w.First, w.From).until
	if e.alone() != "" && len(e.granted(h)) == 0 {
		return []string{e.neverGrantedArgument(h)}
	}
	sentences := []string{say("%v was entitled until %v, by its own clock.", h, end)}
	gone, step, plain := 0, "", true
	for _, s := range e.granted(h) {
		if s.To > w.From {
			continue
		}
		gone++
		before := "."
		if s.To < end {
			late := s.Ended.Cause == Expired && !s.early(end)
			if step == "" || plain && !late { // a key that was taken explains more than one that expired
				step, plain = e.failedSentence(s, w.First, end), late
			}
			before = say(", %v before that%v", end.Sub(s.To), e.endingSentence(s))
		}
		sentences = append(sentences, say("%v had its key from %v%v%v", e.lane(s.Lane), s.From, to(s.To), before))
	}
	if gone == 0 {
		sentences = append(sentences, "No node is known to have lost its key: too few had it from the beginning.")
	}
	return append(sentences, cmp.Or(step, "Broken rule: a valid lock has the votes of a majority."))
}
