package scenarios

import (
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/scenarios/locks"
)

// held is what a Runner needs of a hold besides the evidence.
type held struct {
	life     int           // how often its client's host had crashed before
	deadline clock.Reading // on the clock that the lock counts on
	released clock.Instant // when release was called; Forever if never
}

// record appends the invocation or the completion of an operation to the history.
func (r *Runner) record(process int, t checker.Type, f checker.Func, v checker.Value, problem string) int {
	e := &r.evidence
	e.History = append(e.History, checker.Op{
		Index: len(e.History), Time: r.world.Now(), Process: process, Type: t, F: f, Value: v, Error: problem,
	})
	return len(e.History) - 1
}

func (r *Runner) beginTry(c *client) int {
	e := &r.evidence
	c.fenceAsked, c.fence = r.world.Now(), 0
	try := checker.Try{Client: c.id, From: r.world.Now(), To: clock.Forever, Left: clock.Forever}
	if l, ok := c.lock.(locks.Owned); ok {
		try.Token = l.Owner() // of every attempt, so it is known of one that never ends, too
	}
	e.Tries = append(e.Tries, try)
	return len(e.Tries) - 1
}

func (r *Runner) endTry(try int, g locks.Grant) {
	t := &r.evidence.Tries[try]
	t.Token, t.Votes, t.Outcome, t.To = r.servers.Token(g), g.Votes, outcomes[g.Outcome], r.world.Now()
	if !g.Won() {
		t.Left, t.Clean = t.To, g.Clean
	}
}

func (r *Runner) recordHold(c *client, g locks.Grant) int {
	e := &r.evidence
	try := len(e.Tries) - 1
	for e.Tries[try].Client != c.id {
		try--
	}
	e.Holds = append(e.Holds, checker.Hold{
		Client: c.id, Try: try, Token: r.servers.Token(g), Fence: c.shown(&g), Asked: c.fenceAsked, From: r.world.Now(),
		Gone: clock.Forever, Valid: clock.Forever,
	})
	r.holds = append(r.holds, held{life: c.host.Crashes(), deadline: clock.Reading(g.Deadline), released: clock.Forever})
	return len(e.Holds) - 1
}

// latestHolder returns the name of the client whose hold began last among those that still go on as holders; empty if there is none. A
// client whose host has crashed since holds nothing.
func (r *Runner) latestHolder() string {
	for i := len(r.evidence.Holds) - 1; i >= 0; i-- {
		h := &r.evidence.Holds[i]
		host := r.clients[h.Client].host
		if h.Gone == clock.Forever && host.Crashes() == r.holds[i].life {
			return host.Name
		}
	}
	return ""
}

func (r *Runner) beginRenewal(hold int) int {
	e := &r.evidence
	e.Renewals = append(e.Renewals, checker.Renewal{Hold: hold, Asked: r.world.Now(), At: clock.Forever})
	r.renewals = append(r.renewals, 0)
	return len(e.Renewals) - 1
}

// endRenewal records that an extension has returned. A lock that moved its deadline although it failed did so when it
// asked, so that is when it took the hold for extended. An extension that returns after the release counts until then.
func (r *Runner) endRenewal(renewal int, ok, moved bool, deadline time.Duration) {
	n := &r.evidence.Renewals[renewal]
	n.At, n.OK = r.world.Now(), ok || moved
	if released := r.holds[n.Hold].released; n.OK && released < n.At {
		n.At = max(released, n.Asked)
	}
	if !ok && moved {
		n.At = n.Asked
	}
	r.renewals[renewal] = clock.Reading(deadline)
}

// endHold records that a client no longer acts as the holder.
func (r *Runner) endHold(hold int) {
	h := &r.evidence.Holds[hold]
	h.Gone = min(h.Gone, r.world.Now())
}

func (r *Runner) beginRelease(hold int) {
	r.endHold(hold)
	r.holds[hold].released = min(r.holds[hold].released, r.world.Now()) // it may have been lost before
}

func (r *Runner) endRelease(hold int, acknowledged bool) {
	t := &r.evidence.Tries[r.evidence.Holds[hold].Try]
	t.Left, t.Clean = r.world.Now(), acknowledged
}
