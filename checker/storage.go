package checker

// storage looks for an update that is lost in the register that applies every write.
func (j *Judge) storage() (Witness, bool) {
	return j.lost(UpdateLost, func(u *Update) Change { return u.Plain })
}

// fenced looks for an update that is lost in the register that refuses stale fencing tokens. A refused write does
// nothing, so it loses nothing and cannot be lost.
func (j *Judge) fenced() (Witness, bool) {
	return j.lost(FencedLost, func(u *Update) Change { return u.Fenced })
}

// lost finds the first update that overwrites another unseen: it is based on a version older than the current one, so
// all versions between are gone without a trace. First is the earliest of them.
//
// It is exact: while every update is based on the version before it, each version contains all that came before, and
// nothing is lost. The first that is not breaks this, and it is the first that can. The order is that in which storage
// handled the writes; whether a client ever learned that its write was applied plays no part.
//
// The interval runs from the lost update to the one that overwrote it.
func (j *Judge) lost(kind Conflict, in func(*Update) Change) (Witness, bool) {
	current := uint64(0)
	for i := range j.e.Writes {
		c := in(&j.e.Writes[i])
		if c.Made == 0 {
			continue
		}
		if c.Base < current {
			first := j.e.madeAfter(c.Base, in)
			return Witness{Kind: kind, First: first, Second: i, From: j.e.Writes[first].At, To: j.e.Writes[i].At}, true
		}
		current = c.Made
	}
	return Witness{}, false
}

// madeAfter gives the index of the first update that made a version later than base. There must be one.
func (e *Evidence) madeAfter(base uint64, in func(*Update) Change) int {
	for i := range e.Writes {
		if in(&e.Writes[i]).Made > base {
			return i
		}
	}
	panic("checker: a register has a version that no update made")
}
