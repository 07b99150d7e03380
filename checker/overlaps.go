package checker

import "github.com/lockstorm/lockstorm/clock"

// overlaps counts the holds that began while another client still went on as holder. If the lock was there to save double
// work, that is how often work was done twice.
//
// It is exact: a hold overlaps an earlier one of another client if and only if it begins before the latest end among the
// earlier holds of other clients.
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
