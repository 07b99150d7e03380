package checker

import "github.com/lockstorm/lockstorm/clock"

// quorum looks for a hold whose token lacks a majority of nodes at some instant of its validity: of the window that its
// acquire computed, or of one that a renewal did.
// What would have come after End was never seen and is not judged. A run without lock nodes has no quorum to lose.
//
// It is exact: the number of nodes that have a token changes only at the edges of that token's spans, so the maximal
// intervals with a majority follow from one sweep over them, and a window is good if and only if it lies within one. The
// windows of a hold are maximal, so the first lack within one of them is as long as it can be.
func (j *Judge) quorum() (Witness, bool) {
	j.keys()
	j.windows = j.validities(j.windows[:0])
	return j.firstLack()
}

// firstLack finds the first instant within any of the windows at which its hold's token has no majority.
func (j *Judge) firstLack() (Witness, bool) {
	best, found := Witness{}, false
	if j.e.Nodes <= 0 {
		return best, found
	}
	for _, w := range j.windows {
		w.until = min(w.until, j.e.End)
		gap, lacks := j.lack(j.id(j.e.Holds[w.index].Token), w)
		if !lacks {
			continue
		}
		if !found || gap.from < best.From || gap.from == best.From && gap.index < best.First {
			best, found = Witness{Kind: QuorumShort, First: gap.index, From: gap.from, To: gap.until}, true
		}
	}
	if found {
		best.Second = j.e.lastEnd(j.e.Holds[best.First].Token, best.From)
	}
	return best, found
}

// lastEnd gives the index of the span of this token that was the last to end at or before t, or -1: the node that most
// likely made the difference. Of spans that end together it gives the first in the list.
func (e *Evidence) lastEnd(token string, t clock.Instant) int {
	last := -1
	for i := range e.Keys {
		s := &e.Keys[i]
		if s.Token == token && s.From < s.To && s.To <= t && (last < 0 || s.To > e.Keys[last].To) {
			last = i
		}
	}
	return last
}
