package scenarios

import (
	"slices"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/scenarios/locks"
	"github.com/lockstorm/lockstorm/sim"
)

func (r *Runner) tick(now clock.Instant) bool {
	x := &r.Exploring
	if now <= x.StatesAfter {
		return true
	}
	state, known := r.stateAt(now)
	return x.OnState(now, state, known)
}

func (r *Runner) stateAt(now clock.Instant) (state uint64, known bool) {
	d := &r.digest
	d.Reset(r.alike())
	r.world.Digest(d, now)
	r.digestEvidence(d, now)
	r.digestStrikes(d, now)
	return d.Sum(), !d.Opaque
}

// Recent lists the messages that were sent since the tick before. It is for Exploring.OnState.
func (r *Runner) Recent() []sim.Recent { return r.world.Recent() }

// Otherwise returns the state that this tick would have had if recent message i had been late, or lost. It is for
// Exploring.OnState, if that Foresees. The state is known only where nothing else would have differed.
func (r *Runner) Otherwise(i int, late time.Duration, now clock.Instant) (state uint64, known bool) {
	r.world.WithFault(i, late, now, func() { state, known = r.stateAt(now) })
	return state, known
}

// alike returns how many nodes can change places without any difference: all of them or none.
func (r *Runner) alike() int {
	if !r.scenario.NodesAlike() {
		return 0
	}
	return r.scenario.Nodes
}

// digestStrikes adds the faults that will heal, each to the lane of its host, and the order of those that heal
// together.
func (r *Runner) digestStrikes(d *sim.Digest, now clock.Instant) {
	heals, before := clock.Forever, uint64(0)
	all := r.injection.Strikes()
	d.Opaque = d.Opaque || len(all) < len(r.scenario.Faults) // one waits for its mark
	for _, s := range all {
		if s.To < now || s.To == clock.Forever {
			continue
		}
		if before++; s.To != heals {
			heals, before = s.To, 0
		}
		f := &r.scenario.Faults[s.Index]
		lane := slices.Index(r.names[:r.alike()], f.Host)
		d.Add(lane, uint64(s.To), before, uint64(f.Kind.Index()), uint64(f.By), uint64(f.Every), uint64(f.Rate),
			truth(f.Clean))
		if lane < 0 {
			d.Text(lane, f.Host)
		}
		if f.Kind.Links {
			d.Text(-1, f.What())
		}
	}
}

// digestEvidence adds the past that judges of safety can still use: who holds the lock and until when, which attempts
// have ended, which tokens were given out. The rest can break a promise only by itself, and is judged at the end.
func (r *Runner) digestEvidence(d *sim.Digest, now clock.Instant) {
	e := &r.evidence
	if d.Opaque = d.Opaque || !r.memoryKnown() || len(e.Renewals) > 0; d.Opaque {
		return
	}
	d.Add(-1, uint64(len(e.Tries)), uint64(len(e.Holds))) // so that it is known where each list ends
	for i := range e.Tries {
		t := &e.Tries[i]
		d.Add(-1, uint64(t.Client)<<3|truth(t.Outcome == checker.Pending)<<2|truth(t.Left == clock.Forever)<<1|truth(t.Clean))
		d.Text(-1, t.Token)
	}
	for i := range e.Holds {
		r.digestHold(d, i, now)
	}
	for i := range r.clients {
		c := &r.clients[i]
		d.Add(-1, uint64(c.cycles)<<1|truth(c.holding >= 0))
		c.digestFence(d)
		r.remembered = d
		c.lock.(locks.Remembering).Memory(r.remember)
	}
	d.Add(-1, r.counter)
}

// memoryKnown reports whether everything that a lock and its client remember is known. It is so for Redlock, and for
// locks on one server.
func (r *Runner) memoryKnown() bool {
	s := r.scenario
	return s.Lock.New == nil && (s.Lock.Kind == Redlock || s.Lock.Kind == Single) && s.Lock.Renew.Every == 0 &&
		s.Storage.Engine == Register && (s.Fencing.Source == Ideal || s.Fencing.Source == NoFencing)
}

// digestHold adds a hold: its token, and what of it still lasts.
func (r *Runner) digestHold(d *sim.Digest, hold int, now clock.Instant) {
	h, own := &r.evidence.Holds[hold], &r.holds[hold]
	host := r.clients[h.Client].host
	believes := h.Gone == clock.Forever && own.life == host.Crashes()
	valid := now < r.ends(hold, own.deadline, h.From) // which is no later than its release
	d.Add(-1, h.Fence, truth(believes)<<1|truth(valid))
	if believes || valid {
		d.Add(-1, uint64(h.Client))
	}
	if valid {
		d.Add(-1, uint64(own.deadline))
		d.Text(-1, h.Token)
	}
}

// digestFence adds, for a client with a token and no hold yet, the token, and which holds existed when it asked.
func (c *client) digestFence(d *sim.Digest) {
	e := &c.run.evidence
	for i := range e.Holds {
		if h := &e.Holds[i]; h.Client == c.id && h.From >= c.fenceAsked {
			return
		}
	}
	d.Add(-1, c.fence)
	for i := range e.Holds {
		d.Add(-1, truth(e.Holds[i].From <= c.fenceAsked))
	}
}

// reportMemory tells the simulator what the client still remembers: the grant that it holds, and the given values. The
// evidence has some of it too: the cycles; that there is a grant, in c.holding; the fence, in the client's hold; and
// the token, in its latest try. It is here anyway, so that a proc's knowledge does not depend on what judges need. No
// evidence has what was read: of two clients that have read other versions, one may lose an update and the other not.
func (c *client) reportMemory(p *sim.Proc, g *locks.Grant, more ...uint64) {
	if c.run.Exploring.OnState == nil || !c.run.memoryKnown() {
		return
	}
	var room [8]uint64
	known := append(room[:0], uint64(c.cycles), truth(g != nil))
	if g == nil {
		p.Forget(append(known, more...)...)
		return
	}
	p.Forget(append(append(known, g.Fence, uint64(g.Deadline)), more...)...)
	p.Know(g.Token)
}

func truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}
