package checker

// Properties are the promises of a lock, in the order in which reports list them. Each is judged on its own, because
// each breaks in other runs than the rest.
//
// Whether the history that clients saw is legal for a model of a lock is judged by package blackbox.
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
}

// Sometimes are the things that a scenario may demand to have happened: a run in which nothing happened proves nothing.
var Sometimes = []Property{
	sometimes("contended", "Did a client try to acquire while another held the lock?", (*Judge).contended),
	sometimes("acquired-by-two", "Did two different clients acquire the lock?", (*Judge).acquiredByTwo),
	sometimes("acquired", "Did a client acquire the lock?", func(j *Judge) bool { return len(j.e.Holds) > 0 }),
	sometimes("fault-struck", "Were faults planned, and did every one of them strike?", (*Judge).faultStruck),
	sometimes("expired-while-held", "Did a client go on as holder at a time at which it was not valid?", (*Judge).expiredWhileHeld),
	sometimes("quorum-lost", "Did a majority of nodes lack the key at some time while its client held it, or was entitled to?",
		(*Judge).quorumLost),
	sometimes("refused-too-late", "Was a lock with votes enough refused because its validity had passed?", (*Judge).refusedTooLate),
	sometimes("stale-write-refused", "Did fencing refuse a write that plain storage applied?", (*Judge).staleWriteRefused),
	sometimes("late-write", "Was a write applied after its client had stopped holding the lock it was made "+
		"under?", (*Judge).lateWrite),
	sometimes("extended", "Did an extension succeed?", (*Judge).extended),
	sometimes("extension-failed", "Did an extension fail?", func(j *Judge) bool { return j.failedRenewals() > 0 }),
	sometimes("unavailable", "Was there a time in which nobody held the lock and nobody could have been granted it?",
		func(j *Judge) bool { return len(j.unavailable()) > 0 }),
	sometimes("split-vote", "Did two clients have votes at the same time, neither enough, and both come away without the lock?",
		(*Judge).splitVote),
	sometimes("overtaken", "Did a client acquire the lock before another that had asked for it earlier?", (*Judge).wasOvertaken),
	sometimes("crashed-while-held", "Did a client crash while it held the lock?", (*Judge).crashedWhileHeld),
	sometimes("shared", "Did two clients hold the lock at the same time, both of them shared?", (*Judge).shared),
	sometimes("holder-refused", "Did fencing refuse a write of a client that alone held the lock?", (*Judge).holderRefused),
	sometimes("kept-out", "Did a client wait, through one hold of another, for longer than a lock lasts that nobody extends?",
		(*Judge).keptOut),
	sometimes("written", "Did storage apply a write?", (*Judge).written),
	{Name: "wanted-after-fault", Sometimes: true, find: happens((*Judge).wantedAfterFault),
		Asks: "Did another client than the latest holder ask for the lock after the first fault had struck?",
		Hint: "A fault that strikes a lock that nobody else wants proves nothing. The settings that most often prevent it are " +
			"work.stagger, " +
			"work.recheck and work.stop_at_deadline: let the others start while the fault is in force, and the holder go on."},
}

// sometimes returns a Property of the list Sometimes, by the question whether the thing happened.
func sometimes(name, asks string, did func(*Judge) bool) Property {
	return Property{Name: name, Asks: asks, Sometimes: true, find: happens(did)}
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
	p, _ := Lookup(f.Property)
	return f.Verdict == Violated && p.Loses
}

// A measure is a Figure and how to take it.
type measure struct {
	name, doc string
	unit      Unit
	take      func(*Judge) (value int64, known bool)
}

