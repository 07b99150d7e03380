package checker

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lockstorm/lockstorm/clock"
)

// Kept returns, in sentences, why a promise of mutual exclusion held in this run, as far as the evidence shows it. It is for
// a run in which the promise was expected to break. For other promises it is empty.
func (e *Evidence) Kept(property string) []string {
	p, _ := Lookup(property)
	if p.kept == nil || e.Check() != nil {
		return nil
	}
	return p.kept(e)
}

// beliefKept returns how close two clients came to holding the lock at one time, and which never asked for it.
func (e *Evidence) beliefKept() (all []string) {
	switch a, b := e.closest(); {
	case len(e.Holds) == 0:
		all = []string{"Nobody ever had the lock."}
	case a < 0:
		all = []string{"No client had the lock after another: " + e.owner(0) + " alone had it."}
	case e.Holds[b].From >= e.Holds[a].Gone:
		after := clock.Instant(e.Holds[b].From.Sub(e.Holds[a].Gone))
		all = []string{e.stoppedClause(a) + ", and " + e.owner(b) + " had the lock " + seconds(after) + " later."}
	}
	return slices.Concat(e.outlivedSentence(), all, e.abstainersSentence())
}

// outlivedSentence names the longest fault on a client that held the lock, if it was over before the validity of that
// client had ended: nobody else could have the lock meanwhile.
func (e *Evidence) outlivedSentence() []string {
	longest, hold := -1, -1
	for i := range e.Strikes {
		s := &e.Strikes[i]
		h := e.latestHold(s.From)
		if h >= 0 && s.From < e.Holds[h].Gone && s.strikes(client(e.Holds[h].Client)) && (longest < 0 || s.lasted() > e.Strikes[longest].lasted()) {
			longest, hold = i, h
		}
	}
	if longest < 0 || e.Strikes[longest].To >= e.entitledUntil(hold, e.Strikes[longest].From) {
		return nil
	}
	s := &e.Strikes[longest]
	return []string{strconv.Quote(s.Fault) + " was over at " + seconds(s.To) + ", before the validity of " + e.owner(hold) + " had ended: it was still the holder."}
}

func (s *Strike) lasted() time.Duration { return s.To.Sub(s.From) }

// validityKept returns how close two validity windows came.
func (e *Evidence) validityKept() []string {
	a, b := e.closest()
	if a < 0 {
		return e.beliefKept()
	}
	end := e.entitledUntil(a, e.Holds[b].From)
	return slices.Concat(e.outlivedSentence(), []string{"The validity of " + e.owner(a) + " had ended at " + seconds(end) + ", and " + e.owner(b) + " had the lock at " +
		seconds(e.Holds[b].From) + "."}, e.abstainersSentence())
}

// storageKept returns why no update was lost: who had the lock and did not write, and that each write was based on the
// version before it.
func (e *Evidence) storageKept() (all []string) {
	for i := range e.Holds {
		if !slices.ContainsFunc(e.Writes, func(u Update) bool { return e.holdAt(u.Client, e.invoked(&u)) == i }) {
			all = append(all, e.stoppedClause(i)+", and no write of that hold reached storage.")
		}
	}
	if len(e.Writes) > 1 {
		all = append(all, "Each write that reached storage was based on the version before it.")
	}
	return append(all, e.beliefKept()...)
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

func (e *Evidence) stoppedClause(hold int) string {
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

// abstainersSentence names the clients, other than the holder, that never asked for the lock after the first fault had struck.
func (e *Evidence) abstainersSentence() []string {
	strike := e.firstStrike()
	if strike < 0 {
		return []string{"No fault touched anything."}
	}
	at, holder := e.Strikes[strike].From, e.latestHolder(e.Strikes[strike].From)
	var names []string
	for c := range e.Clients {
		if c != holder && !slices.ContainsFunc(e.Tries, func(t Try) bool { return t.Client == c && t.To > at }) {
			names = append(names, client(c))
		}
	}
	if len(names) == 0 {
		return nil
	}
	return []string{strings.Join(names, " and ") + " never asked for the lock after " + seconds(at) + ", when the first fault struck."}
}

// latestHolder returns the client that acquired last by an instant; -1 if none had.
func (e *Evidence) latestHolder(by clock.Instant) int {
	if h := e.latestHold(by); h >= 0 {
		return e.Holds[h].Client
	}
	return -1
}

// latestHold returns the hold that began last by an instant; -1 if none had.
func (e *Evidence) latestHold(by clock.Instant) int {
	latest := -1
	for i := range e.Holds {
		if from := e.Holds[i].From; from <= by && (latest < 0 || from >= e.Holds[latest].From) {
			latest = i
		}
	}
	return latest
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

// wantedAfterFault reports whether a client other than the latest holder asked for the lock after the first fault had
// struck, or was asking then. If nobody had had it yet, any client counts.
func (j *Judge) wantedAfterFault() bool {
	strike := j.e.firstStrike()
	if strike < 0 {
		return false
	}
	at := j.e.Strikes[strike].From
	holder := j.e.latestHolder(at)
	return slices.ContainsFunc(j.e.Tries, func(t Try) bool { return t.Client != holder && t.To > at })
}
