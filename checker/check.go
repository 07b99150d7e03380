package checker

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/lockstorm/lockstorm/clock"
)

// Check reports whether the evidence can be judged, and if not, says of each entry that is wrong what is missing or
// contradicts the rest, and what would be right. A Judge refuses evidence that does not pass; see Judge.Unchecked.
//
// What is not known may be left out. Clients is 0 if their number is not known. An index into a list that is empty is not
// looked at; into one that is not, -1 stands for what is not known. A hold names its Try by -1, a write its Op.
func (e *Evidence) Check() error {
	c := contradictions{e: e}
	c.numbers()
	c.history()
	c.tries()
	c.holds()
	c.renewals()
	c.keys()
	c.outages()
	c.writes()
	c.strikes()
	if c.more > 0 {
		c.all = append(c.all, fmt.Errorf("and %d more", c.more))
	}
	return errors.Join(c.all...)
}

const (
	clientsMost        = 1 << 20 // judges keep numbers for each client
	contradictionsMost = 20      // what an error lists; the rest is counted
)

// contradictions gathers what is wrong with evidence.
type contradictions struct {
	e        *Evidence
	all      []error
	more     int
	releases map[int][]clock.Instant // when each client called release, in order; looked up, never ranged over
}

// add adds what is wrong with an entry; an empty text is nothing.
func (c *contradictions) add(where, wrong string) {
	switch {
	case wrong == "":
	case len(c.all) == contradictionsMost:
		c.more++
	default:
		c.all = append(c.all, fmt.Errorf("%s: %s", where, wrong))
	}
}

func entry(list string, i int) string { return fmt.Sprintf("%s[%d]", list, i) }

func (c *contradictions) numbers() {
	e := c.e
	c.add("Clients", within(e.Clients, 0, clientsMost))
	c.add("Bound", atLeastZero(int64(e.Bound)))
	c.add("Planned", atLeastZero(int64(e.Planned)))
	c.add("End", notNegative(e.End))
	c.add("Guard", within(int(e.Guard), 0, int(ByVersion)))
	c.add("Probe", cmp.Or(atLeastZero(int64(e.Probe.Bound)), ordered("Asked", e.Probe.Asked, "Won", e.Probe.Won)))
}

// history checks the history, and notes when each client called release.
func (c *contradictions) history() {
	c.releases = map[int][]clock.Instant{}
	if err := c.e.History.Check(); err != nil {
		c.add("History", err.Error())
		return
	}
	open := map[int]Op{} // by client; looked up, never ranged over
	for i, o := range c.e.History {
		who := c.e.clientOf(o.Process)
		was, busy := open[who]
		switch {
		case o.Type != Invoke:
			delete(open, who)
			continue
		case busy:
			c.add(entry("History", i), fmt.Sprintf("%s invokes %v as process %d while its %v, of process %d, at index %d is open; "+
				"want one operation of a client at a time", client(who), o.F, o.Process, was.F, was.Process, was.Index))
		case o.F == Release:
			c.releases[who] = append(c.releases[who], o.Time)
		}
		open[who] = o
	}
	if n := len(c.e.History); n > 0 && c.e.History[n-1].Time > c.e.End {
		c.add(entry("History", n-1), fmt.Sprintf("Time is %v, after End, %v; want End no earlier than what was seen", c.e.History[n-1].Time, c.e.End))
	}
}

// released returns the first call of release by a client from an instant on, and before another; Forever if there is none.
func (c *contradictions) released(who int, from, before clock.Instant) clock.Instant {
	all := c.releases[who]
	i, _ := slices.BinarySearch(all, from)
	if i < len(all) && all[i] < before {
		return all[i]
	}
	return clock.Forever
}

func (c *contradictions) tries() {
	for i := range c.e.Tries {
		t, before := &c.e.Tries[i], c.e.Tries[max(i-1, 0)].From
		wrong := cmp.Or(c.client(t.Client), ordered("From", t.From, "To", t.To), ordered("To", t.To, "Left", t.Left),
			follows(i, "From", before, t.From))
		switch {
		case wrong != "":
		case int(t.Outcome) >= len(outcomes):
			wrong = fmt.Sprintf("%v is not known; want 0 to %d", t.Outcome, len(outcomes)-1)
		case t.Votes < 0:
			wrong = fmt.Sprintf("Votes is %d; want 0 or more", t.Votes)
		}
		c.add(entry("Tries", i), wrong)
	}
}

