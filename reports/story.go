package reports

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
)

// A moment is one line of a story.
type moment struct {
	at   clock.Instant
	text string
}

// A teller collects the moments that led to one violation.
type teller struct {
	e       *checker.Evidence
	w       checker.Witness
	moments []moment
}

// story tells how one property came to be violated: the finding in a sentence, then what led to it, moment by moment.
//
// Moments of one instant are told in the order in which they are added here: what a client did, then the fault that
// waited for it, then the keys that the fault took away.
func (s Screen) story(e *checker.Evidence, f checker.Finding) string {
	first := f.Property + " is violated."
	text := s.wrap(first + " " + plainLong(e.Explain(f)+" "+e.Argument(f)))
	return strings.Replace(text, first, s.paint(redInk, first), 1) + s.moments(retrace(e, f))
}

// retrace collects the moments that led to a violation.
func retrace(e *checker.Evidence, f checker.Finding) *teller {
	t := &teller{e: e, w: f.Witness}
	switch t.w.Kind {
	case checker.TwoHolders, checker.TwoWindows:
		t.hold(t.w.First)
		t.hold(t.w.Second)
	case checker.TokenBehind:
		t.token(t.w.First)
		t.token(t.w.Second)
	case checker.QuorumShort:
		t.hold(t.w.First)
	case checker.Resurrected:
		t.hold(t.w.First)
		t.hold(t.w.Second)
		t.add(t.w.To, "%s extends its hold", clientName(t.e.Holds[t.w.First].Client))
	case checker.UpdateLost, checker.FencedLost:
		t.update(t.w.First)
		t.update(t.w.Second)
	case checker.KeyLeaked:
		t.leak(t.w.First, t.w.Second)
	}
	t.strikes()
	switch t.w.Kind {
	case checker.QuorumShort:
		t.keys(&e.Holds[t.w.First])
	case checker.KeyLeaked:
		t.last(&e.Keys[t.w.First])
	}
	return t
}

// add puts a moment on record: once, for both sides of a conflict may have been there. What never came is no moment.
func (t *teller) add(at clock.Instant, format string, args ...any) {
	m := moment{at, fmt.Sprintf(format, args...)}
	if at != clock.Forever && !slices.Contains(t.moments, m) {
		t.moments = append(t.moments, m)
	}
}

// inOrder gives the moments in order of time.
func (t *teller) inOrder() []moment {
	slices.SortStableFunc(t.moments, func(a, b moment) int { return cmp.Compare(a.at, b.at) })
	return t.moments
}

// moments gives the moments as lines, in order of time.
func (s Screen) moments(t *teller) string {
	t.inOrder()
	width := 0
	for _, m := range t.moments {
		width = max(width, len(micros(m.at)))
	}
	var b strings.Builder
	for _, m := range t.moments {
		b.WriteString(s.hang(fmt.Sprintf("  %*s  ", max(width, 12), micros(m.at)), noInk, plainLong(m.text), s.width()))
	}
	return b.String()
}

// strikes tells the faults that had struck by the time it was over, and their ends.
func (t *teller) strikes() {
	for _, s := range t.e.Strikes {
		if s.From > t.w.To {
			continue
		}
		lasts := ""
		if s.To != clock.Forever {
			lasts = ", for " + s.To.Sub(s.From).String()
			t.add(s.To, "fault over: %s", s.Fault)
		}
		t.add(s.From, "fault: %s%s", s.Fault, lasts)
	}
}

// hold tells the life of one hold.
func (t *teller) hold(i int) {
	h := &t.e.Holds[i]
	who, released := clientName(h.Client), t.released(h)
	t.add(h.From, "%s acquires the lock%s, %s", who, fence(h.Fence), t.holders(h))
	switch {
	case h.Valid <= h.From:
		t.add(h.From, "%s's validity had passed before that", who)
	default:
		for _, end := range t.ends(i, released) {
			t.add(end, "%s's validity ends, by its own clock", who)
		}
	}
	switch {
	case h.Gone == released:
	case released != clock.Forever:
		t.add(h.Gone, "%s gives up, for it sees that its validity has passed", who)
	default:
		t.add(h.Gone, "%s crashes", who)
	}
	t.add(released, "%s releases the lock", who)
}

// ends gives the instants at which the validity of a hold ended before its release: the last of its windows, and those
// after which it came back with an extension.
func (t *teller) ends(hold int, released clock.Instant) (all []clock.Instant) {
	end := t.e.Holds[hold].Valid
	for i := range t.e.Renewals {
		r := &t.e.Renewals[i]
		if r.Hold != hold || !r.OK {
			continue
		}
		if r.At > end {
			all = append(all, end)
		}
		end = max(end, r.Valid)
	}
	if end < released {
		all = append(all, end)
	}
	return all
}

// released gives the instant at which the holder called release: a client does so as soon as it holds no longer.
func (t *teller) released(h *checker.Hold) clock.Instant {
	for _, op := range t.e.History {
		if op.Time >= h.Gone && op.F == checker.Release && op.Type == checker.Invoke && t.client(op.Process) == h.Client {
			return op.Time
		}
	}
	return clock.Forever
}

// client gives the client behind a process of the history. A process that never learnt an outcome goes on under a new
// number, a multiple of the number of clients further on.
func (t *teller) client(process int) int {
	return process % t.e.Clients
}

