package checker

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/lockstorm/lockstorm/clock"
)

// Check returns nil if the evidence can be judged. Otherwise it says of each wrong entry what is missing or contradicts
// the rest, and what would be right. A Judge rejects evidence that does not pass; see Judge.Unchecked.
//
// Unknown facts may be left out. Clients is 0 if their number is not known. An index into an empty list is not read;
// in any other list, -1 means not known. That applies to the Try of a hold and the Op of a write.
func (e *Evidence) Check() error {
	c := contradictions{
		e: e, releases: map[int][]clock.Instant{}, won: map[int]int{}, again: e.again(), before: e.overlapping(),
	}
	c.add("Clients", upTo(e.Clients, clientsMost))
	c.add("Bound", atLeastZero(int64(e.Bound)))
	c.add("Planned", atLeastZero(int64(e.Planned)))
	c.add("Stated", upTo(e.Stated, max(e.Planned, 0)))
	c.add("Ticks", atLeastZero(int64(e.Ticks)))
	c.add("End", notNegative(e.End))
	c.add("Guard", upTo(int(e.Guard), int(ByVersion)))
	c.add("Probe", cmp.Or(atLeastZero(int64(e.Probe.Bound)), ordered("Asked", e.Probe.Asked, "Won", e.Probe.Won)))
	c.history()
	for _, list := range [...]struct {
		name  string
		n     int
		wrong func(i int) string
	}{
		{"Tries", len(e.Tries), c.try},
		{"Holds", len(e.Holds), c.hold},
		{"Renewals", len(e.Renewals), c.renewal},
		{"Keys", len(e.Keys), c.key},
		{"Outages", len(e.Outages), c.outage},
		{"Writes", len(e.Writes), c.write},
		{"Strikes", len(e.Strikes), c.strike},
	} {
		for i := range list.n {
			c.add(entry(list.name, i), list.wrong(i))
		}
	}
	if c.more > 0 {
		c.all = append(c.all, fmt.Errorf("and %d more", c.more))
	}
	return errors.Join(c.all...)
}

const (
	clientsMost        = 1 << 20 // judges keep numbers for each client
	contradictionsMost = 20      // what an error lists; the rest is counted
)

// contradictions gathers what is wrong with evidence. Each list has a method that checks one entry: it returns the
// first rule that the entry breaks, or "".
type contradictions struct {
	e    *Evidence
	all  []error
	more int

	releases      map[int][]clock.Instant // when each client called release, in order; looked up, never ranged over
	won           map[int]int             // the hold that each try has won so far; looked up, never ranged over
	again         []clock.Instant         // by hold: when its client acquires next; Forever if it does not
	before        []int                   // by key: an earlier one of its lane that it overlaps; -1 if there is none
	plain, fenced uint64                  // the last versions made so far
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

// when returns the text for a broken rule, and "" for one that is kept.
func when(broken bool, format string, args ...any) string {
	if !broken {
		return ""
	}
	return fmt.Sprintf(format, args...)
}

// history checks the history, and notes when each client called release.
func (c *contradictions) history() {
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
			c.add(entry("History", i), fmt.Sprintf("%s invokes %v as process %d "+
				"while its %v, of process %d, at index %d is open; want one operation of a client at a time",
				client(who), o.F, o.Process, was.F, was.Process, was.Index))
		case o.F == Release:
			c.releases[who] = append(c.releases[who], o.Time)
		}
		open[who] = o
	}
	if n := len(c.e.History); n > 0 {
		seen := c.e.History[n-1].Time
		c.add(entry("History", n-1),
			when(seen > c.e.End, "Time is %v, after End, %v; want End no earlier than what was seen", seen, c.e.End))
	}
}

// released returns the first call of release by a client from an instant on, and before another; Forever if there is
// none.
func (c *contradictions) released(who int, first, before clock.Instant) clock.Instant {
	all := c.releases[who]
	i, _ := slices.BinarySearch(all, first)
	if i < len(all) && all[i] < before {
		return all[i]
	}
	return clock.Forever
}

func (c *contradictions) try(i int) string {
	t, before := &c.e.Tries[i], c.e.Tries[max(i-1, 0)].From
	return cmp.Or(
		c.client(t.Client),
		ordered("From", t.From, "To", t.To),
		ordered("To", t.To, "Left", t.Left),
		follows(i, "From", before, t.From),
		when(int(t.Outcome) >= len(outcomes), "%v is not known; want 0 to %d", t.Outcome, len(outcomes)-1),
		when(t.Votes < 0, "Votes is %d; want 0 or more", t.Votes))
}

