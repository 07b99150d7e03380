package recorder

import (
	"cmp"
	"slices"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
)

// Evidence returns what was recorded so far, for a checker.Judge. Both registers of its Writes are the one that was
// recorded, so fenced asks of it what storage does. Where not every version of the register is known, it says in Cut
// that it is not whole: then a promise that broke is Violated, and every other is Unknown.
func (r *Recorder) Evidence() *checker.Evidence {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	e := &checker.Evidence{
		Clients: len(r.clients), History: r.history(), Tries: slices.Clone(r.tries), Holds: slices.Clone(r.holds),
		Renewals: slices.Clone(r.renewed), End: r.now + 1,
	}
	if e.Writes = r.writes(); !whole(e.Writes, r.lostWrites()) {
		e.Writes, e.Cut = nil, "not every write is on record with the version that it made"
	}
	return e
}

// writes returns the writes that succeeded, in the order of their versions. Storage handled each at some instant of its
// call: the earliest is taken that comes no earlier than the write before.
func (r *Recorder) writes() (all []checker.Update) {
	open := make([]int, len(r.clients))
	for i, o := range r.ops {
		switch {
		case o.F != checker.Write:
		case o.Type == checker.Invoke:
			open[o.client] = i
		case o.Type == checker.OK:
			sent := r.ops[open[o.client]]
			change := checker.Change{Base: sent.Value.Plain, Made: o.Value.Plain}
			all = append(all, checker.Update{Client: o.client, Op: sent.Index, Fence: sent.Value.Fence, At: sent.Time,
				Plain: change, Fenced: change})
		}
	}
	slices.SortStableFunc(all, func(a, b checker.Update) int { return cmp.Compare(a.Plain.Made, b.Plain.Made) })
	at := clock.Instant(0)
	for i := range all {
		at = max(at, all[i].At)
		all[i].At = at
	}
	return all
}

// lostWrites reports whether some write has an outcome that nobody knows.
func (r *Recorder) lostWrites() bool {
	invoked, known := 0, 0
	for _, o := range r.ops {
		switch {
		case o.F != checker.Write:
		case o.Type == checker.Invoke:
			invoked++
		case o.Type != checker.Info:
			known++
		}
	}
	return invoked > known
}

// whole reports whether the writes count the versions of the register from 1, each based on one that was there.
func whole(writes []checker.Update, lost bool) bool {
	for i, u := range writes {
		if u.Plain.Made != uint64(i)+1 || u.Plain.Base > uint64(i) {
			return false
		}
	}
	return !lost
}
