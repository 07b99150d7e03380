package scenarios

import (
	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/scenarios/locks"
	"github.com/lockstorm/lockstorm/sim"
	"github.com/lockstorm/lockstorm/sim/storage"
)

// gather completes the evidence once the run is over.
func (r *Runner) gather(end sim.End) {
	e := &r.evidence
	e.End = r.world.Now()
	if end != sim.Finished {
		e.Cut = end.String()
	}
	e.Bound = r.limits.wait
	r.gatherCrashes()
	if len(r.scenario.Faults) > 0 {
		e.Outages = r.servers.AppendOutages(e.Outages)
	}
	r.gatherWindows()
	e.Keys, r.copies = r.servers.AppendKeys(e.Keys, r.copies)
	if r.scenario.Fencing.Source == OfLock {
		r.gatherGranted()
	}
	r.gatherWrites()
	for _, s := range r.injection.Strikes() {
		e.Strikes = append(e.Strikes, checker.Strike{
			Index: s.Index, Kind: r.scenario.Faults[s.Index].Kind.String(), Fault: s.What, Hosts: s.Hosts, From: s.From, To: s.To, Idle: s.Idle,
		})
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

// markDead ends all that a client had begun before it crashed and had not ended itself.
func (r *Runner) markDead(client int, at clock.Instant) {
	e := &r.evidence
	for i := range e.Tries {
		if t := &e.Tries[i]; t.Client == client && t.From <= at {
			t.To, t.Left = min(t.To, at), min(t.Left, at)
		}
	}
	for i := range e.Holds {
		h := &e.Holds[i]
		if h.Client != client || h.From > at {
			continue
		}
		if h.Gone > at {
			h.Gone, h.Crashed = at, true
		}
		if r.holds[i].deadline == noDeadline { // it was valid as long as its client lived
			r.holds[i].released = min(r.holds[i].released, at)
		}
	}
}

// noDeadline is the deadline of a lock that computes none: a watchdog keeps it, or a connection, and neither outlives its client.
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

// gatherSlow records how much less than true time the clock of a hold's validity counted. The time for which its host slept
// is left out.
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
func (r *Runner) ends(hold int, deadline clock.Reading, from clock.Instant) clock.Instant {
	h := &r.evidence.Holds[hold]
	if deadline == noDeadline && h.Crashed {
		return h.Gone
	}
	return min(r.shown(hold, deadline, from), r.holds[hold].released)
}

// shown returns when the clock that a hold's lock counts on shows a deadline.
func (r *Runner) shown(hold int, deadline clock.Reading, from clock.Instant) clock.Instant {
	host := r.clients[r.evidence.Holds[hold].Client].host
	when := host.Clock().WhenMono
	switch r.scenario.Lock.Clock {
	case locks.Wall:
		when = host.Clock().WhenWall
	case locks.Awake:
		when = host.WhenAwake
	}
	return when(deadline, from)
}

// gatherGranted places the moment that a token of the lock's own belongs to: when a node first granted the key it came with.
// However it was counted, tokens must rise in that order.
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

// gatherWrites collects what storage applied and refused.
func (r *Runner) gatherWrites() {
	for _, u := range r.updates() {
		r.evidence.Writes = append(r.evidence.Writes, checker.Update{
			Client: u.Client, Op: u.Op, Fence: u.Fence, Asked: u.Asked, At: u.At,
			Plain:  checker.Change{Base: u.Base.Plain, Made: u.Made.Plain},
			Fenced: fencedChange(u),
		})
	}
}

func fencedChange(u storage.Update) checker.Change {
	if u.Made.Refused {
		return checker.Change{Base: u.Base.Fenced}
	}
	return checker.Change{Base: u.Base.Fenced, Made: u.Made.Fenced}
}