// measures are all figures, in the order in which Figures returns them.
var measures = [...]measure{
	{"unavailable", "time in which nobody held the lock and nobody could have been granted it", Nanos, (*Judge).idleTime},
	{"unavailable-longest", "the longest stretch of that", Nanos, (*Judge).idleLongest},
	{"unavailable-longest-from", "when the longest stretch of that began", Moment, (*Judge).idleLongestFrom},
	{"held", "time in which some client held the lock validly", Nanos, (*Judge).heldTime},
	{"wait-median", "the median wait for the lock, from the call of acquire to its success", Nanos, (*Judge).waitMedian},
	{"wait-max", "the longest of those waits", Nanos, (*Judge).waitMax},
	{"first-winner", "time from the first call of acquire to the first success of one", Nanos, (*Judge).firstWinner},
	{"attempts", "attempts to acquire", Count, tally(func(j *Judge) int { return len(j.e.Tries) })},
	{"attempts-lost", "attempts that failed", Count, tally((*Judge).attemptsLost)},
	{"split-votes", "attempts that got too few votes, though nobody held the lock meanwhile", Count, tally((*Judge).splitVotes)},
	{"overtaken", "pairs of acquires in which the one that was called earlier succeeded later", Count, (*Judge).overtaken},
	{"overlaps", "holds that began while another client still went on as holder", Count, tally((*Judge).overlaps)},
	{"overstayed", "holds whose client went on as holder after its validity had passed", Count, tally((*Judge).overstayed)},
	{"updates-lost-plain", "updates that plain storage applied and its last version does not contain", Count,
		tally(func(j *Judge) int { return j.lostIn(plainChange) })},
	{"updates-lost-fenced", "updates that fenced storage applied and its last version does not contain", Count,
		tally(func(j *Judge) int { return j.lostIn(fencedChange) })},
	{"writes-refused", "writes that fenced storage refused", Count, tally((*Judge).writesRefused)},
	{"renewals", "extensions that were asked for", Count, tally(func(j *Judge) int { return len(j.e.Renewals) })},
	{"renewals-failed", "extensions that returned without success", Count, tally((*Judge).failedRenewals)},
	{"struck-while-held", "faults that struck while some client held the lock", Count, whileHeld(struckAt)},
	{"forward-while-held", "steps of a wall clock forward while some client held the lock", Count, whileHeld(forward)},
	{"back-while-held", "steps of a wall clock back while some client held the lock", Count, whileHeld(back)},
	{"strobe-while-held", "strobes of a wall clock that began while some client held the lock", Count, whileHeld(strobed)},
	{"first-violation", "when it was first plain that a promise was broken", Moment, (*Judge).firstViolation},
	{"end", "when the run ended", Moment, func(j *Judge) (int64, bool) { return int64(j.e.End), true }},
}

// tally makes a measure of a count, which is always known.
func tally(count func(*Judge) int) func(*Judge) (int64, bool) {
	return func(j *Judge) (int64, bool) { return int64(count(j)), true }
}

// Judge judges all Properties and returns their Findings in that order. They are valid until the next call.
func (j *Judge) Judge(e *Evidence) []Finding {
	j.open(e)
	defer j.close()
	j.promises = j.each(Properties, j.promises[:0])
	return j.promises
}

// Sometimes judges the list Sometimes and returns their Findings in that order: Holds where the thing happened, Violated
// where it did not. They are valid until the next call. A scenario says which of them must hold.
func (j *Judge) Sometimes(e *Evidence) []Finding {
	j.open(e)
	defer j.close()
	j.happened = j.each(Sometimes, j.happened[:0])
	return j.happened
}

// Both judges all Properties and the given ones of Sometimes, and sorts the evidence only once for all. The Findings are
// in the order of Properties and of the list given, and are valid until the next call.
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
		into = append(into, j.ask(&list[i]))
	}
	return into
}

// ask turns what was found into a verdict. A run that was cut short proves what was seen: a broken promise stays broken,
// and what happened has happened. It does not prove that something never broke or never happened, unless that is judged by
// what came after the run.
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
		f.Witness.Strike = j.e.opened(w.From)
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
	for i := range measures {
		m := &measures[i]
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
