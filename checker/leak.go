package checker

import (
	"slices"

	"github.com/lockstorm/lockstorm/clock"
)

// leakFree looks for a lock key that nobody answers for any longer.
//
// The owner of a span is the last Try with its token that began before the span ended. A key is leaked when it lives
// past the Left of its owner, and either
//   - it has no TTL, so that it would stay for ever; or
//   - its owner was told by every node that the key is gone (Clean), and yet there it is, TTL or not.
//
// So a key that a release could not reach and that dies by its TTL is no leak: that is what a TTL is for. And a token that
// is used again by a later Try is judged by that Try, which has taken the key over.
//
// An owner that never Left was still at it when the run ended. In a run that came to its own end nobody was: its clients
// had finished or were dead. There a key without TTL that lives past End is leaked too, whoever owned it, even nobody.
// In a run that was cut short the owner might have come back to it.
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

// leak judges one span.
func (j *Judge) leak(p piece) (Witness, bool) {
	owner := j.owner(p)
	left, clean := clock.Forever, false
	if owner >= 0 {
		left, clean = j.e.Tries[owner].Left, j.e.Tries[owner].Clean
	}
	if left == clock.Forever && j.e.Cut == "" {
		left, clean = j.e.End, false
	}
	w := Witness{Kind: KeyLeaked, First: p.index, Second: owner, From: max(left, p.from), To: p.until}
	return w, p.until > left && (clean || j.e.Keys[p.index].Endless)
}

// owner gives the index of the last Try with the piece's token that began before the piece ended, or -1.
func (j *Judge) owner(p piece) int {
	tries := j.owners.of(p.token)
	end, _ := slices.BinarySearchFunc(tries, p.until, func(t piece, until clock.Instant) int {
		if t.from < until {
			return -1
		}
		return 1
	})
	if end == 0 {
		return -1
	}
	return tries[end-1].index
}
