package checker

import (
	"slices"
	"strings"

	"github.com/lockstorm/lockstorm/clock"
)

var continuity = Property{
	Name: "continuity", Conflict: "resurrected", find: (*Judge).continuity,
	Plain: "No hidden gap", Asks: "Can a client extend a lock that another held meanwhile?",
	Broken: "A client extended a lock it had lost.", Fixed: "A lost lock can't be extended.",
	sentence: (*Evidence).continuitySentence,
	summary: func(e *Evidence, w Witness) string {
		return say("%v extends a lock that %v has had since", &e.Holds[w.First], &e.Holds[w.Second])
	},
	argument: (*Evidence).continuityArgument,
	story:    (*Story).both,
	vacuous: func(e *Evidence) string {
		if len(e.Renewals) == 0 {
			return "no client asked for an extension"
		}
		return ""
	},
}

// continuity looks for a renewal of a hold that succeeded although another client, with which the hold does not share
// the lock, had acquired in between. The lock was lost and came back, and to its first holder that looks like one long
// hold.
//
// In between is strictly after the hold's own From and strictly before the renewal's At. Belief and validity judge two
// holds that begin at the same instant. A hold that begins at the instant at which the renewal returns comes after it,
// because all intervals are half-open. It does not matter how long the other held, or whether it still did when the
// renewal was asked for. It does not matter either whether the owner still believed in the first hold: the extension of
// a hold that has ended breaks the promise too.
//
// A hold of the other that was Late does not count: it was never valid. Its grant may have ended before the first hold
// began, and its acquire returned only now, because its client was suspended. Then the client that extends has never
// lost the lock.
//
// It is exact: in the order of the others' acquires, the set of extended holds that began before only grows. One of
// them, of another client, was extended after the acquire if and only if the one that was extended last was.
//
// Of several the one whose Second acquired first counts, then the one with the smaller index of Second, then the one
// whose First acquired first, then the one with the smaller index of First. The interval runs from Second's acquire to
// the return of the first extension of First after it.
func (j *Judge) continuity() (Witness, bool) {
	j.windows, j.others = j.extensions(j.windows[:0]), j.others[:0]
	if len(j.windows) == 0 {
		return Witness{}, false
	}
	for i, h := range j.e.Holds {
		if !h.Late() {
			j.others = append(j.others, window{from: h.From, client: h.Client, index: i})
		}
	}
	inOrder(j.others)
	var extended reaches
	rest := j.windows
	for _, g := range j.others {
		for ; len(rest) > 0 && rest[0].from < g.from; rest = rest[1:] {
			extended.add(rest[0], j.e.Holds[rest[0].index].Shared)
		}
		if extended.inTheWay(g.client, j.e.Holds[g.index].Shared) > g.from {
			return j.continuityWitness(g), true
		}
	}
	return Witness{}, false
}

// extensions gathers, for each renewal that succeeded, the time from its hold's acquire to its return, in order.
func (j *Judge) extensions(into []window) []window {
	for _, r := range j.e.Renewals {
		if r.OK {
			h := &j.e.Holds[r.Hold]
			into = append(into, window{h.From, r.At, h.Client, r.Hold})
		}
	}
	inOrder(into)
	return into
}

// continuityWitness returns the witness for g, which must lie within an extension of another client's hold.
func (j *Judge) continuityWitness(g window) Witness {
	w := Witness{First: -1, Second: g.index, From: g.from, To: clock.Forever}
	for _, h := range j.windows {
		both := j.e.Holds[h.index].Shared && j.e.Holds[g.index].Shared
		if both || h.client == g.client || h.from >= g.from || h.until <= g.from || w.First >= 0 && h.index != w.First {
			continue
		}
		w.First, w.To = h.index, min(w.To, h.until)
	}
	return w
}

// continuitySentence returns: c1 (token 33) acquired at 1s and extended its hold at 20s, although c2 (token 34) had
// acquired at 12s
func (e *Evidence) continuitySentence(w Witness) string {
	return say("%v acquired at %v and extended its hold at %v, although %v had acquired at %v",
		e.holder(w.First), e.Holds[w.First].From, w.To, e.holder(w.Second), w.From)
}

// continuityArgument says when the hold that was extended had ended. If the other hold lacked votes, the extension is
// not what is wrong.
func (e *Evidence) continuityArgument(w Witness) []string {
	a, b := &e.Holds[w.First], &e.Holds[w.Second]
	sentences := []string{say("The validity of %v had been to last until %v; %v held the lock from %v%v.",
		a, e.entitledUntil(w.First, w.From), b, b.From, to(b.Gone))}
	if i := e.lastEnd(a.Token, b.From); i >= 0 {
		k := &e.Keys[i]
		sentences = append(sentences,
			say("%v had its key until %v%v", sentence(e.lane(k.Lane)), k.To, e.endingSentence(k)))
	}
	var names []string
	for n := range e.Lanes {
		if slices.ContainsFunc(e.Keys, func(s Span) bool {
			return s.Lane == n && s.Token == a.Token && s.From >= b.From && s.From <= w.To
		}) {
			names = append(names, e.lane(n))
		}
	}
	if len(names) > 0 {
		sentences = append(sentences, say("The key of %v was set again on %v after that.", a, strings.Join(names, " ")))
	}
	if short := e.outvotedArgument(b); short != "" {
		return append(sentences, short)
	}
	return append(sentences, "Broken rule: a client extends only a lock that it has never lost.")
}
