package faults

import (
	"slices"
	"time"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/sim"
)

// A deed is what a fault does to the world.
type deed struct {
	begin func() (end clock.Instant) // the end is that of a Slew; of the others it is the schedule's affair
	heal  func()                     // at the end, or before
	idle  func() bool                // whether it has touched nothing so far
}

// deed gives what the fault does to its target.
func (f Fault) deed(w *sim.World, t target) deed {
	switch f.Kind {
	case Partition, Cut:
		return deedToLinks(t.links, w.LostOn, w.Cut, w.Mend)
	case Slow, SlowNode:
		return deedToLinks(t.links, w.Sent, func(from, to *sim.Host) { w.Slow(from, to, f.By) },
			func(from, to *sim.Host) { w.Slow(from, to, -f.By) })
	case Lossy:
		return deedToLinks(t.links, w.LostOn, func(from, to *sim.Host) { w.Lose(from, to, f.Loss) },
			func(from, to *sim.Host) { w.Lose(from, to, -f.Loss) })
	case Hold:
		return deedToMessages(w, t.links)
	case Slew:
		return f.correction(w, t.hosts)
	}
	return deedToHosts(t.hosts, f.blow(w))
}

// A blow is what a fault does to each of its hosts, and what undoes it.
type blow struct{ begin, heal func(*sim.Host) }

// blow gives what the fault does to a host.
func (f Fault) blow(w *sim.World) blow {
	step := func(by time.Duration) func(*sim.Host) { return func(h *sim.Host) { h.Step(by) } }
	drift := func(by clock.Rate) func(*sim.Host) { return func(h *sim.Host) { h.Drift(by) } }
	switch f.Kind {
	case Pause:
		return blow{(*sim.Host).Pause, (*sim.Host).Resume}
	case Suspend:
		return blow{(*sim.Host).Suspend, (*sim.Host).Wake}
	case Crash: // what reached the operating system is kept, as at an orderly shutdown
		return blow{func(h *sim.Host) { h.Crash(false) }, (*sim.Host).Restart}
	case Restart:
		return blow{func(h *sim.Host) { h.Crash(!f.Clean) }, (*sim.Host).Restart}
	case Jump:
		return blow{step(f.By), step(-f.By)}
	case Drift:
		return blow{drift(f.Rate), drift(-f.Rate)}
	case Strobe:
		return f.strobe(w)
	}
	panic("faults: no such kind of fault")
}

// strobe steps the clock forth and back until it is healed.
func (f Fault) strobe(w *sim.World) blow {
	type swing struct{ out, over bool }
	swings := make([]swing, len(w.Hosts()))
	var tick func(h *sim.Host)
	tick = func(h *sim.Host) {
		s, by := &swings[h.ID], f.By
		if s.over {
			return
		}
		if s.out {
			by = -f.By
		}
		s.out = !s.out // before the step, which may bring about the end of a fault that is timed on this very clock
		h.Step(by)
		if !s.over {
			w.At(w.Now().Add(f.Every), func() { tick(h) })
		}
	}
	return blow{tick, func(h *sim.Host) {
		s := &swings[h.ID]
		s.over = true
		if s.out {
			h.Step(-f.By)
		}
	}}
}

// deedToHosts does the same to each of the hosts. It is idle if none of them is there to notice.
func deedToHosts(hosts []*sim.Host, b blow) deed {
	idle := idles(hosts)
	return deed{
		begin: func() clock.Instant { each(hosts, b.begin); return 0 },
		heal:  func() { each(hosts, b.heal) },
		idle:  func() bool { return idle },
	}
}

func each(hosts []*sim.Host, do func(*sim.Host)) {
	for _, h := range hosts {
		do(h)
	}
}

// idles tells whether nobody is left to notice what happens to the hosts: each is a client that has come to its end, or a
// server that no client will call.
func idles(hosts []*sim.Host) bool {
	return !slices.ContainsFunc(hosts, func(h *sim.Host) bool {
		if h.Serves() {
			return h.World().Live() > 0
		}
		return h.Live()
	})
}

// correction slews the hosts' clocks. Each takes the same time for it, for that hangs on By and Rate alone.
func (f Fault) correction(w *sim.World, hosts []*sim.Host) deed {
	from := w.Now()
	end := from
	d := deedToHosts(hosts, blow{
		begin: func(h *sim.Host) { end = h.Slew(f.By, f.Rate) },
		heal: func(h *sim.Host) {
			if w.Now() < end {
				h.Unslew(from, f.By, f.Rate)
			}
		},
	})
	slew := d.begin
	d.begin = func() clock.Instant { slew(); return end }
	return d
}

// deedToLinks does the same to each of the links. It is idle as long as it has met no message: what it meets is counted
// on each link.
func deedToLinks(links []link, count func(from, to *sim.Host) int, begin, heal func(from, to *sim.Host)) deed {
	met := func() (n int) {
		for _, l := range links {
			n += count(l.from, l.to)
		}
		return n
	}
	each := func(do func(from, to *sim.Host)) {
		for _, l := range links {
			do(l.from, l.to)
		}
	}
	before := met()
	return deed{
		begin: func() clock.Instant { each(begin); return 0 },
		heal:  func() { each(heal) },
		idle:  func() bool { return met() == before },
	}
}

// deedToMessages catches the next message on each of the links. It is idle as long as it has caught none.
func deedToMessages(w *sim.World, links []link) deed {
	held := make([]*sim.Catch, len(links))
	return deed{
		begin: func() clock.Instant {
			for i, l := range links {
				held[i] = w.Hold(l.from, l.to)
			}
			return 0
		},
		heal: func() {
			for _, k := range held {
				k.Release()
			}
		},
		idle: func() bool { return !slices.ContainsFunc(held, (*sim.Catch).Caught) },
	}
}
