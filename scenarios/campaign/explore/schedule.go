package explore

import (
	"slices"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/sim"
)

// A schedule is a list of deviations from the root, in the order of true time. Each is one fault. There may be millions
// at a time, so each has its last deviation alone.
type schedule struct {
	up       *schedule // what it was made from; nil for the root
	last     point     // where the last deviation was chosen
	option   int       // which of the options there it is
	messages int       // deviations of messages
	strikes  int       // faults
	touched  uint64    // the nodes that deviations touched
	once     uint64    // the lines that hit already and hit at most once

	first    uint64 // the first state of its run, if that is foreseen
	foreseen bool
}

// A point is where something may go otherwise: a message that sets off, a mark that is passed, or a tick.
type point struct {
	at   clock.Instant
	kind sim.Kind // Sent, Served or Marked; tick for a tick
	host int16
	peer int16
	mark string
	nth  int
}

// tick is the kind of a point before everything that happens at a tick. No event has it.
const tick sim.Kind = 255

func (p *point) strikes() bool { return p.kind == sim.Marked || p.kind == tick }

// faults returns what a run of the schedule is given.
func (u *Universe) faults(s *schedule) faults.Schedule {
	all := make(faults.Schedule, s.messages+s.strikes)
	for i := len(all) - 1; i >= 0; i, s = i-1, s.up {
		all[i] = u.fault(&s.last, s.option)
	}
	return all
}

// fault returns the deviation that an option at a point is.
func (u *Universe) fault(p *point, option int) faults.Fault {
	if p.strikes() {
		f := u.strikes[option]
		f.At = p.at
		if p.kind == sim.Marked {
			f.At, f.When = 0, faults.Mark{Host: u.hosts[p.host], Name: p.mark}
			if p.nth > 1 {
				f.When.Nth = p.nth
			}
		}
		return f
	}
	f := faults.Fault{Kind: faults.Slow, At: p.at, For: 1, From: u.hosts[p.host], To: u.hosts[p.peer]}
	if option == len(u.late) {
		f.Kind, f.Loss = faults.Lossy, 1_000_000
	} else {
		f.By = u.late[option]
	}
	return f
}

// children calls yield with each child of s: each schedule that adds one deviation after the deviations of s. The
// outcome is of the run of s. Anything after its end is covered by other runs, or comes after the run.
func (u *Universe) children(s *schedule, o *outcome, yield func(schedule) bool) {
	c := chooser{Universe: u, s: s, foreseen: o.foreseen, yield: yield, passed: map[point]int{}}
	begun := s.up == nil
	width := clock.Instant(u.scenario.Network.Tick)
	next := clock.Instant(0)
	for i := range o.trace {
		e := &o.trace[i]
		if e.At > o.end || c.over {
			break
		}
		if !begun && s.last.kind == tick && e.At >= s.last.at {
			begun, next = true, s.last.at
		}
		if begun {
			next = c.ticksUpTo(next, e.At)
		}
		p, is := c.point(e)
		switch {
		case !is:
		case begun:
			c.call = e.Call
			c.at(p)
		case p == s.last:
			begun, next = true, (s.last.at/width+1)*width
			c.call = e.Call
			c.at(p)
		}
	}
	if begun { // a client may have slept through the last ticks
		c.ticksUpTo(next, o.end)
	}
}

// chooser is the enumeration of what may go otherwise in one run.
type chooser struct {
	*Universe
	s      *schedule
	yield  func(schedule) bool
	over   bool
	passed map[point]int // how often marks were passed; looked up, never ranged over

	foreseen map[turn]uint64
	call     uint32 // the call of the message at the point
}

// point returns the point of an event, if it is one of the run's own.
func (c *chooser) point(e *sim.Event) (p point, is bool) {
	if int(e.Host) >= len(c.hosts) || int(e.Peer) >= len(c.hosts) { // an event of the probe
		return p, false
	}
	p = point{at: e.At, kind: e.Kind, host: e.Host, peer: e.Peer}
	switch e.Kind {
	case sim.Sent, sim.Served:
		return p, true
	case sim.Marked:
		p.mark = e.Body.(string)
		count := point{host: e.Host, mark: p.mark}
		c.passed[count]++
		p.nth = c.passed[count]
		return p, true
	}
	return p, false
}

// ticksUpTo offers the faults that hit at ticks, from next up to an instant, and returns the next tick.
func (c *chooser) ticksUpTo(next, to clock.Instant) clock.Instant {
	width := clock.Instant(c.scenario.Network.Tick)
	for ; next <= to; next += width {
		if c.ticks {
			c.at(point{at: next, kind: tick, host: -1, peer: -1})
		}
	}
	return next
}

// at offers the deviations of a point. At the point of the last deviation only later options are left: two faults can
// hit at one mark, but a message is late only once.
func (c *chooser) at(p point) {
	last := c.s.up != nil && c.s.last == p
	switch {
	case p.strikes():
		if c.s.strikes < c.most {
			from := 0
			if last {
				from = c.s.option + 1
			}
			c.strike(p, from)
		}
	case !last && c.s.messages < c.deviations:
		c.disturb(p)
	}
}

func (c *chooser) strike(p point, src int) {
	for i := src; i < len(c.strikes); i++ {
		if c.s.once&c.once[i] == 0 {
			c.offer(p, i, slices.Index(c.hosts, c.strikes[i].Host))
		}
	}
}

// disturb offers what may become of a message.
func (c *chooser) disturb(p point) {
	node := int(min(p.host, p.peer))
	for i := range c.late {
		c.offer(p, i, node)
	}
	if c.lost {
		c.offer(p, len(c.late), node)
	}
}

// offer yields a deviation, unless an untouched node of a lower number is interchangeable with its node.
func (c *chooser) offer(p point, option, node int) {
	if c.over {
		return
	}
	if node >= c.alike {
		node = -1
	}
	if node >= 0 && c.s.stoodFor(node) {
		return
	}
	next := *c.s
	next.up, next.last, next.option, next.foreseen = c.s, p, option, false
	if p.strikes() {
		next.strikes++
		next.once |= c.once[option]
	} else {
		next.messages++
		next.first, next.foreseen = c.first(p, option)
	}
	if node >= 0 {
		next.touched |= 1 << node
	}
	c.over = !c.yield(next)
}

// stoodFor reports whether an untouched node of a lower number is interchangeable with this one.
func (s *schedule) stoodFor(node int) bool {
	return s.touched>>node&1 == 0 && s.touched&(1<<node-1) != 1<<node-1
}
