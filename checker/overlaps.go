package checker

import "github.com/lockstorm/lockstorm/clock"

// overlaps counts the holds that began while a client other than their own still went on as holder: work that was done
// twice, if the lock was to keep it from that.
//
// It is exact: in the order of their beginnings, a hold overlaps an earlier one of another client if and only if the
// latest end among those of other clients lies after its beginning.
func (j *Judge) overlaps() (n int) {
	j.windows = j.beliefs(j.windows[:0])
	latest, other := window{client: -1}, clock.Instant(0) // the latest end so far, and that of the other clients
	for _, w := range j.windows {
		end := latest.until
		if w.client == latest.client {
			end = other
		}
		n += truth(end > w.from)
		switch {
		case w.client == latest.client:
			latest.until = max(latest.until, w.until)
		case w.until > latest.until:
			latest, other = w, latest.until
		default:
			other = max(other, w.until)
		}
	}
	return n
}

// overstayed counts the holds whose client went on as holder after its validity had passed.
func (j *Judge) overstayed() (n int) {
	for i := range j.e.Holds {
		h := &j.e.Holds[i]
		n += truth(h.Gone > j.e.entitledUntil(i, h.Gone))
	}
	return n
}
