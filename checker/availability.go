package checker

import (
	"slices"

	"github.com/lockstorm/lockstorm/clock"
)

// A Stretch is an interval of true time.
type Stretch struct {
	From, To clock.Instant
}

// Unavailable gives the maximal intervals within [0, End) in which no client held the lock, by belief or by validity, and
// none could have been granted it: for none was a majority of nodes both in touch and free of any live key. They are in
// order, and valid until the next call. Without clients or nodes there are none.
func (j *Judge) Unavailable(e *Evidence) []Stretch {
	j.open(e)
	defer j.close()
	if j.refused {
		return nil
	}
	return j.unavailable()
}

// unavailable is exact: each of what counts changes only at the edges of spans, outages and holds. For each client the
// nodes that would not grant it are counted, from one sweep. It is shut out while they are too many, and all clients are
// while as many are shut out as there are. The times in which somebody holds are joined into one after another, and each
// takes one away from that sum, so that it is reached only where nobody holds.
//
// A client that was never out of touch can be granted the lock whenever another can. If there is one it speaks for all.
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

// shutOut puts into turns where each client is shut out and where no longer, and gives how many there are of them.
func (j *Judge) shutOut() (all int) {
	j.part()
	j.turns, j.pieces = j.turns[:0], j.pieces[:0]
	for i := range j.e.Keys {
		if s := &j.e.Keys[i]; s.From < s.To {
			j.pieces = append(j.pieces, piece{node: s.Lane, index: i, from: s.From, until: s.To})
		}
	}
	if j.oneInTouch() {
		j.shut(nil)
		return 1
	}
	for c := range j.e.Clients {
		j.shut(j.outs.of(c))
	}
	return j.e.Clients
}

// oneInTouch says whether some client was never out of touch with any node.
func (j *Judge) oneInTouch() bool {
	if len(j.e.Outages) == 0 {
		return true
	}
	for c := range j.e.Clients {
		if len(j.outs.of(c)) == 0 {
			return true
		}
	}
	return false
}

// shut puts into turns where keys, and the outages of a client, leave it no majority of nodes.
func (j *Judge) shut(outages []piece) {
	j.spare = append(append(j.spare[:0], j.pieces...), outages...)
	slices.SortFunc(j.spare, inGroup)
	j.collect(j.spare)
	j.runs = atLeast(tooMany(len(j.e.Lanes)), j.edges, j.runs[:0])
	for _, w := range j.runs {
		j.turns = append(j.turns, edge{w.from, 1}, edge{w.until, -1})
	}
}
