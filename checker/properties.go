package checker

import (
	"slices"

	"github.com/lockstorm/lockstorm/clock"
)

// Properties are the promises of a lock, in the order in which reports list them. Each is judged alone, because each
// breaks in other runs than the rest.
//
// Package blackbox judges whether the history that clients saw is legal for a model of a lock.
var Properties = []Property{
	belief,
	validity,
	quorum,
	storage,
	fenced,
	tokens,
	continuity,
	deadlockFree,
	faultTolerant,
	leakFree,
	once,
}

// Sometimes are things that a scenario may require to happen: a run in which nothing happened proves nothing.
var Sometimes = []Property{
	sometimes("contended", "clients competed", (*Judge).contended),
	sometimes("acquired-by-two", "two clients acquired the lock", func(j *Judge) bool {
		return slices.ContainsFunc(j.e.Holds, func(h Hold) bool { return h.Client != j.e.Holds[0].Client })
	}),
	sometimes("acquired", "a client acquired the lock", func(j *Judge) bool { return len(j.e.Holds) > 0 }),
	sometimes("fault-struck", "every fault took effect", (*Judge).faultStruck),
	sometimes("expired-while-held", "a client acted past its validity", (*Judge).expiredWhileHeld),
	sometimes("quorum-lost", "a holder lost its majority", (*Judge).quorumLost),
	sometimes("refused-too-late", "a late lock was rejected",
		func(j *Judge) bool {
			return slices.ContainsFunc(j.e.Tries, func(t Try) bool { return t.Outcome == TooLate })
		}),
	sometimes("stale-write-refused", "fencing rejected a late write",
		func(j *Judge) bool { return slices.ContainsFunc(j.e.Writes, Update.rejected) }),
	sometimes("late-write", "a write landed after its hold", (*Judge).lateWrite),
	sometimes("extended", "an extension succeeded",
		func(j *Judge) bool { return slices.ContainsFunc(j.e.Renewals, func(r Renewal) bool { return r.OK }) }),
	sometimes("extension-failed", "an extension failed", func(j *Judge) bool { return j.failedRenewals() > 0 }),
	sometimes("unavailable", "no client could acquire for a while",
		func(j *Judge) bool { return len(j.unavailable()) > 0 }),
	sometimes("split-vote", "votes were split", (*Judge).splitVote),
	sometimes("overtaken", "a later request won",
		func(j *Judge) bool {
			pairs, known := j.overtaken()
			return known && pairs > 0
		}),
	sometimes("crashed-while-held", "a holder crashed",
		func(j *Judge) bool { return slices.ContainsFunc(j.e.Holds, func(h Hold) bool { return h.Crashed }) }),
	sometimes("shared", "two readers shared the lock", (*Judge).shared),
	sometimes("holder-refused", "fencing rejected the only holder", (*Judge).holderRefused),
	sometimes("kept-out", "extensions kept a client waiting", (*Judge).keptOut),
	sometimes("tick-missed", "no client did the job of a tick", (*Judge).tickMissed),
	sometimes("written", "storage applied a write", func(j *Judge) bool { return j.e.unwritten(plainChange) == "" }),
	{Name: "wanted-after-fault", Sometimes: true, find: happens((*Judge).wantedAfterFault),
		Plain: "another client asked after the fault",
		Hint: "A fault proves nothing if no other client wants the lock after it. " +
			"The settings that most often prevent that are work.stagger, work.recheck and work.stop_at_deadline: " +
			"let the other clients start during the fault, and let the holder continue."},
}

// sometimes returns a Property of the list Sometimes.
func sometimes(name, plain string, did func(*Judge) bool) Property {
	return Property{Name: name, Plain: plain, Sometimes: true, find: happens(did)}
}

// happens makes the find of a Property from a question that needs no witness.
func happens(did func(*Judge) bool) func(*Judge) (Witness, bool) {
	return func(j *Judge) (Witness, bool) { return Witness{}, did(j) }
}

// Lookup returns the Property of that name, of either list.
func Lookup(name string) (Property, bool) {
	for _, list := range [...][]Property{Properties, Sometimes} {
		for _, p := range list {
			if p.Name == name {
				return p, true
			}
		}
	}
	return Property{}, false
}

// Loses reports whether what the lock protects was damaged: an update was lost.
func (f *Finding) Loses() bool {
	return f.Verdict == Violated && f.property().Loses
}

// property returns what was judged. It is empty for a view of package blackbox, which has no entry.
func (f *Finding) property() Property {
	p, _ := Lookup(f.Property)
	return p
}

// A measure is a Figure and how to take it.
type measure struct {
	name, doc string
	unit      Unit
	take      func(*Judge) (value int64, known bool)
}

