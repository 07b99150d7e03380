package faults

import (
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/sim"
)

// A Strike is a fault that struck in a run.
type Strike struct {
	Index    int           // its place in the schedule
	From, To clock.Instant // To is Forever if the fault lasts for the rest of the run
	Idle     bool          // it touched nothing: no message met it, or nobody was left to be struck
}

// An Injection is a schedule at work in a world.
type Injection struct {
	world   *sim.World
	strikes []Strike
	open    []func() (idle bool) // beside strikes: asks of one that is not over whether it has touched anything; else nil
}

// Strikes lists the faults that have struck, in that order.
func (in *Injection) Strikes() []Strike {
	for i := range in.open {
		in.settle(i)
	}
	return in.strikes
}

// settle finds out whether a strike touched anything, unless that is known.
func (in *Injection) settle(i int) {
	if idle := in.open[i]; idle != nil {
		in.strikes[i].Idle = idle()
	}
}

// Inject plans the schedule in a world whose hosts are all there. A run without faults pays nothing for it.
func (s Schedule) Inject(w *sim.World) *Injection {
	in := &Injection{world: w}
	for i, f := range s {
		strike := func() { in.strike(i, f) }
		if f.When.Host == "" {
			w.At(f.At, strike)
			continue
		}
		w.OnMark(w.Host(f.When.Host), f.When.Name, f.When.Nth, func() {
			if f.When.After > 0 {
				w.At(w.Now().Add(f.When.After), strike)
			} else {
				strike()
			}
		})
	}
	return in
}

// strike lets the fault happen now, and plans its end.
func (in *Injection) strike(i int, f Fault) {
	w := in.world
	d := f.deed(w)
	s := Strike{Index: i, From: w.Now(), To: clock.Forever}
	n := len(in.strikes)
	in.strikes, in.open = append(in.strikes, s), append(in.open, d.idle)
	if end := d.begin(); end != 0 {
		in.strikes[n].To = end
	}
	over := func() {
		in.settle(n)
		in.open[n], in.strikes[n].To = nil, w.Now()
		d.heal()
	}
	switch {
	case f.For == 0 || d.heal == nil:
	case f.On != "":
		w.Host(f.On).OnWall(f.For, over)
	default:
		in.strikes[n].To = s.From.Add(f.For)
		w.At(in.strikes[n].To, over)
	}
}

// A deed is what a fault does to the world.
type deed struct {
	begin func() (end clock.Instant) // the end is 0 where it is not the fault's own affair
	heal  func()                     // nil where it heals by itself
	idle  func() bool                // whether it has touched nothing so far
}

// deed gives what the fault does.
func (f Fault) deed(w *sim.World) deed {
	switch f.Kind {
	case Pause, Restart, Jump, Drift, Slew:
		return f.deedToHost(w.Host(f.Host))
	case Partition, Cut:
		return f.deedToLinks(w, w.Cut, w.Mend)
	case Slow:
		return f.deedToLinks(w, func(from, to *sim.Host) { w.Slow(from, to, f.By) },
			func(from, to *sim.Host) { w.Slow(from, to, -f.By) })
	case Lossy:
		return f.deedToLinks(w, func(from, to *sim.Host) { w.Lose(from, to, f.Loss) },
			func(from, to *sim.Host) { w.Lose(from, to, -f.Loss) })
	case Hold:
		var held *sim.Catch
		return deed{
			begin: func() clock.Instant { held = w.Hold(w.Host(f.From), w.Host(f.To)); return 0 },
			heal:  func() { held.Release() },
			idle:  func() bool { return !held.Caught() },
		}
	}
	panic("faults: no such kind of fault")
}

// deedToHost gives what the fault does to a host. It is idle if nobody is left to notice: a client that has come to its
// end, or a server that no client will call.
func (f Fault) deedToHost(h *sim.Host) deed {
	idle := !h.Live()
	if h.Serves() {
		idle = h.World().Live() == 0
	}
	d := deed{idle: func() bool { return idle }}
	begin := func() {}
	switch f.Kind {
	case Pause:
		begin, d.heal = h.Pause, h.Resume
	case Restart:
		begin, d.heal = func() { h.Crash(!f.Clean) }, h.Restart
	case Jump:
		begin, d.heal = func() { h.Step(f.By) }, func() { h.Step(-f.By) }
	case Drift:
		begin, d.heal = func() { h.Drift(f.Rate) }, func() { h.Drift(-f.Rate) }
	default: // Slew
		d.begin = func() clock.Instant { return h.Slew(f.By, f.Rate) }
		return d
	}
	d.begin = func() clock.Instant { begin(); return 0 }
	return d
}

// deedToLinks gives what the fault does to each of its links. It is idle as long as no message has been sent on one.
func (f Fault) deedToLinks(w *sim.World, begin, heal func(from, to *sim.Host)) deed {
	sent := func() (n int) {
		f.links(w, func(from, to *sim.Host) { n += w.Sent(from, to) })
		return n
	}
	before := sent()
	return deed{
		begin: func() clock.Instant { f.links(w, begin); return 0 },
		heal:  func() { f.links(w, heal) },
		idle:  func() bool { return sent() == before },
	}
}

// links does something to each link that the fault is about.
func (f Fault) links(w *sim.World, do func(from, to *sim.Host)) {
	if f.Kind == Partition {
		f.across(w, do)
		return
	}
	do(w.Host(f.From), w.Host(f.To))
}

// across does something to each link between two groups of a partition.
func (f Fault) across(w *sim.World, do func(from, to *sim.Host)) {
	for i, g := range f.Groups {
		for j, h := range f.Groups {
			if i == j {
				continue
			}
			for _, from := range g {
				for _, to := range h {
					do(w.Host(from), w.Host(to))
				}
			}
		}
	}
}
