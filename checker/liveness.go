package checker

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/lockstorm/lockstorm/clock"
)

var deadlockFree = Property{
	Name: "deadlock-free", Conflict: "deadlocked", Liveness: true, find: (*Judge).deadlockFree, after: true,
	needs: func(e *Evidence) bool { return e.Probe.Bound > 0 },
	wants: "no fresh client asked for the lock after the run",
	Plain: "Recovers", Asks: "Once faults end, can a new client acquire in time?",
	Broken: "The lock stayed stuck.", Fixed: "The lock recovers.",
	sentence: (*Evidence).deadlock,
	summary: func(*Evidence, Witness) string {
		return "a fresh client waits too long for the lock, though every fault is healed"
	},
	argument: (*Evidence).obstacle,
	story:    (*Story).probe,
}

// deadlockFree reports whether the probe, the acquire of a fresh client when every fault has healed, took longer than
// its bound. The probe comes after the run, so it is judged even when the run was cut short.
func (j *Judge) deadlockFree() (Witness, bool) {
	p := &j.e.Probe
	return Witness{First: -1, Second: -1, From: p.Asked, To: p.Won}, p.Won.Sub(p.Asked) > p.Bound
}

// deadlock returns: A fresh client asked for the lock at 60s, when every fault had healed, and had it at 90s, …
func (e *Evidence) deadlock(w Witness) string {
	had := "had it at " + seconds(w.To)
	if w.To == clock.Forever {
		had = "never had it"
	}
	return say("A fresh client asked for the lock at %v, when every fault had healed, and %v; "+
		"it should take no longer than %v", w.From, had, e.Probe.Bound)
}

// obstacle names the clients whose keys were in the way of a client that waited.
func (e *Evidence) obstacle(w Witness) []string {
	var names []string
	who := "no client" // for which the one lane held the lock
	for n := range e.Lanes {
		i := slices.IndexFunc(e.Keys, func(s Span) bool { return s.Lane == n && s.From <= w.From && w.From < s.To })
		if i >= 0 {
			who = e.ownerOf(e.Keys[i].Token)
			names = append(names, e.lane(n)+" (a key of "+who+")")
		}
	}
	switch {
	case e.alone() != "":
		return []string{say("At %v %v held the lock for %v.", w.From, e.alone(), who)}
	case len(names) == 0:
		return []string{say("At %v no node had a key: none was in the way.", w.From)}
	}
	return []string{say("At %v %d of %d nodes were free; %d are needed. Keys were on %v.",
		w.From, len(e.Lanes)-len(names), len(e.Lanes), Majority(len(e.Lanes)), strings.Join(names, ", "))}
}

var faultTolerant = Property{
	Name: "fault-tolerant", Conflict: "starved", Liveness: true, find: (*Judge).faultTolerant,
	needs:  func(e *Evidence) bool { return e.Bound > 0 && e.Clients > 0 && len(e.Lanes) > 0 },
	wants:  "it takes a bound on waiting, and the numbers of clients and nodes",
	Plain:  "Works with a majority",
	Asks:   "Do calls finish in time while their client reaches a majority, or the service, and the lock is free?",
	Broken: "A client waited although a majority was reachable.", Fixed: "A majority is enough.",
	sentence: (*Evidence).starvation,
	summary: func(e *Evidence, w Witness) string {
		op := e.History[w.First]
		return fmt.Sprintf("%s waits too long for its %s", client(e.clientOf(op.Process)), op.F)
	},
	argument: (*Evidence).obstacle,
	story:    func(s *Story) { s.call(s.w.First) },
}

// faultTolerant looks for a call that waited for longer than the bound although nothing was in its way. Nothing is in
// the way of a release while its client reaches a majority of lanes, and of an acquire while moreover no other client
// holds the lock; of a shared acquire, while no other client holds it alone. Another client holds it from the return of
// its acquire until its belief has ended, its validity has ended and its release has returned, whichever comes last.
//
// It is exact: the edges of a client's outages show when it reaches no majority. What is left of a call without those
// times are the pieces in which it should have returned within the bound. gatherFree finds the times in which no other
// client holds. A piece, or a free time, that is no longer than the bound breaks nothing and is left out immediately.
// Any other free time breaks the promise if it lies within a piece for longer than the bound. Only the first that ends
// more than the bound after the piece begins can be the first to do so.
//
// Of several violations the one that began first counts, then the one whose call comes first in the history.
func (j *Judge) faultTolerant() (Witness, bool) {
	j.others = j.pending(j.others[:0])
	best, found := Witness{}, false
	for _, shared := range [...]bool{false, true} {
		gathered := false
		for _, w := range j.others {
			if j.e.History[w.index].Value.Shared != shared {
				continue
			}
			if !gathered {
				j.gatherFree(shared)
				gathered = true
			}
			w, starved := j.starved(w)
			if starved && (!found || w.from < best.From || w.from == best.From && w.index < best.First) {
				best, found = Witness{First: w.index, Second: -1, From: w.from, To: w.until}, true
			}
		}
	}
	return best, found
}

