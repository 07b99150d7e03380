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
	Strikes []int // as indices into those of the Evidence, in the order in which they are named
}

func (a *Account) names(strike int) bool { return slices.Contains(a.Strikes, strike) }

// mention stands for a fault in a sentence of an argument, until the sentences are put together. Only then it is known
// whether the fault was named before.
func mention(strike int) string {
	if strike < 0 {
		return ""
	}
	return mark + strconv.Itoa(strike) + mark
}

// mark encloses the number of a mention.
const mark = "\x00"

// account puts sentences together. A fault is named where it is mentioned first, and afterwards called by its time.
func (e *Evidence) account(sentences []string) (a Account) {
	for i, part := range strings.Split(strings.Join(sentences, " "), mark) {
		strike, err := strconv.Atoi(part)
		if i%2 == 0 || err != nil || strike < 0 || strike >= len(e.Strikes) {
			a.Text += part
			continue
		}
		s := &e.Strikes[strike]
		if a.names(strike) {
			a.Text += " (" + s.again() + ")"
			continue
		}
		a.Text += " (" + strconv.Quote(s.Fault) + " at " + seconds(s.From) + ")"
		a.Strikes = append(a.Strikes, strike)
	}
	return a
}

// again calls a fault by its time, where it has been named before.
func (s *Strike) again() string { return "the fault that struck at " + seconds(s.From) }

// faultOn mentions the latest fault on a host that was in effect in an interval; "" if there is none.
func (e *Evidence) faultOn(host string, since, until clock.Instant) string {
	return mention(latest(e.Strikes, func(s *Strike) (clock.Instant, bool) {
		return s.From, s.strikes(host) && s.From <= until && max(s.From, s.To-1) >= since
	}))
}

// endingClause returns why a key went, as text to follow a colon; empty if that is not on record.
func (e *Evidence) endingClause(s *Span) string {
	doer, lane := "a command", e.lane(s.Lane)
	if s.Ended.Client >= 0 {
		doer = client(s.Ended.Client)
	}
	switch s.Ended.Cause {
	case Expired:
		if s.Ended.Gained < time.Microsecond {
			return "it expired"
		}
		return say("it expired by the clock of %v, which had gained %v", lane, s.Ended.Gained)
	case Stepped:
		return "the clock of " + lane + " jumped over its deadline"
	case Deleted:
		return doer + " deleted it"
	case Overwritten:
		return doer + " set its own key over it"
	case Failed:
		return doer + " made a mistake, and that ended its session"
	case Lost:
		return lane + " forgot it"
	case Copied:
		return "its master had removed it"
	case Superseded:
		return "another server became master, which did not have it"
	}
	return ""
}

// endingSentence returns why a key went, as the end of a sentence: a colon, the reason with the fault that is on record for
// it, and a full stop.
func (e *Evidence) endingSentence(s *Span) string {
	switch s.Ended.Cause {
	case Expired, Stepped, Lost:
		if s.Ended.Cause != Expired || s.Ended.Gained >= time.Microsecond {
			return e.endingSuffix(s) + mention(s.Ended.Strike) + "."
		}
	}
	return e.endingSuffix(s) + "."
}

// endingSuffix returns a colon and why a key went, to follow the statement that it did; "" if that is not on record.
func (e *Evidence) endingSuffix(s *Span) string {
	if why := e.endingClause(s); why != "" {
		return ": " + why
	}
	return ""
}

// defeatedSentence returns a sentence about the step of the algorithm that was defeated when a key of a hold went before the
// hold's validity had ended.
func (e *Evidence) defeatedSentence(s *Span, hold int, end clock.Instant) string {
	const step = "The step that was defeated is "
	alone := e.alone()
	switch {
	case s.Ended.Cause == Unrecorded:
		return "What ended the key is not on record."
	case s.Ended.Cause == Overwritten:
		return step + "the acquire: to set a key only where there is none."
	case s.Ended.Cause == Deleted && s.Ended.Client == e.Holds[hold].Client, s.Ended.Cause == Failed:
		return step + "the client's own: to count on no key that it has ended itself."
	case s.Ended.Cause == Deleted:
		return step + "the release: to remove a key only if it is the client's own."
	case s.Ended.Cause != Expired || s.early(end):
		keep := step + cmp.Or(alone, "the node") + "'s: to keep a key until its time to live has passed"
		if alone != "" {
			return keep + "."
		}
		return keep + ", so that it votes once."
	case alone != "":
		return e.slowClockSentence(hold) + step + "that a hold ends for its client before it ends for " + alone + "."
	}
	return e.slowClockSentence(hold) + step + "the sum for the validity: it should end before the first of the keys that it " +
		"counts on."
}

// slowClockSentence returns a sentence if the clock that a hold's validity counts on ran slow, and "" if not.
func (e *Evidence) slowClockSentence(hold int) string {
	h := &e.Holds[hold]
	if h.Slow < time.Microsecond {
		return ""
	}
	return say("The clock of %v had lost %v%v. ", h, h.Slow, mention(h.Slowed))
}

// neverGrantedArgument describes a hold that the one lane never granted. Either something else granted it, such as a server
// that was master before and does not know that another is now, or its client only believed so.
func (e *Evidence) neverGrantedArgument(h *Hold) string {
	return say("%v never held the lock for %v, whose acquire returned all the same. The step that was defeated is that the "+
		"lock is had from %v alone.", sentence(e.alone()), h, e.alone())
}

// Extended returns what came of an extension, with the deadline that it set: c1's extension succeeds: the hold is valid
// until 12.9s
func (e *Evidence) Extended(renewal int) string {
	r := &e.Renewals[renewal]
	switch who := e.owner(r.Hold); {
	case !r.OK:
		return who + "'s extension fails"
	case r.Valid <= r.At:
		return who + "'s extension succeeds, but the deadline that it set has passed"
	default:
		return who + "'s extension succeeds" + e.validUntil(renewal)
	}
}

// validUntil returns until when a successful extension makes its hold valid: the instant at which the clock that the lock
// counts on reaches its deadline. Of a hold that ended before, it returns the deadline, if that is on record.
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
		return "with its key on " + strings.Join(names[:namesMost], " ") + fmt.Sprintf(" and %d more", len(names)-namesMost)
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
