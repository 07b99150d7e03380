package checker

import "slices"

var once = Property{
	Name: "once", Conflict: "job done twice", find: (*Judge).doneTwice, Ticks: true,
	Plain: "Once per tick", Asks: "Is the job of each tick done at most once?",
	Broken: "The job of a tick was done twice.", Fixed: "No job is done twice.",
	sentence: (*Evidence).twiceSentence,
	summary: func(e *Evidence, w Witness) string {
		return say("%v does a job that %v has done", &e.Writes[w.Second], &e.Writes[w.First])
	},
	argument: (*Evidence).twiceArgument,
	story:    (*Story).updates,
	vacuous:  func(e *Evidence) string { return e.unwritten(plainChange) },
}

// doneTwice finds the first update of a tick that an earlier update belongs to as well; First is the earliest of these.
// A job is done once storage has applied its update: a client that crashes before leaves the job to others. Who held
// the lock does not matter, because a lock that was released in time lets the second client in.
//
// The interval is the moment of the second update.
func (j *Judge) doneTwice() (Witness, bool) {
	for i, u := range j.e.Writes {
		if u.Tick == 0 || u.Plain.Made == 0 {
			continue
		}
		first := slices.IndexFunc(j.e.Writes, func(o Update) bool { return o.Tick == u.Tick && o.Plain.Made != 0 })
		if first < i {
			return Witness{First: first, Second: i, From: u.At, To: u.At}, true
		}
	}
	return Witness{}, false
}

// tickMissed reports whether no client did the job of some tick.
func (j *Judge) tickMissed() bool {
	for tick := 1; tick <= j.e.Ticks; tick++ {
		if !slices.ContainsFunc(j.e.Writes, func(u Update) bool { return u.Tick == tick && u.Plain.Made != 0 }) {
			return true
		}
	}
	return false
}

// twiceSentence returns: c2 did the job of tick 1 at 60.3s, which c1 had done at 60.002s
func (e *Evidence) twiceSentence(w Witness) string {
	a, b := &e.Writes[w.First], &e.Writes[w.Second]
	return say("%v did the job of tick %d at %v, which %v had done at %v", b, b.Tick, b.At, a, a.At)
}

// twiceArgument says whether the first hold had ended when the second client acquired the lock.
func (e *Evidence) twiceArgument(w Witness) []string {
	a, b := &e.Writes[w.First], &e.Writes[w.Second]
	first, second := e.holdAt(a.Client, e.History[a.Op].Time), e.holdAt(b.Client, e.History[b.Op].Time)
	if first < 0 || second < 0 {
		return nil
	}
	x, y := &e.Holds[first], &e.Holds[second]
	if y.From < x.Gone {
		return []string{say("%v acquired the lock at %v, while %v still acted as its holder.", y, y.From, x)}
	}
	return []string{
		say("%v stopped acting as holder at %v, and %v acquired the lock %v later: the lock was free.",
			x, x.Gone, y, y.From.Sub(x.Gone)),
		"Broken rule: keep the lock of a tick until no client can come for that tick any more."}
}