// measures are all figures, in the order in which Figures returns them.
var measures = [...]measure{
	{"unavailable", "time when no client held or could acquire the lock", Nanos, (*Judge).idleTime},
	{"unavailable-longest", "longest such stretch", Nanos, (*Judge).idleLongest},
	{"unavailable-longest-from", "start of the longest such stretch", Moment, (*Judge).idleLongestFrom},
	{"held", "time validly held", Nanos, (*Judge).heldTime},
	{"wait-median", "median wait to acquire", Nanos, wait(func(n int) int { return (n - 1) / 2 })},
	{"wait-max", "longest wait to acquire", Nanos, wait(func(n int) int { return n - 1 })},
	{"first-winner", "time to first acquire", Nanos, (*Judge).firstWinner},
	{"attempts", "attempts to acquire", Count, tally(func(j *Judge) int { return len(j.e.Tries) })},
	{"attempts-lost", "attempts that failed", Count, tally(func(j *Judge) int {
		return count(j.e.Tries, func(t Try) bool { return t.Outcome != Won && t.Outcome != Pending })
	})},
	{"split-votes", "attempts lost to split votes", Count, tally((*Judge).splitVotes)},
	{"overtaken", "later requests that won first", Count, (*Judge).overtaken},
	{"overlaps", "holds begun during another", Count, tally((*Judge).overlaps)},
	{"overstayed", "holds used past validity", Count,
		tally(func(j *Judge) (n int) {
			for i, h := range j.e.Holds {
				n += truth(h.Gone > j.e.entitledUntil(i, h.Gone))
			}
			return n
		})},
	{"granted-late", "holds granted with no validity left", Count,
		tally(func(j *Judge) int { return count(j.e.Holds, Hold.Late) })},
	{"updates-lost-plain", "lost updates", Count, tally(func(j *Judge) int { return j.lostIn(plainChange) })},
	{"updates-lost-fenced", "lost updates despite fencing", Count,
		tally(func(j *Judge) int { return j.lostIn(fencedChange) })},
	{"writes-refused", "writes rejected by fencing", Count, tally(func(j *Judge) int {
		return count(j.e.Writes, func(u Update) bool { return u.Fenced.Made == 0 })
	})},
	{"renewals", "extensions", Count, tally(func(j *Judge) int { return len(j.e.Renewals) })},
	{"renewals-failed", "extensions that failed", Count, tally((*Judge).failedRenewals)},
	{"struck-while-held", "faults while held", Count,
		whileHeld(func(s *Strike, _ clock.Instant) clock.Instant { return s.From })},
	{"forward-while-held", "forward clock jumps while held", Count, whileHeld(forward)},
	{"back-while-held", "backward clock jumps while held", Count, whileHeld(back)},
	{"strobe-while-held", "clock flickers while held", Count, whileHeld(strobed)},
	{"first-violation", "time of the first violation", Moment, (*Judge).firstViolation},
	{"end", "end of the run", Moment, func(j *Judge) (int64, bool) { return int64(j.e.End), true }},
}

// tally makes a measure of a count, which is always known.
func tally(count func(*Judge) int) func(*Judge) (int64, bool) {
	return func(j *Judge) (int64, bool) { return int64(count(j)), true }
}

// Judge judges all Properties and returns their Findings in that order; without Ticks none on what is about ticks.
// They are valid until the next call.
func (j *Judge) Judge(e *Evidence) []Finding { return j.Only(e, Properties) }

// Sometimes judges the list Sometimes and returns their Findings in that order: Holds where the thing happened,
// Violated where it did not. They are valid until the next call. A scenario says which of them must hold.
func (j *Judge) Sometimes(e *Evidence) []Finding {
	j.open(e)
	defer j.close()
	j.happened = j.each(Sometimes, j.happened[:0])
	return j.happened
}

// Both judges all Properties and the given ones of Sometimes, and sorts the evidence only once. The Findings are in the
// order of Properties and of the list given, and are valid until the next call.
func (j *Judge) Both(e *Evidence, sometimes []Property) (promises, happened []Finding) {
	j.open(e)
	defer j.close()
	j.promises = j.each(Properties, j.promises[:0])
	j.happened = j.each(sometimes, j.happened[:0])
	return j.promises, j.happened
}

// Only judges some Properties and returns their Findings in that order. They are valid until the next call.
func (j *Judge) Only(e *Evidence, list []Property) []Finding {
	j.open(e)
	defer j.close()
	j.promises = j.each(list, j.promises[:0])
	return j.promises
}

// Ask judges a single Property.
func (j *Judge) Ask(e *Evidence, p Property) Finding {
	j.open(e)
	defer j.close()
	return j.ask(&p)
}

func (j *Judge) each(list []Property, into []Finding) []Finding {
	for i := range list {
		if list[i].Ticks && j.e.Ticks == 0 {
			continue
		}
		into = append(into, j.ask(&list[i]))
	}
	return into
}

// ask turns what was found into a verdict. A run that was cut short proves what was seen: a broken promise stays
// broken, and what happened has happened. It does not prove that something never broke or never happened, unless that
// is judged by what came after the run.
func (j *Judge) ask(p *Property) Finding {
	f := Finding{Property: p.Name, Verdict: Holds, Witness: Witness{Strike: -1}}
	if j.refused || p.lacks(j.e) != "" {
		f.Verdict = Unknown
		return f
	}
	w, found := p.find(j)
	switch {
	case found && !p.Sometimes:
		f.Verdict, f.Witness = Violated, w
		f.Witness.Strike = latest(j.e.Strikes, func(s *Strike) (clock.Instant, bool) {
			return s.From, s.From <= w.From // the last in the list, because faults of one instant hit in its order
		})
	case !found && j.e.Cut != "" && !p.after:
		f.Verdict = Unknown
	case !found && p.Sometimes:
		f.Verdict = Violated
	}
	return f
}

// Figures returns all figures of a run, always in the same order. They are valid until the next call.
func (j *Judge) Figures(e *Evidence) []Figure {
	j.open(e)
	defer j.close()
	j.figures = j.figures[:0]
	for _, m := range measures {
		f := Figure{Name: m.name, Doc: m.doc, Unit: m.unit}
		if !j.refused {
			f.Value, f.Known = m.take(j)
		}
		if !f.Known {
			f.Value = 0
		}
		j.figures = append(j.figures, f)
	}
	return j.figures
}

// firstViolation judges every promise again, so that Figures does not depend on what was called before.
func (j *Judge) firstViolation() (first int64, known bool) {
	for i := range Properties {
		f := j.ask(&Properties[i])
		if from := int64(f.Witness.From); f.Verdict == Violated && (!known || from < first) {
			first, known = from, true
		}
	}
	return first, known
}
