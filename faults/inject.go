package faults

import (
	"time"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/sim"
)

// A Strike is a fault that hit in a run.
type Strike struct {
	Index    int           // its place in the schedule
	From, To clock.Instant // To is Forever if the fault lasts for the rest of the run
	Idle     bool          // it touched nothing: it met no message, lost none, or no host could notice it
	Slight   bool          // it touched something, and changed nothing: see slight
	What     string        // like Fault.What, but with the hosts that filled a role: "pause holder=c2"
	Hosts    []string      // the hosts it hit: the named ones, and those that filled its roles
}

// An Injection is a schedule at work in a world. The Injection of an empty schedule is nil; its methods work.
type Injection struct {
	schedule Schedule
	world    *sim.World
	cast     Cast
	strikes  []Strike
	effects  []*effect // parallel to it; nil for a fault that has ended
	healed   bool
	last     clock.Instant // no fault hits from here on; 0 for no such limit
}

// Inject plans the schedule in a world that has all hosts of the cast. Times count from now.
func (s Schedule) Inject(w *sim.World, cast Cast) *Injection {
	if len(s) == 0 {
		return nil
	}
	in := &Injection{schedule: s, world: w, cast: cast}
	for i := range s {
		in.plan(i)
	}
	return in
}

// plan plans when a fault hits.
func (in *Injection) plan(i int) {
	f, w := &in.schedule[i], in.world
	strike := func() { in.strike(i) }
	if f.When.Host == "" {
		w.At(w.Now().Add(time.Duration(f.At)), strike)
		return
	}
	host := w.Host(f.When.Host) // nil for Any, and OnMark reads nil as any host
	w.OnMark(host, f.When.Name, f.When.Nth, func() {
		if f.When.After > 0 {
			w.At(w.Now().Add(f.When.After), strike)
		} else {
			strike()
		}
	})
}

func (in *Injection) strike(i int) {
	if in.healed || in.last > 0 && in.world.Now() >= in.last {
		return
	}
	s := &struct { // one allocation, because faults hit often
		fault   Fault // a copy, whose hosts are filled in
		targets targets
		effect  effect
	}{fault: in.schedule[i], targets: targets{Injection: in, index: i}}
	f, t, e, n, w := &s.fault, &s.targets, &s.effect, len(in.strikes), in.world
	if f.Kind.Index() < 0 {
		panic("faults: no such kind of fault: the schedule was not checked")
	}
	*e = f.Kind.strike(t, f)
	in.strikes = append(in.strikes,
		Strike{Index: i, From: w.Now(), To: clock.Forever, What: f.what() + t.side, Hosts: t.struck})
	in.effects = append(in.effects, e)
	var end clock.Instant
	w.Blame(n, func() { end = e.begin() })
	over := func() { in.end(n) }
	switch {
	case f.Kind.EndsItself:
		in.strikes[n].To = end
	case f.For == 0:
	case f.On != "":
		w.Host(f.On).OnWall(f.For, over)
	default:
		in.strikes[n].To = w.Now().Add(f.For)
		w.At(in.strikes[n].To, over)
	}
}

// end heals what a fault did, once.
func (in *Injection) end(n int) {
	e := in.effects[n]
	if e == nil {
		return
	}
	s := &in.strikes[n]
	s.To = min(s.To, in.world.Now())
	in.weigh(n, s.To)
	in.effects[n] = nil
	in.world.Blame(n, e.heal)
}

// weigh notes the effect of a fault up to a moment.
func (in *Injection) weigh(n int, until clock.Instant) {
	s, e := &in.strikes[n], in.effects[n]
	s.Idle = e.idle()
	f, lasted := &in.schedule[s.Index], until.Sub(s.From)
	s.Slight = !s.Idle && (f.slight(lasted) || e.spare != nil && 0 < f.For && f.For < noticeable && e.spare())
}

// noticeable is the smallest error of a clock that any host can notice: Redis counts in milliseconds.
const noticeable = time.Millisecond

// slight reports whether a fault that has lasted that long has set no clock noticeably wrong. A fault that a mark
// times, or that is short or small, may have no effect; then its run proves nothing.
func (f *Fault) slight(lasted time.Duration) bool {
	if f.Kind.strain == nil {
		return false // a message that is a nanosecond late is behind another
	}
	s := f.Kind.strain(f)
	return s.by+lasted/1_000*time.Duration(s.rate)/1_000_000 < noticeable
}

// Limit keeps faults from hitting at an instant or later. Those that hit before end as planned.
func (in *Injection) Limit(last clock.Instant) {
	if in != nil {
		in.last = last
	}
}

// Heal ends every fault that is in force, as its own end would. Nothing of the schedule happens after that. A second
// Heal does nothing.
func (in *Injection) Heal() {
	if in == nil {
		return
	}
	in.healed = true
	for n := range in.effects {
		in.end(n)
	}
}

// Strikes returns the faults that have hit, in order.
func (in *Injection) Strikes() []Strike {
	if in == nil {
		return nil
	}
	for n, e := range in.effects {
		if e != nil {
			in.weigh(n, min(in.strikes[n].To, in.world.Now()))
		}
	}
	return in.strikes
}
