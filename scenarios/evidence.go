package scenarios

import (
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios/locks"
	"github.com/lockstorm/lockstorm/sim"
)

var outcomes = [...]checker.Outcome{
	locks.Won: checker.Won, locks.NoQuorum: checker.NoQuorum, locks.TooLate: checker.TooLate,
	locks.NoFence: checker.NoFence,
	locks.Broken:  checker.NoQuorum, // a lock that stops at the first fault has too few votes
}

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
		try.Token = l.Owner() // of every attempt, so that it is known even if the attempt never ends
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
		Client: c.id, Try: try, Token: r.servers.Token(g), Shared: r.scenario.reads(c.id),
		Fence: c.shown(&g), Asked: c.fenceAsked, From: r.world.Now(),
		Gone: clock.Forever, Valid: clock.Forever,
	})
	r.holds = append(r.holds, held{life: c.host.Crashes(), deadline: clock.Reading(g.Deadline),
		released: clock.Forever})
	return len(e.Holds) - 1
}

// latestHolder returns the name of the client whose hold began last among those that still act as holders; empty if
// there is none. A client whose host has crashed since holds nothing.
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

// endRenewal records that an extension has returned. A lock that moved its deadline although the extension failed did
// so when it asked. So it considered the hold extended from then on. An extension that returns after the release
// counts until then.
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

// gather completes the evidence once the run has ended.
func (r *Runner) gather(end sim.End) {
	e := &r.evidence
	e.End = r.world.Now()
	if end != sim.Finished {
		e.Cut = end.String()
	}
	e.Bound = r.limits.wait
	if more := r.limits.slept - r.scenario.Lock.Retry.Max; more > 0 && r.scenario.Network.Loss == 0 {
		e.Bound += r.scenario.slowed(2 * more) // once after a key's end, and once to get out of step
	}
	r.gatherCrashes()
	if len(r.scenario.Faults) > 0 && !r.Exploring.SafetyOnly { // they excuse a lock that makes no progress
		e.Outages = r.servers.AppendOutages(e.Outages)
	}
	r.gatherWindows()
	e.Keys, r.copies = r.servers.AppendKeys(e.Keys, r.copies)
	if r.scenario.Fencing.Source == OfLock {
		r.gatherGranted()
	}
	r.gatherWrites()
	for _, s := range r.injection.Strikes() {
		f := &r.scenario.Faults[s.Index]
		e.Strikes = append(e.Strikes, checker.Strike{
			Index: s.Index, Kind: f.Kind.String(), Fault: s.What, Hosts: s.Hosts,
			From: s.From, To: s.To, Idle: s.Idle, Slight: s.Slight, Strobe: f.Kind == faults.Strobe,
		})
		if f.Kind == faults.Jump || f.Kind == faults.Strobe {
			e.Strikes[len(e.Strikes)-1].Step = f.By
		}
	}
}

// gatherCrashes ends what a client had open when its host crashed.
func (r *Runner) gatherCrashes() {
	for i := range r.clients {
		c := &r.clients[i]
		if c.host.Crashes() == 0 {
			continue
		}
		for _, e := range r.world.Trace() {
			if e.Kind == sim.Crashed && int(e.Host) == c.host.ID {
				r.markDead(c.id, e.At)
			}
		}
	}
}

// markDead ends everything that a client had begun before it crashed and had not ended itself.
func (r *Runner) markDead(client int, died clock.Instant) {
	e := &r.evidence
	for i := range e.Tries {
		if t := &e.Tries[i]; t.Client == client && t.From <= died {
			t.To, t.Left = min(t.To, died), min(t.Left, died)
		}
	}
	for i := range e.Holds {
		h := &e.Holds[i]
		if h.Client != client || h.From > died {
			continue
		}
		if h.Gone > died {
			h.Gone, h.Crashed = died, true
		}
		if r.holds[i].deadline == noDeadline { // it was valid as long as its client lived
			r.holds[i].released = min(r.holds[i].released, died)
		}
	}
}

// noDeadline is the deadline of a lock that computes none: a watchdog or a connection keeps it while its client lives.
const noDeadline = clock.Reading(locks.NoDeadline)

// gatherWindows places the end of each computed validity in true time: the first instant at which the clock that the
// lock counts on shows the deadline, or the call of release, if that came first.
func (r *Runner) gatherWindows() {
	for i := range r.evidence.Holds {
		h := &r.evidence.Holds[i]
		h.Valid = r.ends(i, r.holds[i].deadline, h.From)
		r.gatherSlow(h)
	}
	for i := range r.evidence.Renewals {
		if n := &r.evidence.Renewals[i]; n.OK {
			n.Valid = r.ends(n.Hold, r.renewals[i], n.At)
			if at := r.shown(n.Hold, r.renewals[i], n.At); r.renewals[i] != noDeadline && at < clock.Forever {
				n.Deadline = at
			}
		}
	}
}

// gatherSlow records how much less than true time the clock of a hold's validity counted, apart from its host's sleep.
func (r *Runner) gatherSlow(h *checker.Hold) {
	host, from := r.clients[h.Client].host, r.evidence.Tries[h.Try].From
	read := host.Clock().Mono
	if r.scenario.Lock.Clock == locks.Wall {
		read = host.Clock().Wall
	}
	if h.Slowed = -1; from < h.Valid && h.Valid < clock.Forever {
		h.Slow = h.Valid.Sub(from) - read(h.Valid).Sub(read(from))
		h.Slowed = host.ClockBlamed(h.Valid)
	}
}

// ends returns when a deadline of a hold is in true time. A lock without one is held for as long as its owner lives.
func (r *Runner) ends(hold int, deadline clock.Reading, began clock.Instant) clock.Instant {
	h := &r.evidence.Holds[hold]
	if deadline == noDeadline && h.Crashed {
		return h.Gone
	}
	return min(r.shown(hold, deadline, began), r.holds[hold].released)
}

// shown returns when the clock that a hold's lock counts on shows a deadline.
func (r *Runner) shown(hold int, deadline clock.Reading, began clock.Instant) clock.Instant {
	host := r.clients[r.evidence.Holds[hold].Client].host
	when := host.Clock().WhenMono
	switch r.scenario.Lock.Clock {
	case locks.Wall:
		when = host.Clock().WhenWall
	case locks.Awake:
		when = host.WhenAwake
	}
	return when(deadline, began)
}

// gatherGranted places the moment that a token of the lock's own belongs to: when a node first granted the key it came
// with. However it was counted, tokens must rise in that order.
func (r *Runner) gatherGranted() {
	for i := range r.evidence.Holds {
		h := &r.evidence.Holds[i]
		granted := clock.Forever
		for _, k := range r.evidence.Keys {
			if k.Token == h.Token {
				granted = min(granted, k.From)
			}
		}
		if granted < h.From {
			h.Asked = granted
		}
	}
}

func (r *Runner) gatherWrites() {
	for _, u := range r.updates() {
		fenced := checker.Change{Base: u.Base.Fenced, Made: u.Made.Fenced}
		if u.Made.Refused {
			fenced.Made = 0
		}
		r.evidence.Writes = append(r.evidence.Writes, checker.Update{
			Client: u.Client, Op: u.Op, Tick: u.Tick, Fence: u.Fence, Asked: u.Asked, At: u.At,
			Plain:  checker.Change{Base: u.Base.Plain, Made: u.Made.Plain},
			Fenced: fenced,
		})
	}
}
