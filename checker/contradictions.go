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