func (c *contradictions) holds() {
	won, again := map[int]int{}, c.again() // won: the hold of each try; looked up, never ranged over
	for i := range c.e.Holds {
		h, before := &c.e.Holds[i], c.e.Holds[max(i-1, 0)].From
		c.add(entry("Holds", i), cmp.Or(c.client(h.Client), c.hold(h), follows(i, "From", before, h.From), c.won(i, won),
			c.apart(h, again[i]), c.believed(h, again[i]), c.entitled(h, h.Valid, again[i])))
	}
}

func (c *contradictions) hold(h *Hold) string {
	wrong := cmp.Or(ordered("From", h.From, "Gone", h.Gone), notNegative(h.Asked), notNegative(h.Valid),
		index("Slowed", h.Slowed, len(c.e.Strikes), "Strikes"))
	switch {
	case wrong != "":
		return wrong
	case h.Fence != 0 && h.Asked >= h.From:
		return fmt.Sprintf("its fencing token was asked for at %v, and its acquire returned at %v; want Asked before From", h.Asked, h.From)
	case h.Crashed && h.Gone == clock.Forever:
		return "it is Crashed, and Gone is forever; want the instant of the crash"
	}
	return ""
}

func (c *contradictions) won(i int, holds map[int]int) string {
	h := &c.e.Holds[i]
	if wrong := index("Try", h.Try, len(c.e.Tries), "Tries"); wrong != "" || h.Try < 0 || len(c.e.Tries) == 0 {
		return wrong
	}
	t, name := &c.e.Tries[h.Try], entry("Tries", h.Try)
	other, taken := holds[h.Try]
	holds[h.Try] = i
	switch {
	case taken:
		return fmt.Sprintf("%s won it, and Holds[%d] too; want a try of its own for each", name, other)
	case t.Outcome != Won:
		return fmt.Sprintf("%s, which won it, ended with %q; want a try that won", name, t.Outcome)
	case t.Client != h.Client:
		return fmt.Sprintf("%s, which won it, is of %s; want one of %s", name, client(t.Client), client(h.Client))
	case t.Token != h.Token:
		return fmt.Sprintf("its token is %q, and that of %s, which won it, %q; want the same", h.Token, name, t.Token)
	case t.To > h.From:
		return fmt.Sprintf("%s won it at %v, after its acquire returned, at %v; want From no earlier", name, t.To, h.From)
	case t.Clean && h.Valid > t.Left:
		return fmt.Sprintf("Valid is %v, but its release had returned at %v (Left of %s); want Valid no later", h.Valid, t.Left, name)
	}
	return ""
}

// again returns for each hold when its client acquires next; Forever if it does not.
func (c *contradictions) again() []clock.Instant {
	all, next := make([]clock.Instant, len(c.e.Holds)), map[int]clock.Instant{} // by client; looked up, never ranged over
	for i := len(all) - 1; i >= 0; i-- {
		h := &c.e.Holds[i]
		all[i] = clock.Forever
		if at, acquires := next[h.Client]; acquires {
			all[i] = at
		}
		next[h.Client] = h.From
	}
	return all
}

func (c *contradictions) apart(h *Hold, again clock.Instant) string {
	if h.Gone > again {
		return fmt.Sprintf("Gone is %v, but %s acquires again at %v; want Gone no later", h.Gone, client(h.Client), again)
	}
	return ""
}

// believed checks that nobody goes on as holder after it has called release.
func (c *contradictions) believed(h *Hold, again clock.Instant) string {
	if at := c.released(h.Client, h.From+1, min(h.Gone, again)); at != clock.Forever {
		return fmt.Sprintf("Gone is %v, but %s had called release at %v; want Gone no later", h.Gone, client(h.Client), at)
	}
	return ""
}

// entitled checks that a validity of a hold ends when release is called, at the latest.
func (c *contradictions) entitled(h *Hold, valid, again clock.Instant) string {
	if at := c.released(h.Client, h.Gone, again); valid > at {
		return fmt.Sprintf("Valid is %v, but %s had called release at %v; want Valid no later", valid, client(h.Client), at)
	}
	return ""
}

