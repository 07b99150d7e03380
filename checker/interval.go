package checker

import (
	"cmp"
	"slices"
	"sort"

	"github.com/lockstorm/lockstorm/clock"
)

// A window is a half-open interval [from, until) of one client. Half-open, because a client that stops at the instant
// at which another starts has stopped: windows that touch do not overlap, and an empty one overlaps nothing.
type window struct {
	from, until   clock.Instant
	client, index int
}

// inOrder sorts windows by start and then by index, so that their order is unique.
func inOrder(ws []window) {
	slices.SortFunc(ws, func(a, b window) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.index, b.index))
	})
}

func addWindow(into []window, w window) []window {
	if w.from < w.until {
		into = append(into, w)
	}
	return into
}

// joined merges windows of the same index that overlap or touch. They must be sorted by index and start.
func joined(ws []window) []window {
	n := 0
	for _, w := range ws {
		if n > 0 && ws[n-1].index == w.index && w.from <= ws[n-1].until {
			ws[n-1].until = max(ws[n-1].until, w.until)
			continue
		}
		ws[n] = w
		n++
	}
	return ws[:n]
}

// union merges windows, of any client, into the maximal intervals that they cover together.
func union(ws []window) []window {
	for i := range ws {
		ws[i].index = 0
	}
	inOrder(ws)
	return joined(ws)
}

// endingAfter returns the windows that end after an instant. They must be in order, and none may overlap another.
func endingAfter(ws []window, t clock.Instant) []window {
	return ws[sort.Search(len(ws), func(i int) bool { return ws[i].until > t }):]
}

// A reach is the latest end of the windows so far, with its client, and the latest end among other clients.
type reach struct {
	client       int
	until, other clock.Instant
}

func (r *reach) add(w window) {
	switch {
	case w.client == r.client:
		r.until = max(r.until, w.until)
	case w.until > r.until:
		*r = reach{w.client, w.until, r.until}
	default:
		r.other = max(r.other, w.until)
	}
}

// without returns the latest end of the windows of all clients but this one.
func (r *reach) without(client int) clock.Instant {
	if client == r.client {
		return r.other
	}
	return r.until
}

// Reaches are the reach of the windows of all holds, and of the holds that do not share the lock.
type reaches struct{ all, alone reach }

func (r *reaches) add(w window, shared bool) {
	if r.all.add(w); !shared {
		r.alone.add(w)
	}
}

// inTheWay returns the latest end of the windows that a hold of a client would conflict with.
func (r *reaches) inTheWay(client int, shared bool) clock.Instant {
	if shared {
		return r.alone.without(client)
	}
	return r.all.without(client)
}

// anyOverlap reports whether a window of one list overlaps one of the other list and of another client. Both lists must
// be in order.
func anyOverlap(as, bs []window) bool {
	var a, b reach
	for len(as) > 0 || len(bs) > 0 {
		if len(bs) == 0 || len(as) > 0 && as[0].from <= bs[0].from {
			as, bs, a, b = bs, as, b, a
		}
		w := bs[0]
		if a.without(w.client) > w.from {
			return true
		}
		b.add(w)
		bs = bs[1:]
	}
	return false
}

// inversions sorts windows by their end and counts the pairs that were in the wrong order. Spare must be as long.
func inversions(ws, spare []window) (n int64) {
	if len(ws) < 2 {
		return 0
	}
	half := len(ws) / 2
	n = inversions(ws[:half], spare[:half]) + inversions(ws[half:], spare[half:])
	copy(spare, ws)
	a, b := spare[:half], spare[half:]
	for i := range ws {
		if len(b) == 0 || len(a) > 0 && a[0].until <= b[0].until {
			ws[i], a = a[0], a[1:]
			continue
		}
		ws[i], b = b[0], b[1:]
		n += int64(len(a)) // what is left of the first half ends later
	}
	return n
}

// A piece is an interval that belongs to a token: the life of its key on one lane, a time in which a majority of lanes
// has it, or one Try that uses it.
type piece struct {
	token, lane, index int
	from, until        clock.Instant
}

// Groups are pieces by token, and within a token by lane, start and index. There are many tokens with few pieces each,
// so a counting sort puts every piece into its group, and pieces are compared only within groups.
type groups struct {
	loose, sorted []piece
	start         []int // where in sorted the group of each token begins; one more, for the end of the last
}

// add adds a piece for the next gather.
func (g *groups) add(p piece) { g.loose = append(g.loose, p) }

// gather sorts what was added, for tokens numbered from 0, and forgets what it had sorted before.
func (g *groups) gather(tokens int) {
	g.start = slices.Grow(g.start[:0], tokens+1)[:tokens+1]
	clear(g.start)
	for _, p := range g.loose {
		g.start[p.token]++
	}
	end := 0
	for i, n := range g.start {
		end += n
		g.start[i] = end
	}
	g.sorted = slices.Grow(g.sorted[:0], len(g.loose))[:len(g.loose)]
	// Pieces are placed from the last to the first, and each group fills from its end. That keeps the order in which
	// they were added, which is often sorted already, and leaves start at the group's beginning.
	for i := len(g.loose) - 1; i >= 0; i-- {
		p := &g.loose[i]
		g.start[p.token]--
		g.sorted[g.start[p.token]] = *p
	}
	g.loose = g.loose[:0]
	for t := range tokens {
		slices.SortFunc(g.group(t), inGroup)
	}
}

// group returns the group of one token, which may be empty.
func (g *groups) group(token int) []piece {
	if token+1 >= len(g.start) {
		return nil
	}
	return g.sorted[g.start[token]:g.start[token+1]]
}

func inGroup(a, b piece) int {
	if a.lane != b.lane {
		return cmp.Compare(a.lane, b.lane)
	}
	return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.index, b.index))
}

// An edge is an instant at which a count rises or falls, such as the number of lanes that have a token.
type edge struct {
	at    clock.Instant
	delta int
}

// inTime sorts edges by time. Edges of one instant may be in any order, because they are handled together.
func inTime(es []edge) {
	slices.SortFunc(es, func(a, b edge) int { return cmp.Compare(a.at, b.at) })
}

// atLeast appends the maximal intervals in which the sum of the edges, which must be in order, is at least enough. All
// edges of one instant are taken together: a lane that comes at the instant at which another goes leaves no gap.
func atLeast(enough int, es []edge, into []window) []window {
	sum, open := 0, window{}
	for i := 0; i < len(es); {
		at, had := es[i].at, sum >= enough
		for ; i < len(es) && es[i].at == at; i++ {
			sum += es[i].delta
		}
		switch has := sum >= enough; {
		case has && !had:
			open.from = at
		case had && !has:
			open.until = at
			into = append(into, open)
		}
	}
	return into
}

// A vote is an instant at which a client gains or loses votes or, for anybody, at which some token gains or loses a
// majority.
type vote struct {
	at            clock.Instant
	client, delta int
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Majority returns the smallest number of nodes for which any two sets of that size share a node.
func Majority(nodes int) int { return nodes/2 + 1 }

// tooMany returns the smallest number of nodes without which the others are no majority.
func tooMany(nodes int) int { return nodes - Majority(nodes) + 1 }
