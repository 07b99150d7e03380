package checker

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/lockstorm/lockstorm/clock"
)

// A Figure is a number about a run that is no verdict. It is exact, as verdicts are, and counts only what was seen.
type Figure struct {
	Name  string
	Doc   string // what it counts or measures, as a plain sentence
	Unit  Unit
	Known bool  // false where the run has no such number, such as a wait where nobody acquired
	Value int64 // 0 where it is not known
}

// A Unit says what a Figure's value counts.
type Unit uint8

// The units of a Figure.
const (
	Count  Unit = iota // a plain number
	Nanos              // a duration in nanoseconds of true time
	Moment             // an instant, in nanoseconds of true time since the run began
)

// units are the words for each Unit.
var units = [...]string{Count: "count", Nanos: "nanoseconds", Moment: "instant"}

// String returns the unit in one word: count, nanoseconds or instant.
func (u Unit) String() string { return word(units[:], uint8(u), "unit") }

// String returns the value as a sentence would: 12, 0.25s, or "-" where it is not known.
func (f Figure) String() string {
	switch {
	case !f.Known:
		return "-"
	case f.Unit == Count:
		return strconv.FormatInt(f.Value, 10)
	}
	return seconds(clock.Instant(f.Value))
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
	{"attempts", "attempts to acquire", Count, tally((*Judge).attempts)},
	{"attempts-lost", "attempts that failed", Count, tally((*Judge).attemptsLost)},
	{"split-votes", "attempts that got too few votes, though nobody held the lock meanwhile", Count, tally((*Judge).splitVotes)},
	{"overtaken", "pairs of acquires in which the one that was called earlier succeeded later", Count, (*Judge).overtaken},
	{"overlaps", "holds that began while another client still went on as holder", Count, tally((*Judge).overlaps)},
	{"overstayed", "holds whose client went on as holder after its validity had passed", Count, tally((*Judge).overstayed)},
	{"updates-lost-plain", "updates that plain storage applied and its last version does not contain", Count, tally((*Judge).lostPlain)},
	{"updates-lost-fenced", "updates that fenced storage applied and its last version does not contain", Count, tally((*Judge).lostFenced)},
	{"writes-refused", "writes that fenced storage refused", Count, tally((*Judge).writesRefused)},
	{"renewals", "extensions that were asked for", Count, tally((*Judge).renewalsAsked)},
	{"renewals-failed", "extensions that returned without success", Count, tally((*Judge).failedRenewals)},
	{"first-violation", "when it was first plain that a promise was broken", Moment, (*Judge).firstViolation},
	{"end", "when the run ended", Moment, func(j *Judge) (int64, bool) { return int64(j.e.End), true }},
}

