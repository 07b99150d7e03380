package explore

// states are the states that runs have come to, each with what had been spent by then: a state that another run has come to
// with no more deviations and no more faults goes on there.
type states struct {
	below *states // those that others share; not changed
	spent map[uint64]uint64
	fresh int // states that were not known before
}

// bit stands for what has been spent.
func bit(messages, strikes int) uint64 { return 1 << (messages*8 + strikes) }

// upTo has a bit for each that is no more in either.
func upTo(messages, strikes int) (mask uint64) {
	for m := range messages + 1 {
		for f := range strikes + 1 {
			mask |= bit(m, f)
		}
	}
	return mask
}

func newStates(below *states) *states { return &states{below: below, spent: map[uint64]uint64{}} }

// has reports whether a state is known with any of what the mask stands for.
func (k *states) has(state, mask uint64) bool {
	for ; k != nil; k = k.below {
		if k.spent[state]&mask != 0 {
			return true
		}
	}
	return false
}

// add makes states known.
func (k *states) add(all []uint64, spent uint64) {
	for _, s := range all {
		before := k.spent[s]
		if before == 0 && (k.below == nil || !k.below.has(s, ^uint64(0))) {
			k.fresh++
		}
		k.spent[s] = before | spent
	}
}
