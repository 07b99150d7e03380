package faults

import (
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/sim"
)

// A Strike is a fault that struck in a run.
type Strike struct {
	Index    int           // its place in the schedule
	From, To clock.Instant // To is Forever if the fault lasts for the rest of the run
}

// An Injection is a schedule at work in a world.
type Injection struct {
	world   *sim.World
	strikes []Strike
}

// Strikes lists the faults that have struck, in that order.
func (in *Injection) Strikes() []Strike { return in.strikes }

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
	s := Strike{Index: i, From: w.Now(), To: clock.Forever}
	if f.Kind == Slew { // it ends by itself, once the clock is corrected
		s.To = w.Host(f.Host).Slew(f.By, f.Rate)
	} else {
		begin, heal := f.deed(w)
		begin()
		if f.For > 0 {
			s.To = s.From.Add(f.For)
			w.At(s.To, heal)
		}
	}
	in.strikes = append(in.strikes, s)
}

// deed gives what the fault does to the world, and what undoes it.
func (f Fault) deed(w *sim.World) (begin, heal func()) {
	host, from, to := w.Host(f.Host), w.Host(f.From), w.Host(f.To)
	switch f.Kind {
	case Pause:
		return host.Pause, host.Resume
	case Restart:
		return func() { host.Crash(!f.Clean) }, host.Restart
	case Jump:
		return func() { host.Step(f.By) }, func() { host.Step(-f.By) }
	case Drift:
		return func() { host.Drift(f.Rate) }, func() { host.Drift(-f.Rate) }
	case Partition:
		return func() { f.across(w, w.Cut) }, func() { f.across(w, w.Mend) }
	case Cut:
		return func() { w.Cut(from, to) }, func() { w.Mend(from, to) }
	case Hold:
		var held *sim.Catch
		return func() { held = w.Hold(from, to) }, func() { held.Release() }
	case Slow:
		return func() { w.Slow(from, to, f.By) }, func() { w.Slow(from, to, -f.By) }
	case Lossy:
		return func() { w.Lose(from, to, f.Loss) }, func() { w.Lose(from, to, -f.Loss) }
	}
	panic("faults: no such kind of fault")
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
