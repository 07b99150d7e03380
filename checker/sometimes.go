package checker

import (
	"cmp"
	"slices"
	"sort"

	"github.com/lockstorm/lockstorm/clock"
)

// contended reports whether a Try [From, To) of one client overlaps the belief [From, Gone) of another. It is exact:
// two windows overlap only if one of them starts while the other is open. So it is enough to compare each start, in
// order, with the latest end of the other kind.
func (j *Judge) contended() bool {
	j.windows, j.others = j.beliefs(j.windows[:0]), j.others[:0]
	for i, t := range j.e.Tries {
		j.others = addWindow(j.others, window{t.From, t.To, t.Client, i})
	}
	inOrder(j.others)
	return anyOverlap(j.windows, j.others)
}

// faultStruck reports whether there are planned faults and all of them hit. A run without any has not shown what it
// should show. A fault that changed nothing does not count. If some faults are stated, random ones don't have to hit:
// some are too short to meet a message.
func (j *Judge) faultStruck() bool {
	j.windows = j.windows[:0]
	asked := cmp.Or(j.e.Stated, j.e.Planned)
	for _, s := range j.e.Strikes {
		if !s.Idle && !s.Slight && s.Index >= 0 && s.Index < asked {
			j.windows = append(j.windows, window{index: s.Index})
		}
	}
	inOrder(j.windows)
	struck := slices.CompactFunc(j.windows, func(a, b window) bool { return a.index == b.index })
	return asked > 0 && len(struck) == asked
}

// expiredWhileHeld reports whether some instant of a belief lies in no validity window of its hold: after the last, or
// in a gap before a renewal that came too late. The windows are maximal, so a belief is covered only if it lies within
// one of them. Only what was seen counts: in a run that ended before the validity did, nothing expired.
func (j *Judge) expiredWhileHeld() bool {
	valids := j.entitlements()
	for i, h := range j.e.Holds {
		until := min(h.Gone, j.e.End)
		covered := h.From >= until
		for ; len(valids) > 0 && valids[0].index == i; valids = valids[1:] {
			covered = covered || valids[0].from <= h.From && until <= valids[0].until
		}
		if !covered {
			return true
		}
	}
	return false
}

// quorumLost judges as quorum does, over longer windows: belief and validity together.
func (j *Judge) quorumLost() bool {
	j.keys()
	j.windows = j.windows[:0]
	for i, h := range j.e.Holds {
		j.windows = addWindow(j.windows, window{h.From, max(h.Gone, h.Valid), h.Client, i})
	}
	for _, r := range j.e.Renewals {
		if r.OK {
			j.windows = addWindow(j.windows, window{r.At, r.Valid, 0, r.Hold})
		}
	}
	_, lost := j.firstLack()
	return lost
}

// holderRefused reports whether the fenced register rejected an update while its client acted as holder, and no other
// did.
func (j *Judge) holderRefused() bool {
	return slices.ContainsFunc(j.e.Writes, func(u Update) bool { return u.rejected() && j.alone(u.Client, u.At) })
}

// alone reports whether a client acts as holder at t, and no other does.
func (j *Judge) alone(client int, t clock.Instant) (holds bool) {
	for _, h := range j.e.Holds {
		if h.From <= t && t < h.Gone {
			if h.Client != client {
				return false
			}
			holds = true
		}
	}
	return holds
}

// keptOut reports whether an acquire waited, through one hold of another client, for longer than a fresh client may
// wait once all faults are healed. No lock lasts that long unless it is released late or extended.
func (j *Judge) keptOut() bool {
	calls := j.operations()
	return j.e.Probe.Bound > 0 && slices.ContainsFunc(calls, func(c call) bool {
		w := j.e.window(&c)
		return c.f == Acquire && slices.ContainsFunc(j.e.Holds, func(h Hold) bool {
			return h.Client != w.client && min(w.until, h.Gone).Sub(max(w.from, h.From)) > j.e.Probe.Bound
		})
	})
}

// lateWrite reports whether storage applied an update when the hold it was made under was Gone. That hold is the latest
// of its client when it invoked the write: by the time the write arrives, the client may have acquired again.
func (j *Judge) lateWrite() bool {
	j.gatherByClient()
	return slices.ContainsFunc(j.e.Writes, func(u Update) bool {
		h := j.holdOf(u.Client, j.e.invoked(&u))
		return u.Plain.Made != 0 && h >= 0 && u.At >= j.e.Holds[h].Gone
	})
}

func (j *Judge) gatherByClient() {
	j.windows = j.windows[:0]
	for i, h := range j.e.Holds {
		j.windows = append(j.windows, window{from: h.From, client: h.Client, index: i})
	}
	slices.SortFunc(j.windows, func(a, b window) int {
		return cmp.Or(cmp.Compare(a.client, b.client), cmp.Compare(a.from, b.from), cmp.Compare(a.index, b.index))
	})
}

// holdOf returns the index of the client's latest hold at t, or -1. It needs gatherByClient.
func (j *Judge) holdOf(client int, t clock.Instant) int {
	end := sort.Search(len(j.windows), func(i int) bool {
		w := &j.windows[i]
		return w.client > client || w.client == client && w.from > t
	})
	if end == 0 || j.windows[end-1].client != client {
		return -1
	}
	return j.windows[end-1].index
}

// splitVote reports whether at some instant before End two tries of different clients were under way with votes, and no
// token had a majority. Both must have ended NoQuorum. A vote for a try is a lane that has its token. The votes of
// tries that win don't count, because every try has too few votes at first.
//
// It is exact: what counts changes only at the edges of tries, spans and covers, so it is enough to look at those in
// order of time. All edges of one instant are taken together.
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

// clients returns a number larger than every client that tried to acquire.
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

// shared reports whether the beliefs of two clients overlap that both share the lock.
func (j *Judge) shared() bool {
	j.windows = j.beliefs(j.windows[:0])
	var ended reach
	for _, w := range j.windows {
		if !j.e.Holds[w.index].Shared {
			continue
		}
		if ended.without(w.client) > w.from {
			return true
		}
		ended.add(w)
	}
	return false
}

// wantedAfterFault reports whether a client other than the latest holder asked for the lock after the first fault had
// hit, or was asking then. If no client had held it yet, any client counts.
func (j *Judge) wantedAfterFault() bool {
	strike := j.e.firstStrike()
	if strike < 0 {
		return false
	}
	at := j.e.Strikes[strike].From
	holder := j.e.latestHolder(at)
	return slices.ContainsFunc(j.e.Tries, func(t Try) bool { return t.Client != holder && t.To > at })
}