func (c *contradictions) hold(i int) string {
	h, before, who := &c.e.Holds[i], c.e.Holds[max(i-1, 0)].From, client(c.e.Holds[i].Client)
	called := c.released(h.Client, h.From+1, min(h.Gone, c.again[i]))
	return cmp.Or(
		c.client(h.Client),
		ordered("From", h.From, "Gone", h.Gone),
		notNegative(h.Asked),
		notNegative(h.Valid),
		index("Slowed", h.Slowed, len(c.e.Strikes), "Strikes"),
		when(h.Fence != 0 && h.Asked >= h.From,
			"its fencing token was asked for at %v, and its acquire returned at %v; want Asked before From",
			h.Asked, h.From),
		when(h.Crashed && h.Gone == clock.Forever, "it is Crashed, and Gone is forever; want the instant of the crash"),
		follows(i, "From", before, h.From),
		c.winner(i),
		when(h.Gone > c.again[i],
			"Gone is %v, but %s acquires again at %v; want Gone no later", h.Gone, who, c.again[i]),
		when(called != clock.Forever,
			"Gone is %v, but %s had called release at %v; want Gone no later", h.Gone, who, called),
		c.entitled(i, h.Valid))
}

// winner checks a hold against the try that won it.
func (c *contradictions) winner(i int) string {
	h := &c.e.Holds[i]
	if wrong := index("Try", h.Try, len(c.e.Tries), "Tries"); wrong != "" || h.Try < 0 || len(c.e.Tries) == 0 {
		return wrong
	}
	t, name := &c.e.Tries[h.Try], entry("Tries", h.Try)
	other, taken := c.won[h.Try]
	c.won[h.Try] = i
	return cmp.Or(
		when(taken, "%s won it, and Holds[%d] too; want a try of its own for each", name, other),
		when(t.Outcome != Won, "%s, which won it, ended with %q; want a try that won", name, t.Outcome),
		when(t.Client != h.Client,
			"%s, which won it, is of %s; want one of %s", name, client(t.Client), client(h.Client)),
		when(t.Token != h.Token,
			"its token is %q, and that of %s, which won it, %q; want the same", h.Token, name, t.Token),
		when(t.To > h.From,
			"%s won it at %v, after its acquire returned, at %v; want From no earlier", name, t.To, h.From),
		when(t.Clean && h.Valid > t.Left,
			"Valid is %v, but its release had returned at %v (Left of %s); want Valid no later", h.Valid, t.Left, name))
}

// entitled checks that a validity of a hold ends when release is called, at the latest.
func (c *contradictions) entitled(hold int, valid clock.Instant) string {
	h := &c.e.Holds[hold]
	called := c.released(h.Client, h.Gone, c.again[hold])
	return when(valid > called,
		"Valid is %v, but %s had called release at %v; want Valid no later", valid, client(h.Client), called)
}

// again returns for each hold when its client acquires next; Forever if it does not.
func (e *Evidence) again() []clock.Instant {
	all, next := make([]clock.Instant, len(e.Holds)), map[int]clock.Instant{} // by client; looked up, never ranged over
	for i, h := range slices.Backward(e.Holds) {
		all[i] = clock.Forever
		if t, acquires := next[h.Client]; acquires {
			all[i] = t
		}
		next[h.Client] = h.From
	}
	return all
}

func (c *contradictions) renewal(i int) string {
	r, before := &c.e.Renewals[i], c.e.Renewals[max(i-1, 0)].Asked
	if r.Hold < 0 || r.Hold >= len(c.e.Holds) {
		return fmt.Sprintf("Hold is %d; want an index into the %d Holds", r.Hold, len(c.e.Holds))
	}
	from, wrong := c.e.Holds[r.Hold].From, ""
	if r.OK {
		wrong = cmp.Or(
			when(r.At == clock.Forever, "it succeeded, and At is forever; want the instant at which it returned"),
			when(r.Deadline != 0 && r.Deadline < r.Valid,
				"Deadline is %v, and Valid %v; want it no earlier, or 0 if it is not known", r.Deadline, r.Valid),
			notNegative(r.Valid),
			c.entitled(r.Hold, r.Valid))
	}
	return cmp.Or(
		ordered("Asked", r.Asked, "At", r.At),
		when(r.Asked < from,
			"it was asked for at %v, and Holds[%d] was acquired at %v; want Asked no earlier", r.Asked, r.Hold, from),
		wrong,
		follows(i, "Asked", before, r.Asked))
}

func (c *contradictions) key(i int) string {
	s, o := &c.e.Keys[i], &c.e.Keys[max(c.before[i], 0)]
	d := &s.Ended // whose client may be the probe, which comes after the others
	return cmp.Or(
		c.lane(s.Lane),
		ordered("From", s.From, "To", s.To),
		when(int(d.Cause) > int(Evicted), "its Cause is %d; want 0 to %d", d.Cause, Evicted),
		when(d.Client < -1 || c.e.Clients > 0 && d.Client > c.e.Clients,
			"Client of Ended is %d; want one of the %d clients, or -1", d.Client, c.e.Clients),
		index("Strike of Ended", d.Strike, len(c.e.Strikes), "Strikes"),
		when(s.To == clock.Forever && d.Cause != Unrecorded,
			"To is forever, and why it ended is on record; want the instant at which it ended"),
		when(c.before[i] >= 0, "%s has its key from %v to %v, and that of Keys[%d] from %v to %v; "+
			"want one key of a lane at a time, but for those that are Shared",
			c.e.lane(s.Lane), s.From, s.To, c.before[i], o.From, o.To))
}

