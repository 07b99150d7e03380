package checker

import (
	"cmp"
	"slices"

	"github.com/lockstorm/lockstorm/clock"
)

// A vote is an instant at which a client gains or loses votes or, for anybody, at which some token gains or loses a
// majority.
type vote struct {
	at            clock.Instant
	client, delta int
}

// splitVote reports whether at some instant before End two tries of different clients, both of which ended NoQuorum, were
// under way and had votes, and no token had a majority. A vote for a try is a lane that has its token. The votes of tries
// that win are not counted, because every try has too few votes at first.
//
// It is exact: what counts changes only at the edges of tries, spans and covers, so it is enough to look at those in order
// of time. All edges of one instant are taken together.
func (j *Judge) splitVote() bool {
	j.gatherVotes()
	open, clients, majorities := j.perClient(j.clients(), 0), 0, 0
	for i := 0; i < len(j.votes); {
		at := j.votes[i].at
		for ; i < len(j.votes) && j.votes[i].at == at; i++ {
			v := &j.votes[i]
			if v.client == anybody {
				majorities += v.delta
				continue
			}
			before := open[v.client] > 0
			open[v.client] += v.delta
			clients += truth(open[v.client] > 0) - truth(before)
		}
		if clients >= 2 && majorities == 0 && at < j.e.End {
			return true
		}
	}
	return false
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}

// clients returns a number larger than that of any client that tried to acquire.
func (j *Judge) clients() (n int) {
	for i := range j.e.Tries {
		n = max(n, j.e.Tries[i].Client+1)
	}
	return n
}

// gatherVotes collects the votes of tries that ended NoQuorum, and all majorities, in order of time.
func (j *Judge) gatherVotes() {
	j.keys()
	j.votes = j.votes[:0]
	for token := range len(j.tokens) {
		tries := j.owners.group(token)
		if !slices.ContainsFunc(tries, j.lostVote) {
			continue
		}
		j.collect(j.spans.group(token))
		j.runs = atLeast(1, j.edges, j.runs[:0])
		for _, p := range tries {
			if j.lostVote(p) {
				j.votesOf(&j.e.Tries[p.index])
			}
		}
	}
	if len(j.votes) == 0 {
		return
	}
	for _, p := range j.covers.sorted {
		j.votes = append(j.votes, vote{p.from, anybody, 1}, vote{p.until, anybody, -1})
	}
	slices.SortFunc(j.votes, func(a, b vote) int { return cmp.Compare(a.at, b.at) })
}

func (j *Judge) lostVote(p piece) bool { return j.e.Tries[p.index].Outcome == NoQuorum }

// votesOf appends the votes of a try. The runs are the intervals in which any lane has its token.
func (j *Judge) votesOf(t *Try) {
	for _, w := range endingAfter(j.runs, t.From) {
		if w.from >= t.To {
			break
		}
		if from, until := max(w.from, t.From), min(w.until, t.To); from < until {
			j.votes = append(j.votes, vote{from, t.Client, 1}, vote{until, t.Client, -1})
		}
	}
}