// holders says which nodes had the hold's key when it was acquired.
func (t *teller) holders(h *checker.Hold) string {
	var names []string
	before := false
	for _, s := range t.e.Keys {
		if s.Token != h.Token || s.From > h.From {
			continue
		}
		before = true
		if name := home(t.e, s.Node); h.From <= s.To && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	switch {
	case len(names) > 0:
		return "with its key on " + few(names, 9, " ")
	case t.e.Service == "":
		return "with its key on no node any more"
	case before:
		return "with its key no longer on " + t.e.Service
	}
	return "though " + t.e.Service + " does not hold it for " + clientName(h.Client)
}

// token tells how a hold came by its fencing token.
func (t *teller) token(i int) {
	h := &t.e.Holds[i]
	t.add(h.Asked, "%s asks for a fencing token", clientName(h.Client))
	t.hold(i)
}

// keys tells where the keys of a hold went before their time.
func (t *teller) keys(h *checker.Hold) {
	for _, s := range t.e.Keys {
		if s.Token == h.Token && s.To <= t.w.To && (s.Node == 0 || t.e.Service == "") {
			t.add(s.To, "%s no longer has %s's key", home(t.e, s.Node), clientName(h.Client))
		}
	}
}

// leak tells who set a key, when, and when its owner was done with it.
func (t *teller) leak(key, try int) {
	s := &t.e.Keys[key]
	if try < 0 {
		t.add(s.From, "%s has a key of nobody known", home(t.e, s.Node))
		return
	}
	own := &t.e.Tries[try]
	who := clientName(own.Client)
	t.add(own.From, "%s begins an attempt to acquire", who)
	t.add(s.From, "%s has %s's key from now on", home(t.e, s.Node), who)
	if i := t.won(own); i >= 0 {
		t.hold(i)
	} else {
		t.add(own.To, "%s's attempt ends without the lock: %s", who, own.Outcome)
	}
	if own.Clean {
		t.add(own.Left, "%s is done with it: every node that it released it on has acknowledged", who)
	} else {
		t.add(own.Left, "%s is done with it, though not every node has acknowledged a release", who)
	}
}

// won gives the hold that an attempt won, or -1.
func (t *teller) won(try *checker.Try) int {
	return slices.IndexFunc(t.e.Holds, func(h checker.Hold) bool {
		return try.Outcome == checker.Won && h.Client == try.Client && h.Token == try.Token && h.From >= try.To
	})
}

// last tells the end of a leaked key, or that the run did not see it.
func (t *teller) last(s *checker.Span) {
	switch {
	case s.To <= t.e.End:
		t.add(s.To, "%s no longer has the key", home(t.e, s.Node))
	case s.To == clock.Forever:
		t.add(t.e.End, "the run ends; %s still has the key, and would keep it for ever", home(t.e, s.Node))
	default:
		t.add(t.e.End, "the run ends; %s still has the key, and would keep it until %s", home(t.e, s.Node), s.To)
	}
}

// update tells how one update came about: the hold it was made under, what it was based on, and what became of it.
func (t *teller) update(i int) {
	u := &t.e.Writes[i]
	who, op := clientName(u.Client), t.e.History[u.Op]
	if h := t.holdAt(u.Client, op.Time); h >= 0 {
		t.hold(h)
	}
	if read, ok := t.readBefore(u.Op); ok {
		t.add(read.Time, "%s reads version %d", who, read.Value.Plain)
	}
	sends := "%s sends its write, based on version %d"
	if u.Asked {
		sends = "%s asks whether its write, based on version %d, would be taken"
	}
	t.add(op.Time, sends, who, u.Plain.Base)
	fenced := "fenced storage accepts it"
	if u.Fenced.Made == 0 {
		fenced = "fenced storage refuses it, for " + refusals[t.e.Guard]
	}
	t.add(u.At, "%s's write%s arrives: plain storage makes it version %d; %s", who, fence(u.Fence), u.Plain.Made, fenced)
}

// refusals say why fenced storage refuses a write.
var refusals = [...]string{
	checker.ByOrder:    "it has seen a higher token",
	checker.ByEquality: "the last read brought another token",
	checker.ByVersion:  "it is not based on the present version",
}

// holdAt gives the client's latest hold that began by an instant, or -1.
func (t *teller) holdAt(client int, at clock.Instant) int {
	last := -1
	for i := range t.e.Holds {
		if h := &t.e.Holds[i]; h.Client == client && h.From <= at {
			last = i
		}
	}
	return last
}

// readBefore gives the answer to the read on which a write was based: the last one of its process.
func (t *teller) readBefore(write int) (checker.Op, bool) {
	for i := write; i >= 0; i-- {
		if op := t.e.History[i]; op.F == checker.Read && op.Type == checker.OK && op.Process == t.e.History[write].Process {
			return op, true
		}
	}
	return checker.Op{}, false
}

func fence(token uint64) string {
	if token == 0 {
		return ""
	}
	return fmt.Sprintf(" (token %d)", token)
}

// micros gives an instant in seconds, with all six digits, so that they stand in line.
func micros(t clock.Instant) string {
	return fmt.Sprintf("%.6fs", t.Sub(0).Seconds())
}
