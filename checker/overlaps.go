package checker

// overlaps counts the holds that began while another client still went on as holder. If the lock was there to save double
// work, that is how often work was done twice.
//
// It is exact: a hold overlaps an earlier one of another client if and only if it begins before the latest end among the
// earlier holds of other clients.
func (j *Judge) overlaps() (n int) {
	j.windows = j.beliefs(j.windows[:0])
	var ended reach
	for _, w := range j.windows {
		n += truth(ended.without(w.client) > w.from)
		ended.add(w)
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
