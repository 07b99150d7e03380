package checker

import (
	"slices"

	"github.com/lockstorm/lockstorm/clock"
)

// A Stretch is an interval of true time.
type Stretch struct {
	From, To clock.Instant
}

// unavailable returns the maximal intervals within [0, End) in which no client held the lock, by belief or by validity, and
// none could have been granted it, because no client had a majority of lanes that were in touch with it and had no live
// key. They are in order, and valid until the next call. Without clients or lanes there are none.
//
// It is exact: what counts changes only at the edges of spans, outages and holds. A client is shut out while so
// many lanes would not grant it the lock that the others are no majority. Over all clients the edges of those times are
// summed, and the sum equals the number of clients while all are shut out. Each time in which somebody holds takes one
// away from the sum, so that it gets there only where nobody holds.
//
// A client that was never out of touch can be granted the lock whenever another can. If there is one, it is enough to look
// at that one.
func (j *Judge) unavailable() []Stretch {
	if j.idled {
		return j.idle
	}
	j.idled, j.idle = true, j.idle[:0]
	if len(j.e.Lanes) <= 0 || j.e.Clients <= 0 {
		return j.idle
	}
	all := j.shutOut()
	j.windows = union(j.held(j.windows[:0]))
	for _, w := range j.windows {
		j.turns = append(j.turns, edge{w.from, -1}, edge{w.until, 1})
	}
	inTime(j.turns)
	j.runs = atLeast(all, j.turns, j.runs[:0])
	for _, w := range j.runs {
		if w.from < j.e.End {
			j.idle = append(j.idle, Stretch{w.from, min(w.until, j.e.End)})
		}
	}
	return j.idle
}

// shutOut puts into turns the edges of the times in which each client is shut out, and returns how many clients it looked
// at.
func (j *Judge) shutOut() (all int) {
	j.part()
	j.turns, j.pieces = j.turns[:0], j.pieces[:0]
	for i := range j.e.Keys {
		if s := &j.e.Keys[i]; s.From < s.To {
			j.pieces = append(j.pieces, piece{lane: s.Lane, index: i, from: s.From, until: s.To})
		}
	}
	if j.oneInTouch() {
		j.shut(nil)
		return 1
	}
	for c := range j.e.Clients {
		j.shut(j.outs.group(c))
	}
	return j.e.Clients
}

// oneInTouch reports whether some client was never out of touch with any lane.
func (j *Judge) oneInTouch() bool {
	if len(j.e.Outages) == 0 {
		return true
	}
	for c := range j.e.Clients {
		if len(j.outs.group(c)) == 0 {
			return true
		}
	}
	return false
}

// shut puts into turns the edges of the times in which keys and a client's outages leave it no majority of lanes.
func (j *Judge) shut(outages []piece) {
	j.spare = append(append(j.spare[:0], j.pieces...), outages...)
	slices.SortFunc(j.spare, inGroup)
	j.collect(j.spare)
	j.runs = atLeast(tooMany(len(j.e.Lanes)), j.edges, j.runs[:0])
	for _, w := range j.runs {
		j.turns = append(j.turns, edge{w.from, 1}, edge{w.until, -1})
	}
}
