package checker

import (
	"slices"

	"github.com/lockstorm/lockstorm/clock"
)

// Kept says why a promise of mutual exclusion held in this run, as far as the evidence shows it, in sentences. It is for those
// who expected it to break. Of other promises it says nothing.
func (e *Evidence) Kept(property string) []string {
	p, _ := Lookup(property)
	if p.kept == nil {
		return nil
	}
	return p.kept(e)
}

// exclusive says how close two clients came to holding the lock at one time, and who never asked for it.
func (e *Evidence) exclusive() (all []string) {
	switch a, b := e.closest(); {
	case len(e.Holds) == 0:
		all = []string{"Nobody ever had the lock."}
	case a < 0:
		all = []string{"Only " + e.owner(0) + " ever had the lock."}
	default:
		after := clock.Instant(e.Holds[b].From.Sub(e.Holds[a].Gone))
		all = []string{sentence(e.stopped(a)) + ", and " + e.owner(b) + " had the lock " + seconds(after) + " later."}
	}
	return append(all, e.abstainers()...)
}

// apart says how close two validity windows came.
func (e *Evidence) apart() []string {
	a, b := e.closest()
	if a < 0 {
		return e.exclusive()
	}
	said := "The validity of " + e.owner(a) + " had ended at " + seconds(e.entitledUntil(a, e.End)) + ", and " + e.owner(b) +
		" had the lock at " + seconds(e.Holds[b].From) + "."
	return append([]string{said}, e.abstainers()...)
}

// undamaged says why no update was lost.
func (e *Evidence) undamaged() []string {
	if len(e.Writes) < 2 {
		return append([]string{"Fewer than two writes reached storage."}, e.exclusive()...)
	}
	return append([]string{"Each write that reached storage was based on the version before it."}, e.exclusive()...)
}

// closest returns the two holds of different clients, one after the other, between which the least time passed; -1 if there
// are no two.
func (e *Evidence) closest() (first, second int) {
	first, second = -1, -1
	least := clock.Forever.Sub(0)
	for b := range e.Holds {
		a := e.previous(b)
		if a < 0 || e.Holds[a].Client == e.Holds[b].Client {
			continue
		}
		if gap := e.Holds[b].From.Sub(e.Holds[a].Gone); gap < least {
			first, second, least = a, b, gap
		}
	}
	return first, second
}

// previous returns the hold that began last before another one; -1 if there is none.
func (e *Evidence) previous(hold int) int {
	last := -1
	for i := range e.Holds {
		if i != hold && e.Holds[i].From <= e.Holds[hold].From && (last < 0 || e.Holds[i].From >= e.Holds[last].From) {
			last = i
		}
	}
	return last
}

// stopped says how a client stopped being a holder.
func (e *Evidence) stopped(hold int) string {
	h := &e.Holds[hold]
	who, at := client(h.Client), " at "+seconds(h.Gone)
	switch released := e.released(h); {
	case h.Crashed:
		return who + " crashed" + at
	case h.Gone < released && released != clock.Forever:
		return who + " gave up" + at + ", as its validity had passed"
	}
	return who + " released the lock" + at
}

// abstainers names the clients that never asked for the lock after the first fault had struck.
func (e *Evidence) abstainers() (all []string) {
	strike := e.firstStrike()
	if strike < 0 {
		return []string{"No fault struck."}
	}
	at := e.Strikes[strike].From
	for c := range e.Clients {
		if !slices.ContainsFunc(e.Tries, func(t Try) bool { return t.Client == c && t.To > at }) {
			all = append(all, client(c)+" never asked for the lock after "+seconds(at)+", when the first fault struck.")
		}
	}
	return all
}

// firstStrike returns the strike that came first of those that touched anything; -1 if there is none.
func (e *Evidence) firstStrike() int {
	first := -1
	for i, s := range e.Strikes {
		if !s.Idle && (first < 0 || s.From < e.Strikes[first].From) {
			first = i
		}
	}
	return first
}

// wantedAfterFault asks whether a client other than the one that had the lock last asked for it after the first fault had
// struck, or was asking then. If nobody had had it yet, any client will do.
func (j *Judge) wantedAfterFault() bool {
	strike := j.e.firstStrike()
	if strike < 0 {
		return false
	}
	at, holder := j.e.Strikes[strike].From, -1
	latest := clock.Instant(-1)
	for i := range j.e.Holds {
		if h := &j.e.Holds[i]; h.From <= at && h.From >= latest {
			holder, latest = h.Client, h.From
		}
	}
	return slices.ContainsFunc(j.e.Tries, func(t Try) bool { return t.Client != holder && t.To > at })
}