// overlapping returns for each key an earlier one of its lane that it overlaps; -1 if there is none. Shared keys may
// overlap any other: a lane that grants one next to an exclusive key breaks the lock, but no rule of evidence.
func (e *Evidence) overlapping() []int {
	spans := e.Keys
	all, order := make([]int, len(spans)), make([]int, 0, len(spans))
	for i := range spans {
		if all[i] = -1; spans[i].From < spans[i].To && !spans[i].Shared {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(a, b int) int {
		s, t := &spans[a], &spans[b]
		return cmp.Or(cmp.Compare(s.Lane, t.Lane), cmp.Compare(s.From, t.From), cmp.Compare(a, b))
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

func (c *contradictions) outage(i int) string {
	o := &c.e.Outages[i]
	return cmp.Or(c.client(o.Client), c.lane(o.Lane), ordered("From", o.From, "To", o.To))
}

func (c *contradictions) write(i int) string {
	u, before := &c.e.Writes[i], c.e.Writes[max(i-1, 0)].At
	return cmp.Or(
		c.client(u.Client),
		upTo(u.Tick, c.e.Ticks),
		notNegative(u.At),
		follows(i, "At", before, u.At),
		c.call(u),
		version("Plain", u.Plain, &c.plain),
		version("Fenced", u.Fenced, &c.fenced))
}

// call checks an update against the call of its write.
func (c *contradictions) call(u *Update) string {
	wrong := index("Op", u.Op, len(c.e.History), "ops of the History")
	if wrong != "" || u.Op < 0 || len(c.e.History) == 0 {
		return wrong
	}
	o := &c.e.History[u.Op]
	who := c.e.clientOf(o.Process)
	return cmp.Or(
		when(o.F != Write || o.Type != Invoke,
			"Op is %d, where the History has an %v of %v; want the invoke of a write", u.Op, o.Type, o.F),
		when(who != u.Client,
			"its client is %s, and that of History[%d] %s; want the same", client(u.Client), u.Op, client(who)),
		when(o.Value.Fence != u.Fence,
			"its token is %d, and that of History[%d] %d; want the same", u.Fence, u.Op, o.Value.Fence),
		when(o.Time > u.At,
			"it reached storage at %v, before its client sent it, at %v (History[%d]); want At no earlier",
			u.At, o.Time, u.Op))
}

// version checks what an update did to a register after all earlier ones: versions count from 1, and none is read
// before it is made.
func version(register string, c Change, current *uint64) string {
	next := *current + 1
	wrong := cmp.Or(
		when(c.Base > *current,
			"%s is based on version %d, and the last one made is %d; want no later one", register, c.Base, *current),
		when(c.Made != 0 && c.Made != next,
			"%s makes version %d after version %d; want %d, or 0 if it was refused", register, c.Made, *current, next))
	if wrong == "" && c.Made != 0 {
		*current = c.Made
	}
	return wrong
}

func (c *contradictions) strike(i int) string {
	s, before := &c.e.Strikes[i], c.e.Strikes[max(i-1, 0)].From
	return cmp.Or(
		ordered("From", s.From, "To", s.To),
		follows(i, "From", before, s.From),
		when(s.Index < 0 || s.Index >= c.e.Planned,
			"Index is %d; want the place of one of the %d faults that were Planned", s.Index, c.e.Planned))
}

func (c *contradictions) client(i int) string {
	return cmp.Or(
		when(i < 0 || i >= clientsMost, "Client is %d; want the number of a client, from 0", i),
		when(c.e.Clients > 0 && i >= c.e.Clients,
			"Client is %d; want one of the %d clients, 0 to %d", i, c.e.Clients, c.e.Clients-1))
}

func (c *contradictions) lane(i int) string {
	n := len(c.e.Lanes)
	return cmp.Or(
		when(n == 0, "Lanes is empty; want the names of the nodes, or of the service that grants the lock"),
		when(i < 0 || i >= n, "Lane is %d; want an index into the %d Lanes", i, n))
}

func atLeastZero(n int64) string { return when(n < 0, "it is %d; want 0 or more", n) }

// upTo checks a number that must lie from 0 to most.
func upTo(n, most int) string {
	return when(n < 0 || n > most, "it is %d; want 0 to %d", n, most)
}

// notNegative checks an instant: no run begins before 0.
func notNegative(t clock.Instant) string {
	return when(t < 0, "an instant is %v; want 0s or later, since the run began", t)
}

// ordered checks that one instant is no earlier than another, and neither before the run.
func ordered(early string, first clock.Instant, late string, last clock.Instant) string {
	return cmp.Or(
		when(last < first, "%s is %v, and %s is %v; want %s no earlier than %s", early, first, late, last, late, early),
		notNegative(first))
}

// follows checks that a list is in order of time.
func follows(i int, field string, before, t clock.Instant) string {
	return when(i > 0 && t < before,
		"%s is %v, before that of the entry before, %v; want the list in order of %s", field, t, before, field)
}

// index checks an index into a list of n: -1 means none. Into an empty list no index is looked at.
func index(name string, i, n int, list string) string {
	return when(n > 0 && (i < -1 || i >= n), "%s is %d; want an index into the %d %s, or -1", name, i, n, list)
}
