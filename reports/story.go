package reports

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/scenarios"
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
func story(r *scenarios.Result, f checker.Finding) string {
	t := &teller{e: r.Evidence, w: f.Witness}
	switch f.Witness.Kind {
	case checker.TwoHolders, checker.TwoWindows, checker.TokenBehind:
		t.hold(f.Witness.First)
		t.hold(f.Witness.Second)
	case checker.QuorumShort:
		t.hold(f.Witness.First)
		t.keys(t.e.Holds[f.Witness.First].Token)
	case checker.UpdateLost, checker.FencedLost:
		t.update(f.Witness.First)
		t.update(f.Witness.Second)
	case checker.KeyLeaked:
		t.keys(t.e.Keys[f.Witness.First].Token)
	}
	t.strikes() // last, for a fault that waits for a mark strikes after what reached it
	return t.tell(f)
}

func (t *teller) add(at clock.Instant, format string, args ...any) {
	if at != clock.Forever {
		t.moments = append(t.moments, moment{at, fmt.Sprintf(format, args...)})
	}
}

// tell gives the story in order of time, without repeating itself.
func (t *teller) tell(f checker.Finding) string {
	slices.SortStableFunc(t.moments, func(a, b moment) int { return cmp.Compare(a.at, b.at) })
	t.moments = slices.Compact(t.moments)
	return wrap(f.Property+" is violated. "+t.e.Explain(f), textWidth) + table(func(w *tabwriter.Writer) {
		for _, m := range t.moments {
			fmt.Fprintf(w, "  %s\t%s\n", micros(m.at), m.text)
		}
	})
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
	who := clientName(h.Client)
	t.add(h.From, "%s acquires the lock%s, granted by %s", who, fence(h.Fence), strings.Join(t.holders(h), " "))
	released := t.released(h)
	switch {
	case h.Valid <= h.From:
		t.add(h.From, "its validity had passed before that")
	case h.Valid < released:
		t.add(h.Valid, "%s's validity ends, by its own clock", who)
	}
	switch {
	case h.Gone < released:
		t.add(h.Gone, "%s stops being a holder, for it sees that its validity has passed, or is gone", who)
	default:
		t.add(h.Gone, "%s releases the lock", who)
	}
}

// released gives the instant at which the holder called release.
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

// holders names the nodes that had the hold's key when it was acquired.
func (t *teller) holders(h *checker.Hold) []string {
	var names []string
	for _, s := range t.e.Keys {
		if s.Token == h.Token && s.From <= h.From && h.From <= s.To {
			names = append(names, nodeName(s.Node))
		}
	}
	if len(names) == 0 {
		return []string{"nodes that no longer know of it"}
	}
	return names
}

// keys tells where the keys of one token went before their time.
func (t *teller) keys(token string) {
	for _, s := range t.e.Keys {
		if s.Token == token && s.To <= t.w.To {
			t.add(s.To, "%s no longer has the key", nodeName(s.Node))
		}
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
	t.add(op.Time, "%s sends its write, based on version %d", who, u.Plain.Base)
	fenced := "fenced storage accepts it"
	if u.Fenced.Made == 0 {
		fenced = "fenced storage refuses it, for it has seen a higher token"
	}
	t.add(u.At, "%s's write%s arrives: plain storage makes it version %d; %s", who, fence(u.Fence), u.Plain.Made, fenced)
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

// textWidth is the longest line of running text.
const textWidth = 100

// micros gives an instant in seconds, with all six digits, so that they stand in line.
func micros(t clock.Instant) string {
	return fmt.Sprintf("%11.6fs", t.Sub(0).Seconds())
}

// wrap breaks a text into lines.
func wrap(text string, width int) string {
	var b strings.Builder
	length := 0
	for i, word := range strings.Fields(text) {
		switch {
		case i > 0 && length+1+len(word) > width:
			b.WriteByte('\n')
			length = 0
		case i > 0:
			b.WriteByte(' ')
			length++
		}
		b.WriteString(word)
		length += len(word)
	}
	return b.String() + "\n"
}
