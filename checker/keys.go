package checker

import (
	"cmp"
	"slices"

	"github.com/lockstorm/lockstorm/clock"
)

// A piece is an interval that belongs to a token: the life of its key on one lane, a time in which a majority of lanes has
// it, or one Try that uses it.
type piece struct {
	token, lane, index int
	from, until        clock.Instant
}

// Groups are pieces by token, and within a token by lane, start and index. There are many tokens with few pieces each, so
// a counting sort puts every piece into its group, and only within the groups are they compared.
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
	g.sorted = append(g.sorted[:0], g.loose...)
	// Pieces are placed from the last to the first, and each group fills from its end. That keeps the order in which they
	// were added, which is often sorted already, and leaves start at the group's beginning.
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
	if c := cmp.Compare(a.lane, b.lane); c != 0 {
		return c
	}
	if c := cmp.Compare(a.from, b.from); c != 0 {
		return c
	}
	return cmp.Compare(a.index, b.index)
}

// An edge is an instant at which a count rises or falls, such as that of the lanes that have a token.
type edge struct {
	at    clock.Instant
	delta int
}

// keys groups all spans and tries by token, once per run, and finds when each token has a majority.
func (j *Judge) keys() {
	if j.keyed {
		return
	}
	j.keyed = true
	j.renumber()
	for i := range j.e.Tries {
		t := &j.e.Tries[i]
		j.owners.add(piece{token: j.id(t.Token), index: i, from: t.From})
	}
	for i := range j.e.Keys {
		if s := &j.e.Keys[i]; s.From < s.To {
			j.spans.add(piece{j.id(s.Token), s.Lane, i, s.From, s.To})
		}
	}
	j.owners.gather(len(j.tokens))
	j.spans.gather(len(j.tokens))
	j.cover()
}

// renumber forgets the tokens of the run before. Each token then gets a number when it is first met, so that sorting
// compares numbers instead of strings.
func (j *Judge) renumber() {
	if j.tokens == nil {
		j.tokens = make(map[string]int)
	}
	clear(j.tokens)
	j.names, j.latest = j.names[:0], 0
}

// id returns a token's number. Evidence mostly lists tokens in the order in which they were drawn, so the latest number
// and the one after it are tried before the map.
func (j *Judge) id(token string) int {
	for n := j.latest; n < min(j.latest+2, len(j.names)); n++ {
		if j.names[n] == token {
			j.latest = n
			return n
		}
	}
	n, ok := j.tokens[token]
	if !ok {
		n = len(j.names)
		j.tokens[token] = n
		j.names = append(j.names, token)
	}
	j.latest = n
	return n
}

// cover finds for each token the intervals in which a majority of lanes has it.
func (j *Judge) cover() {
	enough := Majority(len(j.e.Lanes))
	for token := range len(j.tokens) {
		j.collect(j.spans.group(token))
		j.runs = atLeast(enough, j.edges, j.runs[:0])
		for _, w := range j.runs {
			j.covers.add(piece{token: token, from: w.from, until: w.until})
		}
	}
	j.covers.gather(len(j.tokens))
}

// collect gathers the edges of pieces. Pieces of one lane that overlap or touch are joined first, so that a lane counts
// once.
func (j *Judge) collect(pieces []piece) {
	j.edges = j.edges[:0]
	for i := 0; i < len(pieces); {
		p := pieces[i]
		for i++; i < len(pieces) && pieces[i].lane == p.lane && pieces[i].from <= p.until; i++ {
			p.until = max(p.until, pieces[i].until)
		}
		if p.lane >= 0 && p.lane < len(j.e.Lanes) {
			j.edges = append(j.edges, edge{p.from, 1}, edge{p.until, -1})
		}
	}
	inTime(j.edges)
}

// inTime sorts edges by time. Those of one instant may be in any order, because they are taken together.
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

// Majority returns the least number of nodes for which any two sets of that many share a node.
func Majority(nodes int) int { return nodes/2 + 1 }

// lack returns the first interval within w in which the token has no majority.
func (j *Judge) lack(token int, w window) (window, bool) {
	covers := j.covers.group(token)
	next, _ := slices.BinarySearchFunc(covers, w.from, func(c piece, t clock.Instant) int {
		if c.until <= t {
			return -1
		}
		return 1
	})
	rest := covers[next:]
	if len(rest) > 0 && rest[0].from <= w.from {
		w.from, rest = rest[0].until, rest[1:]
	}
	if len(rest) > 0 {
		w.until = min(w.until, rest[0].from)
	}
	return w, w.from < w.until
}