func (c *contradictions) renewals() {
	again := c.again()
	for i := range c.e.Renewals {
		r, before := &c.e.Renewals[i], c.e.Renewals[max(i-1, 0)].Asked
		c.add(entry("Renewals", i), cmp.Or(c.renewal(r, again), follows(i, "Asked", before, r.Asked)))
	}
}

func (c *contradictions) renewal(r *Renewal, again []clock.Instant) string {
	if r.Hold < 0 || r.Hold >= len(c.e.Holds) {
		return fmt.Sprintf("Hold is %d; want an index into the %d Holds", r.Hold, len(c.e.Holds))
	}
	h := &c.e.Holds[r.Hold]
	switch wrong := ordered("Asked", r.Asked, "At", r.At); {
	case wrong != "":
		return wrong
	case r.Asked < h.From:
		return fmt.Sprintf("it was asked for at %v, and Holds[%d] was acquired at %v; want Asked no earlier", r.Asked, r.Hold, h.From)
	case r.OK && r.At == clock.Forever:
		return "it succeeded, and At is forever; want the instant at which it returned"
	case r.OK:
		if r.Deadline != 0 && r.Deadline < r.Valid {
			return fmt.Sprintf("Deadline is %v, and Valid %v; want it no earlier, or 0 if it is not known", r.Deadline, r.Valid)
		}
		return cmp.Or(notNegative(r.Valid), c.entitled(h, r.Valid, again[r.Hold]))
	}
	return ""
}

func (c *contradictions) keys() {
	last := c.overlapping()
	for i := range c.e.Keys {
		s := &c.e.Keys[i]
		wrong := cmp.Or(c.lane(s.Lane), ordered("From", s.From, "To", s.To), c.ending(&s.Ended))
		switch {
		case wrong != "":
		case s.To == clock.Forever && s.Ended.Cause != Unrecorded:
			wrong = "To is forever, and why it ended is on record; want the instant at which it ended"
		case last[i] >= 0:
			o := &c.e.Keys[last[i]]
			wrong = fmt.Sprintf("%s has its key from %v to %v, and that of Keys[%d] from %v to %v; want one key of a lane at a time",
				c.e.lane(s.Lane), s.From, s.To, last[i], o.From, o.To)
		}
		c.add(entry("Keys", i), wrong)
	}
}

// ending checks what is on record of why a key went. The probe, which comes after the run, is the client after the others.
func (c *contradictions) ending(d *Ending) string {
	switch {
	case int(d.Cause) > int(Superseded):
		return fmt.Sprintf("its Cause is %d; want 0 to %d", d.Cause, Superseded)
	case d.Client < -1 || c.e.Clients > 0 && d.Client > c.e.Clients:
		return fmt.Sprintf("Client of Ended is %d; want one of the %d clients, or -1", d.Client, c.e.Clients)
	}
	return index("Strike of Ended", d.Strike, len(c.e.Strikes), "Strikes")
}

// overlapping returns for each key an earlier one of its lane that it overlaps; -1 if there is none.
func (c *contradictions) overlapping() []int {
	spans := c.e.Keys
	all, order := make([]int, len(spans)), make([]int, 0, len(spans))
	for i := range spans {
		if all[i] = -1; spans[i].From < spans[i].To {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(spans[a].Lane, spans[b].Lane), cmp.Compare(spans[a].From, spans[b].From), cmp.Compare(a, b))
	})
	for n, i := range order[min(1, len(order)):] {
		before := order[n] // of those before it the one that ends last
		if spans[before].Lane != spans[i].Lane || spans[before].To <= spans[i].From {
			continue
		}
		all[i] = before
		if spans[before].To > spans[i].To {
			order[n+1] = before
		}
	}
	return all
}

func (c *contradictions) outages() {
	for i := range c.e.Outages {
		o := &c.e.Outages[i]
		c.add(entry("Outages", i), cmp.Or(c.client(o.Client), c.lane(o.Lane), ordered("From", o.From, "To", o.To)))
	}
}

func (c *contradictions) writes() {
	var plain, fenced uint64
	for i := range c.e.Writes {
		u, before := &c.e.Writes[i], c.e.Writes[max(i-1, 0)].At
		c.add(entry("Writes", i), cmp.Or(c.client(u.Client), notNegative(u.At), follows(i, "At", before, u.At), c.sent(u),
			version("Plain", u.Plain, &plain), version("Fenced", u.Fenced, &fenced)))
	}
}

