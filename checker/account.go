package checker

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lockstorm/lockstorm/clock"
)

// An Account is what broke and why, in a paragraph, with the faults that it names.
type Account struct {
	Text    string
	Strikes []int // indices of the faults, in the order of their mention
}

func (a *Account) names(strike int) bool { return slices.Contains(a.Strikes, strike) }

// mention marks a fault in a sentence of an argument. Only account, which joins the sentences, knows whether the fault
// was named before.
func mention(strike int) string {
	if strike < 0 {
		return ""
	}
	return mark + strconv.Itoa(strike) + mark
}

// mark encloses the number of a mention.
const mark = "\x00"

// account joins sentences. It names a fault at its first mention, and afterwards calls it by its time.
func (e *Evidence) account(sentences []string) (a Account) {
	for i, part := range strings.Split(strings.Join(sentences, " "), mark) {
		strike, err := strconv.Atoi(part)
		if i%2 == 0 || err != nil || strike < 0 || strike >= len(e.Strikes) {
			a.Text += part
			continue
		}
		s := &e.Strikes[strike]
		if a.names(strike) {
			a.Text += " (the fault at " + seconds(s.From) + ")"
			continue
		}
		a.Text += " (fault: " + strconv.Quote(s.Fault) + " at " + seconds(s.From) + ")"
		a.Strikes = append(a.Strikes, strike)
	}
	return a
}

// again calls a fault by its time, where it has been named before.
func (s *Strike) again() string { return "the fault that hit at " + seconds(s.From) }

// faultOn mentions the latest fault on a host that was in effect in an interval; "" if there is none.
func (e *Evidence) faultOn(host string, since, until clock.Instant) string {
	return mention(latest(e.Strikes, func(s *Strike) (clock.Instant, bool) {
		return s.From, s.strikes(host) && s.From <= until && max(s.From, s.To-1) >= since
	}))
}

// endingSentence returns why a key went, as the end of a sentence: a colon, the reason with the fault that is on
// record, and a full stop.
func (e *Evidence) endingSentence(s *Span) string {
	text := e.endingSuffix(s)
	if s.drifted() || s.Ended.Cause == Stepped || s.Ended.Cause == Lost || s.Ended.Cause == Evicted {
		text += mention(s.Ended.Strike)
	}
	return text + "."
}

// endingSuffix returns a colon and why a key went, to follow the statement that it did; "" if that is not on record.
func (e *Evidence) endingSuffix(s *Span) string {
	doer, lane := "a command", e.lane(s.Lane)
	if s.Ended.Client >= 0 {
		doer = client(s.Ended.Client)
	}
	why := [...]string{
		Unrecorded:  "",
		Expired:     ": it expired",
		Stepped:     ": the clock of " + lane + " jumped over its deadline",
		Deleted:     ": " + doer + " deleted the key",
		Overwritten: ": " + doer + " set its own key over that one",
		Failed:      ": " + doer + " made a mistake, and that ended its session",
		Lost:        ": " + lane + " forgot it",
		Copied:      ": its master had removed it",
		Superseded:  ": another server became master, which did not have it",
		Evicted:     ": " + lane + " evicted it, because its memory was full",
	}[s.Ended.Cause]
	if s.drifted() {
		why += say(" by the clock of %v, which had gained %v", lane, s.Ended.Gained)
	}
	return why
}

// drifted reports whether the key expired by a clock that ran fast.
func (s *Span) drifted() bool { return s.Ended.Cause == Expired && s.Ended.Gained >= time.Microsecond }