// tally makes a measure of a count, which is always known.
func tally(count func(*Judge) int) func(*Judge) (int64, bool) {
	return func(j *Judge) (int64, bool) { return int64(count(j)), true }
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

// idleTime is not known without clients and lanes: then nobody can ask, or nothing can grant.
func (j *Judge) idleTime() (sum int64, known bool) {
	for _, s := range j.unavailable() {
		sum += int64(s.To - s.From)
	}
	return sum, len(j.e.Lanes) > 0 && j.e.Clients > 0
}

// longest returns the longest stretch of unavailability; of several, the first.
func (j *Judge) longest() (best Stretch) {
	for _, s := range j.unavailable() {
		if s.To-s.From > best.To-best.From {
			best = s
		}
	}
	return best
}

func (j *Judge) idleLongest() (int64, bool) {
	s := j.longest()
	return int64(s.To - s.From), len(j.e.Lanes) > 0 && j.e.Clients > 0
}

func (j *Judge) idleLongestFrom() (int64, bool) {
	s := j.longest()
	return int64(s.From), s.From < s.To
}

// heldTime counts each instant before End once, however many holds are valid then.
func (j *Judge) heldTime() (sum int64, known bool) {
	j.windows = union(append(j.windows[:0], j.entitlements()...))
	for _, w := range j.windows {
		sum += max(0, int64(min(w.until, j.e.End)-w.from))
	}
	return sum, true
}

func (j *Judge) wins(into []window) []window {
	calls := j.operations()
	for i := range calls {
		if c := &calls[i]; c.f == Acquire && c.outcome == OK {
			into = append(into, j.e.window(c))
		}
	}
	return into
}

// waits returns the windows of the acquires that succeeded, the shortest wait first.
func (j *Judge) waits() []window {
	j.windows = j.wins(j.windows[:0])
	slices.SortFunc(j.windows, func(a, b window) int { return cmp.Compare(a.until-a.from, b.until-b.from) })
	return j.windows
}

// waitMedian returns the lower median of the waits.
func (j *Judge) waitMedian() (int64, bool) {
	ws := j.waits()
	if len(ws) == 0 {
		return 0, false
	}
	w := ws[(len(ws)-1)/2]
	return int64(w.until - w.from), true
}

func (j *Judge) waitMax() (int64, bool) {
	ws := j.waits()
	if len(ws) == 0 {
		return 0, false
	}
	w := ws[len(ws)-1]
	return int64(w.until - w.from), true
}

func (j *Judge) firstWinner() (int64, bool) {
	j.windows = j.wins(j.windows[:0])
	if len(j.windows) == 0 {
		return 0, false
	}
	calls := j.operations()
	asked := calls[slices.IndexFunc(calls, func(c call) bool { return c.f == Acquire })]
	first := slices.MinFunc(j.windows, func(a, b window) int { return cmp.Compare(a.until, b.until) })
	return int64(first.until - j.e.History[asked.invoke].Time), true
}

func (j *Judge) attempts() int { return len(j.e.Tries) }

// attemptsLost counts the tries that failed, without those that were open when the run ended or their client died.
func (j *Judge) attemptsLost() (n int) {
	for i := range j.e.Tries {
		n += truth(j.e.Tries[i].Outcome != Won && j.e.Tries[i].Outcome != Pending)
	}
	return n
}

// splitVotes counts the tries without quorum that overlap no time in which some client held the lock. It is exact: those
// times are maximal, so only the first that ends after the try began need be compared with it.
func (j *Judge) splitVotes() (n int) {
	j.windows = union(j.held(j.windows[:0]))
	for i := range j.e.Tries {
		t := &j.e.Tries[i]
		if t.Outcome != NoQuorum {
			continue
		}
		rest := endingAfter(j.windows, t.From)
		n += truth(len(rest) == 0 || max(rest[0].from, t.From) >= min(rest[0].until, t.To))
	}
	return n
}

// overtaken counts the pairs in which the call came earlier and the success later. Equal instants have no order: acquires
// that were called together are sorted by success, and those that succeeded together are not counted.
func (j *Judge) overtaken() (int64, bool) {
	j.windows = j.wins(j.windows[:0])
	slices.SortFunc(j.windows, func(a, b window) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.until, b.until))
	})
	j.others = append(j.others[:0], j.windows...)
	return inversions(j.windows, j.others), j.e.Clients > 0
}

// inversions sorts windows by their end and counts the pairs that were in the wrong order. Spare must be as long.
func inversions(ws, spare []window) (n int64) {
	if len(ws) < 2 {
		return 0
	}
	half := len(ws) / 2
	n = inversions(ws[:half], spare[:half]) + inversions(ws[half:], spare[half:])
	copy(spare, ws)
	a, b := spare[:half], spare[half:]
	for i := range ws {
		if len(b) == 0 || len(a) > 0 && a[0].until <= b[0].until {
			ws[i], a = a[0], a[1:]
			continue
		}
		ws[i], b = b[0], b[1:]
		n += int64(len(a)) // all that are left of the first half end later
	}
	return n
}

func (j *Judge) lostPlain() int  { return j.lostIn(plainChange) }
func (j *Judge) lostFenced() int { return j.lostIn(fencedChange) }

// lostIn counts the updates that a register applied and that its last version does not contain. A version contains the
// update that made it and all that its base contains. So going back from the last version, base by base, finds all that
// it contains.
func (j *Judge) lostIn(in func(*Update) Change) (n int) {
	next, begun := uint64(0), false
	for i := len(j.e.Writes) - 1; i >= 0; i-- {
		c := in(&j.e.Writes[i])
		switch {
		case c.Made == 0:
		case !begun || c.Made == next:
			begun, next = true, c.Base
		default:
			n++
		}
	}
	return n
}

func (j *Judge) writesRefused() (n int) {
	for i := range j.e.Writes {
		n += truth(j.e.Writes[i].Fenced.Made == 0)
	}
	return n
}

func (j *Judge) renewalsAsked() int { return len(j.e.Renewals) }

// failedRenewals counts the renewals that returned without success. Those that never returned are left out.
func (j *Judge) failedRenewals() (n int) {
	for i := range j.e.Renewals {
		n += truth(!j.e.Renewals[i].OK && j.e.Renewals[i].At != clock.Forever)
	}
	return n
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