func (c *contradictions) sent(u *Update) string {
	if wrong := index("Op", u.Op, len(c.e.History), "ops of the History"); wrong != "" || u.Op < 0 || len(c.e.History) == 0 {
		return wrong
	}
	o := &c.e.History[u.Op]
	switch who := c.e.clientOf(o.Process); {
	case o.F != Write || o.Type != Invoke:
		return fmt.Sprintf("Op is %d, where the History has an %v of %v; want the invoke of a write", u.Op, o.Type, o.F)
	case who != u.Client:
		return fmt.Sprintf("its client is %s, and that of History[%d] %s; want the same", client(u.Client), u.Op, client(who))
	case o.Value.Fence != u.Fence:
		return fmt.Sprintf("its token is %d, and that of History[%d] %d; want the same", u.Fence, u.Op, o.Value.Fence)
	case o.Time > u.At:
		return fmt.Sprintf("it reached storage at %v, before its client sent it, at %v (History[%d]); want At no earlier", u.At, o.Time, u.Op)
	}
	return ""
}

// version checks what an update did to a register after all before it: versions count from 1, and none is read before it is made.
func version(register string, c Change, current *uint64) string {
	switch {
	case c.Base > *current:
		return fmt.Sprintf("%s is based on version %d, and the last one made is %d; want no later one", register, c.Base, *current)
	case c.Made == 0:
		return ""
	case c.Made != *current+1:
		return fmt.Sprintf("%s makes version %d after version %d; want %d, or 0 if it was refused", register, c.Made, *current, *current+1)
	}
	*current = c.Made
	return ""
}

func (c *contradictions) strikes() {
	for i := range c.e.Strikes {
		s, before := &c.e.Strikes[i], c.e.Strikes[max(i-1, 0)].From
		wrong := cmp.Or(ordered("From", s.From, "To", s.To), follows(i, "From", before, s.From))
		if wrong == "" && (s.Index < 0 || s.Index >= c.e.Planned) {
			wrong = fmt.Sprintf("Index is %d; want the place of one of the %d faults that were Planned", s.Index, c.e.Planned)
		}
		c.add(entry("Strikes", i), wrong)
	}
}

func (c *contradictions) client(i int) string {
	switch {
	case i < 0 || i >= clientsMost:
		return fmt.Sprintf("Client is %d; want the number of a client, from 0", i)
	case c.e.Clients > 0 && i >= c.e.Clients:
		return fmt.Sprintf("Client is %d; want one of the %d clients, 0 to %d", i, c.e.Clients, c.e.Clients-1)
	}
	return ""
}

func (c *contradictions) lane(i int) string {
	switch n := len(c.e.Lanes); {
	case n == 0:
		return "Lanes is empty; want the names of the nodes, or of the service that grants the lock"
	case i < 0 || i >= n:
		return fmt.Sprintf("Lane is %d; want an index into the %d Lanes", i, n)
	}
	return ""
}

func atLeastZero(n int64) string {
	if n < 0 {
		return fmt.Sprintf("it is %d; want 0 or more", n)
	}
	return ""
}

// within checks a number that is to lie from least to most.
func within(n, least, most int) string {
	if n < least || n > most {
		return fmt.Sprintf("it is %d; want %d to %d", n, least, most)
	}
	return ""
}

// notNegative checks an instant: no run begins before 0.
func notNegative(t clock.Instant) string {
	if t < 0 {
		return fmt.Sprintf("an instant is %v; want 0s or later, since the run began", t)
	}
	return ""
}

// ordered checks that one instant is no earlier than another, and neither before the run.
func ordered(early string, from clock.Instant, late string, to clock.Instant) string {
	if to < from {
		return fmt.Sprintf("%s is %v, and %s is %v; want %s no earlier than %s", early, from, late, to, late, early)
	}
	return notNegative(from)
}

// follows checks that a list is in order of time.
func follows(i int, by string, before, at clock.Instant) string {
	if i > 0 && at < before {
		return fmt.Sprintf("%s is %v, before that of the entry before, %v; want the list in order of %s", by, at, before, by)
	}
	return ""
}

// index checks an index into a list of n: -1 stands for none. Into an empty list no index is looked at.
func index(name string, i, n int, list string) string {
	if n > 0 && (i < -1 || i >= n) {
		return fmt.Sprintf("%s is %d; want an index into the %d %s, or -1", name, i, n, list)
	}
	return ""
}
