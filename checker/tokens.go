package checker

// tokensRise looks for a hold B that asked for its fencing token after another hold A had acquired, and yet did not get
// a larger one: A.From <= B.Asked and A.Fence >= B.Fence. Holds that overlap between asking and acquiring may have their
// tokens in either order. A hold with Fence 0 drew no token, and is neither A nor B.
//
// It is exact: in the order of B.Asked the set of holds with From <= B.Asked only grows, and one of them, other than B,
// has a token as large as B's if and only if the largest of them has, unless B itself alone has the largest.
//
// Of several the one that asked first counts, then the one with the earlier index; A is the one that acquired first. The
// interval runs from B's asking to its acquire.
func (j *Judge) tokensRise() (Witness, bool) {
	j.gatherFenced()
	top, owner := uint64(0), -1 // the largest token so far, and the hold that has it, or -1 if several do
	done := j.windows
	for _, b := range j.others {
		for ; len(done) > 0 && done[0].from <= b.from; done = done[1:] {
			switch f := j.e.Holds[done[0].index].Fence; {
			case f > top:
				top, owner = f, done[0].index
			case f == top:
				owner = -1
			}
		}
		if top >= j.e.Holds[b.index].Fence && owner != b.index {
			return j.behind(b), true
		}
	}
	return Witness{}, false
}

// gatherFenced puts the holds that drew a token in windows, in order of acquiring, and in others, in order of asking.
func (j *Judge) gatherFenced() {
	j.windows, j.others = j.windows[:0], j.others[:0]
	for i := range j.e.Holds {
		if h := &j.e.Holds[i]; h.Fence != 0 {
			j.windows = append(j.windows, window{from: h.From, index: i})
			j.others = append(j.others, window{from: h.Asked, until: h.From, index: i})
		}
	}
	inOrder(j.windows)
	inOrder(j.others)
}

// behind is the witness for b, which must have got too small a token.
func (j *Judge) behind(b window) Witness {
	for _, a := range j.windows {
		if a.index != b.index && j.e.Holds[a.index].Fence >= j.e.Holds[b.index].Fence {
			return Witness{Kind: TokenBehind, First: a.index, Second: b.index, From: b.from, To: b.until}
		}
	}
	panic("checker: a token is behind none")
}
