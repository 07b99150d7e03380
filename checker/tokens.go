package checker

import "slices"

var tokens = Property{
	Name: "tokens", Conflict: "token behind", find: (*Judge).tokensRise,
	Plain: "Rising tokens", Asks: "Does each grant bring a larger token?",
	Broken: "A fencing token did not rise.", Fixed: "Tokens always rise.",
	sentence: (*Evidence).tokensSentence,
	summary: func(e *Evidence, w Witness) string {
		a, b := &e.Holds[w.First], &e.Holds[w.Second]
		return say("%v gets token %d, after %v got %d", b, b.Fence, a, a.Fence)
	},
	argument: (*Evidence).tokensArgument, vacuous: (*Evidence).uncounted,
	story: func(s *Story) {
		s.token(s.w.First)
		s.token(s.w.Second)
	},
}

// uncounted returns that no two holds had a fencing token, so that no token could fail to rise; "" if two had one.
func (e *Evidence) uncounted() string {
	switch count(e.Holds, func(h Hold) bool { return h.Fence != 0 }) {
	case 0:
		return "no client got a fencing token"
	case 1:
		return "only one fencing token was given"
	}
	return ""
}

// tokensRise looks for a hold B that asked for its fencing token after another hold A had acquired, and yet did not get
// a larger one: A.From <= B.Asked and A.Fence >= B.Fence. Holds that overlap between asking and acquiring may have
// their tokens in either order. A hold with Fence 0 has no token, so it is not A or B.
//
// It is exact: in the order of B.Asked the set of holds with From <= B.Asked only grows. One of them, other than B, has
// a token as large as B's if and only if the largest of them has, unless B itself alone has the largest.
//
// Of several the one that asked first counts, then the one with the earlier index; A is the one that acquired first.
// The interval runs from B's asking to its acquire.
func (j *Judge) tokensRise() (Witness, bool) {
	j.gatherFenced()
	fence := func(w window) uint64 { return j.e.Holds[w.index].Fence }
	top, owner := uint64(0), -1 // the largest token so far, and the hold that has it, or -1 if several do
	done := j.windows
	for _, b := range j.others {
		for ; len(done) > 0 && done[0].from <= b.from; done = done[1:] {
			switch f := fence(done[0]); {
			case f > top:
				top, owner = f, done[0].index
			case f == top:
				owner = -1
			}
		}
		if top >= fence(b) && owner != b.index {
			i := slices.IndexFunc(j.windows, func(a window) bool { return a.index != b.index && fence(a) >= fence(b) })
			return Witness{First: j.windows[i].index, Second: b.index, From: b.from, To: b.until}, true
		}
	}
	return Witness{}, false
}

// gatherFenced puts the holds that have a token in windows, in order of acquiring, and in others, in order of asking.
func (j *Judge) gatherFenced() {
	j.windows, j.others = j.windows[:0], j.others[:0]
	for i, h := range j.e.Holds {
		if h.Fence != 0 {
			j.windows = append(j.windows, window{from: h.From, index: i})
			j.others = append(j.others, window{from: h.Asked, until: h.From, index: i})
		}
	}
	inOrder(j.windows)
	inOrder(j.others)
}

// tokensSentence returns: c2 asked for its fencing token at 5s, after c1 (token 34) had acquired at 4s, and got 33, …
func (e *Evidence) tokensSentence(w Witness) string {
	a, b := &e.Holds[w.First], &e.Holds[w.Second]
	return say("%v asked for its fencing token at %v, after %v had acquired at %v, and got %d, which is not larger",
		b, b.Asked, e.holder(w.First), a.From, b.Fence)
}

func (e *Evidence) tokensArgument(w Witness) []string {
	a, b := &e.Holds[w.First], &e.Holds[w.Second]
	return []string{say("A token as large as %d had been given out by %v, and %v later the count was no further.",
		a.Fence, a.From, b.Asked.Sub(a.From)),
		"Broken rule: each token is larger than every earlier one, wherever it was counted."}
}