// pending gathers the pieces, longer than the bound, of calls whose client reached a majority of nodes.
func (j *Judge) pending(into []window) []window {
	calls := j.operations()
	for i := range calls {
		if w := j.e.window(&calls[i]); w.until.Sub(w.from) > j.e.Bound {
			into = j.reached(w, into)
		}
	}
	return into
}

// reached appends the pieces of w, longer than the bound, in which its client reaches a majority.
func (j *Judge) reached(w window, into []window) []window {
	j.part()
	next := sort.Search(len(j.aparts), func(i int) bool {
		a := &j.aparts[i]
		return a.client > w.client || a.client == w.client && a.until > w.from
	})
	for _, a := range j.aparts[next:] {
		if a.client != w.client || a.from >= w.until {
			break
		}
		into = j.long(into, window{w.from, a.from, w.client, w.index})
		w.from = a.until
	}
	return j.long(into, w)
}

// long appends a window if it is longer than the bound.
func (j *Judge) long(into []window, w window) []window {
	if w.until.Sub(w.from) > j.e.Bound {
		into = append(into, w)
	}
	return into
}

// In a list of free times, anybody means every client that has no entry there, and noClient no client at all.
const anybody, noClient = -1, -2

// gatherFree finds for each client the maximal intervals, longer than the bound, in which no other client holds the
// lock; for shared calls, those in which no other client holds it alone.
//
// It goes through the holds in the order in which they begin. It keeps the latest end so far, and the latest end among
// other clients than that one's. When a hold begins, a free interval ends for every client except its own. For the
// client whose hold ends last, that interval began where the holds of the others had ended; for all the rest, where
// every hold had. The latter is stored once, for anybody. The client whose own hold begins sees only a part of its
// interval there. The whole interval is stored for that client when it ends, because then its hold is the one that ends
// last.
func (j *Judge) gatherFree(shared bool) {
	j.windows, j.gaps = j.tenures(j.windows[:0], shared), j.gaps[:0]
	var far reach
	for _, w := range j.windows {
		j.free(&far, w.from, w.client)
		far.add(w)
	}
	j.free(&far, clock.Forever, noClient)
	slices.SortFunc(j.gaps, func(a, b window) int {
		return cmp.Or(cmp.Compare(a.client, b.client), cmp.Compare(a.from, b.from))
	})
}

// free stores what was free until t, when a hold of a client begins.
func (j *Judge) free(far *reach, t clock.Instant, client int) {
	j.gaps = j.long(j.gaps, window{far.until, t, anybody, 0})
	if far.client != client {
		j.gaps = j.long(j.gaps, window{far.other, t, far.client, 0})
	}
}

// tenures appends in order the windows in which each hold keeps other clients waiting. Shared holds keep no shared call
// waiting.
func (j *Judge) tenures(into []window, shared bool) []window {
	valids := j.entitlements()
	for i, h := range j.e.Holds {
		until := h.Gone
		for ; len(valids) > 0 && valids[0].index == i; valids = valids[1:] {
			until = max(until, valids[0].until)
		}
		if h.Try >= 0 && h.Try < len(j.e.Tries) {
			until = max(until, j.e.Tries[h.Try].Left)
		}
		if !shared || !h.Shared {
			into = addWindow(into, window{h.From, until, h.Client, i})
		}
	}
	inOrder(into)
	return into
}

// starved returns the first piece of w, longer than the bound, in which nothing kept its call from returning.
func (j *Judge) starved(w window) (window, bool) {
	if j.e.History[w.index].F == Release {
		return w, true
	}
	all, found := j.firstFree(anybody, w)
	own, more := j.firstFree(w.client, w)
	if more && (!found || own.from < all.from || own.from == all.from && own.until > all.until) {
		return own, true
	}
	return all, found
}

// firstFree returns the first piece of w, longer than the bound, that is free in the list of a client.
func (j *Judge) firstFree(client int, w window) (window, bool) {
	i := sort.Search(len(j.gaps), func(i int) bool {
		g := &j.gaps[i]
		return g.client > client || g.client == client && g.until.Sub(w.from) > j.e.Bound
	})
	if i == len(j.gaps) || j.gaps[i].client != client {
		return w, false
	}
	w.from, w.until = max(w.from, j.gaps[i].from), min(w.until, j.gaps[i].until)
	return w, w.until.Sub(w.from) > j.e.Bound
}

// starvation returns: From 1s to 9s c2 waited for the lock, although it reached a majority of nodes and no other client
// held it; …
func (e *Evidence) starvation(w Witness) string {
	o, reached := &e.History[w.First], "it reached a majority of nodes"
	if alone := e.alone(); alone != "" {
		reached = alone + " was in its reach"
	}
	waited := "for its release to return, although " + reached
	if o.F == Acquire {
		waited = "for the lock, although " + reached + " and no other client held it"
	}
	return say("%v %v waited %v; it should take no longer than %v",
		interval(w), client(e.clientOf(o.Process)), waited, e.Bound)
}