// failedSentence says which rule of the algorithm failed when a key went before its hold's validity had ended.
func (e *Evidence) failedSentence(s *Span, hold int, end clock.Instant) string {
	const rule = "Broken rule: "
	alone := e.alone()
	switch {
	case s.Ended.Cause == Unrecorded:
		return "What ended the key is not on record."
	case s.Ended.Cause == Overwritten:
		return rule + "on acquire, set a key only where there is none."
	case s.Ended.Cause == Deleted && s.Ended.Client == e.Holds[hold].Client, s.Ended.Cause == Failed:
		return rule + "a client does not count on a key that it has ended itself."
	case s.Ended.Cause == Deleted && e.triedWith(s.Ended.Client, s.Token):
		return rule + "no two clients use the same lock value."
	case s.Ended.Cause == Deleted:
		return rule + "on release, delete the key only if it is the client's own."
	case s.Ended.Cause != Expired || s.early(end):
		keep := rule + cmp.Or(alone, "the node") + " keeps a key until its TTL has passed"
		if alone != "" {
			return keep + "."
		}
		return keep + ", so that it votes once."
	case alone != "":
		return e.slowClockSentence(hold) + rule + "a hold ends for its client before it ends for " + alone + "."
	}
	return e.slowClockSentence(hold) + rule + "the validity ends before the first of the keys that it counts on."
}

// triedWith reports whether one of the client's attempts had this token.
func (e *Evidence) triedWith(client int, token string) bool {
	return slices.ContainsFunc(e.Tries, func(t Try) bool { return t.Client == client && t.Token == token })
}

// slowClockSentence says that the clock by which a hold's validity is measured ran slow; "" if it did not.
func (e *Evidence) slowClockSentence(hold int) string {
	h := &e.Holds[hold]
	if h.Slow < time.Microsecond {
		return ""
	}
	return say("The clock of %v had lost %v%v. ", h, h.Slow, mention(h.Slowed))
}

// neverGrantedArgument describes a hold that the one lane never granted. Either something else granted it, such as a
// former master that does not know of the new one, or its client only believed so.
func (e *Evidence) neverGrantedArgument(h *Hold) string {
	return say("%v never held the lock for %v, whose acquire returned all the same. "+
		"Broken rule: only %v grants the lock.", sentence(e.alone()), h, e.alone())
}

// Extended describes the outcome of an extension, with the deadline that it set: c1's extension succeeds: the hold is
// valid until 12.9s
func (e *Evidence) Extended(renewal int) string {
	r := &e.Renewals[renewal]
	outcome := "fails"
	switch {
	case r.OK && r.Valid <= r.At:
		outcome = "succeeds, but the deadline that it set has passed"
	case r.OK:
		outcome = "succeeds" + e.validUntil(renewal)
	}
	return e.owner(r.Hold) + "'s extension " + outcome
}

// validUntil says until when a successful extension makes its hold valid: until the lock's clock reaches its deadline.
// For a hold that ended before, it returns the deadline, if that is on record.
func (e *Evidence) validUntil(renewal int) string {
	r := &e.Renewals[renewal]
	h := &e.Holds[r.Hold]
	switch {
	case r.Deadline > r.Valid:
		return ": its deadline is " + seconds(r.Deadline)
	case r.Valid == clock.Forever || r.Valid > e.End:
		return ": the hold is valid beyond the end of the run"
	case h.Crashed && r.Valid == h.Gone:
		return ": the hold is valid until its client crashes"
	case r.Valid == e.released(h):
		return ": the hold is valid until it is released"
	}
	return ": the hold is valid until " + seconds(r.Valid)
}

// holders describes which lanes had the hold's key when it was acquired.
func (e *Evidence) holders(h *Hold) string {
	var names []string
	before := false
	for _, k := range e.Keys {
		if k.Token != h.Token || k.From > h.From {
			continue
		}
		before = true
		if name := e.lane(k.Lane); h.From <= k.To && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	switch {
	case len(names) > namesMost:
		return fmt.Sprintf("with its key on %s and %d more", strings.Join(names[:namesMost], " "), len(names)-namesMost)
	case len(names) > 0:
		return "with its key on " + strings.Join(names, " ")
	case e.alone() == "":
		return "with its key on no node any more"
	case before:
		return "with its key no longer on " + e.alone()
	}
	return "though " + e.alone() + " does not hold it for " + client(h.Client)
}

// namesMost is how many lanes an event names.
const namesMost = 9
